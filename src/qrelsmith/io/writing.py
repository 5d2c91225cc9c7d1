"""Atomic writing of files."""

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

# Characters that end a field or a line, and code points that are not characters.
_UNSOUND = re.compile("[\x00\t-\r \ud800-\udfff]")
# Line beginnings that mark something other than data.
_LINE_MARKS = ("#", "\ufeff", "<SYSDESC>")


# Files waiting for the others of their block: temporary file, destination, name.
_WAITING: ContextVar[list[tuple[Path, Path, FilePath]] | None] = ContextVar(
    "waiting files", default=None
)


@contextmanager
def write_together() -> Iterator[None]:
    """Move all files written by `replacing` in the block into place, or no file after a failure.

    Use `write_together` for results that belong together: if the disk is full at the second file,
    the first file is unchanged. Do not use `write_together` for files that the block reads again.
    `write_together` is also a decorator.
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
    """Open a binary file that replaces `path` when the block succeeds.

    Until the block succeeds, the content is in a temporary file in the same folder, which is
    removed after any failure: an error, an interrupt, a full disk. Inside `write_together`, the new
    file is moved only together with the other files. An existing file keeps its permissions. A pipe
    or a device is written to directly.

    Raises
    ------
    InputError
        If the folder is not writable or the disk is full.
    """
    try:
        mode = _mode(path)
        # For a symbolic link, the linked file is replaced, not the link.
        target = Path(path).resolve()
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from None
    if not str(path):
        raise InputError("the output file's name is empty; expected a file name")
    if mode is not None and stat.S_ISDIR(mode):
        raise InputError("this is a folder; expected a file name", path=path)
    if str(path).endswith(("/", os.sep)):
        raise InputError("the path ends with a slash; expected a file name", path=path)
    if mode is not None and not stat.S_ISREG(mode):
        with _name_file(path, Path(path)), Path(path).open("wb") as out:
            yield out
        return
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    with _name_file(path, part):
        try:
            with part.open("xb") as out:
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
    """Write UTF-8 text atomically."""
    write_lines(path, (text,))


def write_lines(path: FilePath, lines: Iterable[str]) -> None:
    """Write lines, which include line ends, atomically as UTF-8 without keeping them in memory."""
    with replacing(path) as out:
        out.writelines(line.encode("utf-8") for line in lines)


def is_field(name: str) -> bool:
    """Return whether an id can be a field of a text line: not empty, and without separators."""
    return bool(name) and _UNSOUND.search(name) is None


def check_ids(ids: Iterable[str], *, what: str, path: FilePath | None) -> None:
    """Raise `InputError` at an id that a reader of text lines would misread."""
    for name in ids:
        if not is_field(name) or (what == "topic" and name.startswith(_LINE_MARKS)):
            raise InputError(
                f"the {what} {quoted(name)} cannot be written; expected no spaces"
                + (" and no # at the beginning" if what == "topic" else ""),
                path=path,
            )


def _mode(path: FilePath) -> int | None:
    """Return the type and permissions of the file at a path, or None."""
    try:
        return Path(path).stat().st_mode
    except FileNotFoundError:
        return None


@contextmanager
def _name_file(path: FilePath, written: Path) -> Iterator[None]:
    """Add the file name to a write error; errors about other files are unchanged."""
    try:
        yield
    except OSError as error:
        if error.filename is not None and Path(error.filename) != written:
            raise
        raise _cannot_write(path, error) from None


def _cannot_write(path: FilePath, error: OSError | ValueError) -> InputError:
    return InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", path=path)
