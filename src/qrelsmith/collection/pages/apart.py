"""A separate process that cleans large pages and is stopped if it takes too long.

By the rules of HTML, a small page can become a huge tree: every paragraph reopens all formatting
elements that were left open before it. In a page with thousands of nested elements, the parser
searches all levels for every element. Browsers limit this work. The parser used here does not limit
it, and blocks the process until it has finished.

If this file is run as a module, it is the separate process. The process reads pages and writes the
cleaned pages, each preceded by its length.
"""

from __future__ import annotations

import atexit
import hashlib
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, cast

from qrelsmith.collection.pages.markup import RENDERERS
from qrelsmith.collection.pages.sanitise import sanitise_html
from qrelsmith.io import sizes

# Pages with fewer tags than this, or shorter than `sizes.PAGE`, are cleaned without this process.
_FEW_TAGS = 500
# Every character of Markdown can be markup.
_FEW_SIGNS = 4000
_PATIENCE_S = 5.0
# Limits of the process's memory, if the system can enforce it, and of its answer.
_MEMORY = 1 << 30
_LONGEST = 50_000_000
# Pages known to be too expensive are not tried again.
_KNOWN = 1000
_LENGTH = struct.Struct("<Q")


def clean_html(content: str, form: str = "html") -> str | None:
    """Return a doc as HTML without active content; None if it is too expensive to show."""
    most = sizes.PAGE if form == "html" else _FEW_SIGNS
    if len(content) <= most and content.count("<") <= _FEW_TAGS:
        return sanitise_html(RENDERERS[form](content))
    return _APART.clean(f"{form}\n{content}")


class _Apart:
    """The separate process, started on demand; it cleans one page at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._too_much: dict[bytes, None] = {}

    def clean(self, page: str) -> str | None:
        """Return the cleaned page, or None if it takes too long.

        The first line of `page` names the form.
        """
        content = page.encode("utf-8")
        digest = hashlib.sha256(content).digest()
        with self._lock:
            if digest in self._too_much:
                return None
            answer = self._ask(content)
            if answer is None:
                if len(self._too_much) >= _KNOWN:
                    self._too_much.pop(next(iter(self._too_much)))
                self._too_much[digest] = None
                return None
        return answer.decode("utf-8")

    def _ask(self, content: bytes) -> bytes | None:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = subprocess.Popen(  # noqa: S603 - ourselves
                [sys.executable, "-m", __spec__.name],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        clock = threading.Timer(_PATIENCE_S, process.kill)
        clock.start()
        answer = None
        with suppress(OSError):
            _write(cast("IO[bytes]", process.stdin), content)
            answer = _read(cast("IO[bytes]", process.stdout))
        clock.cancel()
        if answer is None:
            self.end()
        return answer

    def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError):
                process.communicate()


def _write(stream: IO[bytes], content: bytes) -> None:
    stream.write(_LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def _read(stream: IO[bytes]) -> bytes | None:
    """Read a page from a stream; return None if the stream ends before the page is complete."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    length = _LENGTH.unpack(head)[0]
    content = stream.read(length)
    return content if len(content) == length else None


def _work(pages: IO[bytes], answers: IO[bytes]) -> None:
    with suppress(ImportError):  # this module does not exist on all systems
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    while (page := _read(pages)) is not None:
        form, _, content = page.decode("utf-8").partition("\n")
        answer = sanitise_html(RENDERERS[form](content)).encode("utf-8")
        if len(answer) > _LONGEST:
            return
        _write(answers, answer)


_APART = _Apart()
atexit.register(_APART.end)

if __name__ == "__main__":
    _work(sys.stdin.buffer, sys.stdout.buffer)
