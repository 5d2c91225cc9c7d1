"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io.text import FilePath

# What ends a field or a line, or stands for no character at all.
_UNSOUND = re.compile("[\x00\t-\r \ud800-\udfff]")
# What makes of a line something else than data.
_LINE_MARKS = ("#", "\ufeff", "<SYSDESC>")


# The files that wait for the others of their block: what was written, its place, its name.
_WAITING: ContextVar[list[tuple[Path, Path, FilePath]] | None] = ContextVar(
    "waiting files", default=None
)


@contextmanager
def write_together() -> Iterator[None]:
    """All files that `replacing` writes in the block take their places when it ends well, or none.

    For results that belong to each other: a full disk at the second leaves the first as it was. Not
    for what is read again inside of the block. Also a decorator.
    """
    if _WAITING.get() is not None:
        yield
        return
    waiting: list[tuple[Path, Path, FilePath]] = []
    token = _WAITING.set(waiting)
    try:
        yield
        while waiting:
            part, target, path = waiting[0]
            with _name_file(path, part):
                part.replace(target)
            waiting.pop(0)
    finally:
        _WAITING.reset(token)
        for part, _, _ in waiting:
            with suppress(OSError):
                part.unlink()


@contextmanager
def replacing(path: FilePath) -> Iterator[IO[bytes]]:
    """Open a binary file that takes the place of `path` when the block ends well.

    Until then its content is in a file beside it, which is removed when anything goes wrong: an
    error, an interrupt, a full disk. Inside of `write_together` it waits for the others. An
    existing file keeps its permissions; a pipe or a device is written to as it is.

    Raises
    ------
    InputError
        If the folder cannot be written to or the disk is full.
    """
    try:
        mode = _mode(path)
        # Through a link the file that it names is replaced, not the link.
        target = Path(path).resolve()
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from None
    if not str(path):
        raise InputError("the output file's name is empty; expected a file name")
    if mode is not None and stat.S_ISDIR(mode):
        raise InputError("this this is a folder; expected a file name", path=path)
    if str(path).endswith(("/", os.sep)):
        raise InputError("the path ends with a slash; expected a file name", path=path)
    if mode is not None and not stat.S_ISREG(mode):
        with _name_file(path, Path(path)), Path(path).open("wb") as out:
            yield out
        return
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    with _name_file(path, part):
        out = part.open("xb")
        try:
            with out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            if mode is not None:
                part.chmod(stat.S_IMODE(mode))
            waiting = _WAITING.get()
            if waiting is None:
                part.replace(target)
            else:
                waiting.append((part, target, path))
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise


def write_text(path: FilePath, text: str) -> None:
    """Write UTF-8 text, whole or not at all."""
    with replacing(path) as out:
        out.write(text.encode("utf-8"))


def is_field(name: str) -> bool:
    """Whether an id can be a field of a text line: it is not empty and nothing in it ends it."""
    return bool(name) and _UNSOUND.search(name) is None


def check_ids(ids: Iterable[str], *, what: str, path: FilePath | None) -> None:
    """Raise `InputError` at an id that a reader of text lines would not take for what it is."""
    for name in ids:
        if not is_field(name) or (what == "topic" and name.startswith(_LINE_MARKS)):
            raise InputError(
                f"the {what} {quoted(name)} cannot be written; expected no space in it"
                + (" and no # before it" if what == "topic" else ""),
                path=path,
            )


def _mode(path: FilePath) -> int | None:
    """Type and permissions of what stands at a path, or None."""
    try:
        return Path(path).stat().st_mode
    except FileNotFoundError:
        return None


@contextmanager
def _name_file(path: FilePath, written: Path) -> Iterator[None]:
    """Say of an error in writing which file it was; one about another file is left as it is."""
    try:
        yield
    except OSError as error:
        if error.filename is not None and Path(error.filename) != written:
            raise
        raise _cannot_write(path, error) from None


def _cannot_write(path: FilePath, error: OSError | ValueError) -> InputError:
    return InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", path=path)
