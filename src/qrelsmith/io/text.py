"""Content of a text file: decompressed, without byte-order mark, in whole lines.

Compression is detected from the first bytes of the file, not from its name.
"""

from __future__ import annotations

import bz2
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io import sizes
from qrelsmith.io.compressed import GzipDecompressor, Limited, Members

FilePath = str | PathLike[str]
T = TypeVar("T")

_GZIP, _XZ, _ZSTD = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
# bzip2 begins with letters, as a topic may, so the bytes after them are checked too.
_BZ2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
# Characters that end a field or a line in some programs only.
_FORBIDDEN = (b"\x00", b"\x0b", b"\x0c", b"\r")


@contextmanager
def open_bytes(path: FilePath) -> Iterator[IO[bytes]]:
    """Open a file for reading its decompressed bytes.

    Raises
    ------
    InputError
        If the file does not exist or cannot be read.
    """
    try:
        raw = Path(path).open("rb")  # noqa: SIM115 - closed below, after its wrapper
    except (OSError, ValueError) as error:
        raise _cannot_read(path, error) from None
    with raw:
        try:
            head = raw.peek(10)[:10]
        except OSError as error:
            raise _cannot_read(path, error) from None
        packed: IO[bytes]
        if head.startswith(_GZIP):
            packed = io.BufferedReader(Members(raw, GzipDecompressor))
        elif _BZ2.match(head):
            packed = io.BufferedReader(Members(raw, bz2.BZ2Decompressor))
        elif head.startswith(_XZ):
            packed = io.BufferedReader(Members(raw, lzma.LZMADecompressor))
        elif head.startswith(_ZSTD):
            import pyarrow

            packed = cast("IO[bytes]", pyarrow.CompressedInputStream(raw, "zstd"))
        else:
            yield raw
            return
        with packed, io.BufferedReader(Limited(packed, path), sizes.DECOMPRESSED) as stream:
            yield stream


def is_regular(path: FilePath) -> bool:
    """Return whether the path is a file that can be read repeatedly, unlike a pipe."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


class LineBlocks:
    """The content of a text file in blocks of whole lines.

    The byte-order mark is removed and CRLF becomes LF; the last line need not end in a newline.

    Parameters
    ----------
    path : path
        The file.
    longest : int, optional
        Approximate maximum number of bytes of a line.
    span : (int, int), optional
        Range of bytes whose lines are read; only for files that are not compressed.

    Raises
    ------
    InputError
        If the file cannot be read or decompressed, is UTF-16, or has too long a line.
    """

    def __init__(
        self, path: FilePath, *, longest: int | None = None, span: tuple[int, int] | None = None
    ) -> None:
        self.path = path
        self._span = span
        self._left = None if span is None else span[1] - span[0]
        self._longest = longest
        self._line = 1
        self._open = open_bytes(path)
        self._rest = b""
        self._started = span is not None and span[0] > 0

    def __enter__(self) -> LineBlocks:
        self._stream = self._open.__enter__()
        if self._span is not None:
            self._stream.seek(self._span[0])
        return self

    def __exit__(self, *_: object) -> None:
        self._open.__exit__(None, None, None)

    def read(self, size: int) -> bytes:
        """Return about `size` more bytes, to the end of a line; empty at the end of the file."""
        parts = [self._rest]
        length = len(self._rest)
        while True:
            chunk = self._read_chunk(size)
            end = chunk.rfind(b"\n") + 1
            if end or not chunk:
                self._rest = chunk[end:]
                if end < len(chunk) or length:  # avoids copying the block
                    chunk = b"".join((*parts, memoryview(chunk)[:end]))
                return self._whole_lines(chunk, last=not end)
            parts.append(chunk)
            length += len(chunk)
            if self._longest is not None and length > self._longest:
                raise InputError(
                    f"the line has more than {self._longest} bytes", path=self.path, line=self._line
                )

    def read_all(self) -> bytes:
        """Return the rest of the text."""
        parts = list(iter(lambda: self.read(sizes.TEXT_BLOCK), b""))
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _whole_lines(self, block: bytes, *, last: bool) -> bytes:
        if self._longest is not None:
            self._line += block.count(b"\n")
        return unified_newlines(block, last=last)

    def _read_chunk(self, size: int) -> bytes:
        if self._left is not None:
            size = min(size, self._left)
            self._left -= size
        try:
            chunk = self._stream.read(size)
        except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
            raise _cannot_read(self.path, error) from None
        if not self._started and chunk:
            self._started = True
            if chunk.startswith(_UTF16):
                raise InputError("the file is UTF-16; expected UTF-8", path=self.path, line=1)
            chunk = chunk.removeprefix(BOM)
        return bytes(chunk)


def unified_newlines(block: bytes, *, last: bool) -> bytes:
    """Return the block with LF at the end of every line; `last` marks the last block."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
        if last:
            block = block.removesuffix(b"\r")
    return block


def read_bytes(path: FilePath) -> bytes:
    """Read a text file: decompressed, without byte-order mark, with LF at line ends."""
    with LineBlocks(path) as blocks:
        return blocks.read_all()


def read_raw(path: FilePath, *, most: int) -> bytes:
    """Return the decompressed bytes of a file unchanged.

    Raises
    ------
    InputError
        If it cannot be read or decompressed, or has more than `most` bytes.
    """
    with open_bytes(path) as stream:
        try:
            content = stream.read(most + 1)
        except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
            raise _cannot_read(path, error) from None
    if len(content) > most:
        raise InputError(f"the file has more than {most} bytes", path=path)
    return bytes(content)


def has_forbidden(block: bytes) -> bool:
    """Return whether a block has a character that splits fields or lines in some programs only."""
    return any(character in block for character in _FORBIDDEN)


def data_lines(
    block: bytes, *, path: FilePath, first_line: int = 1
) -> tuple[list[int], list[bytes]]:
    """Return the data lines of a block, with their numbers.

    Blank lines and lines whose first character is `#` are ignored.

    Raises
    ------
    InputError
        At a line with a character that ends a field or a line for some programs only, or with a
        byte-order mark at its start, as in concatenated files.
    """
    lines = block.split(b"\n")
    if block.startswith(BOM) or b"\n" + BOM in block:
        for number, line in enumerate(lines, start=first_line):
            if line.startswith(BOM):
                raise InputError(
                    f"a byte-order mark precedes {quoted(line.removeprefix(BOM))}; "
                    "expected it only at the beginning of the file",
                    path=path,
                    line=number,
                )
    if has_forbidden(block):
        for number, line in enumerate(lines, start=first_line):
            for character in _FORBIDDEN:
                if character in line:
                    raise InputError(
                        f"the line contains the control character {character!r:.8}: "
                        f"{quoted(line)}; expected fields separated by spaces or tabs",
                        path=path,
                        line=number,
                    )
    numbers = [
        number
        for number, line in enumerate(lines, start=first_line)
        if line and not line.startswith(b"#") and not line.isspace()
    ]
    if len(numbers) == len(lines):
        return numbers, lines
    return numbers, [lines[number - first_line] for number in numbers]


def in_order_of_lines(parse: Callable[[bytes], T], block: bytes, *, first_line: int = 1) -> T:
    """Apply a function to a block; if several lines have errors, raise the first line's error.

    A function that checks column by column may find an error on a later line first. After an error,
    the function is therefore called again on the lines above the error.
    """
    first: InputError | None = None
    while True:
        try:
            result = parse(block)
        except InputError as error:
            if error.line is None:
                raise
            first = error
            block = b"\n".join(block.split(b"\n")[: error.line - first_line])
        else:
            if first is not None:
                raise first
            return result


def decode_fields(
    fields: list[bytes], numbers: list[int], *, path: FilePath, what: str
) -> list[str]:
    """Decode fields as text.

    Raises
    ------
    InputError
        At a field that is not UTF-8.
    """
    try:
        # One call for all fields: they contain no newline, so newlines can join them.
        return b"\n".join(fields).decode("utf-8").split("\n") if fields else []
    except UnicodeDecodeError:
        for number, field in zip(numbers, fields, strict=True):
            try:
                field.decode("utf-8")
            except UnicodeDecodeError:
                raise InputError(
                    f"the {what} {quoted(field)} is not UTF-8", path=path, line=number
                ) from None
        raise


def text_stream(path: FilePath) -> io.StringIO:
    """Read the whole file as text with LF at line ends.

    Raises
    ------
    InputError
        If the file cannot be read or a line is not UTF-8.
    """
    content = read_bytes(path)
    try:
        return io.StringIO(content.decode("utf-8"), newline="\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        shown = quoted(content.split(b"\n")[line - 1])
        raise InputError(f"the line is not UTF-8: {shown}", path=path, line=line) from None


def _cannot_read(path: FilePath, error: Exception) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError("no such file", path=path)
    if isinstance(error, IsADirectoryError):
        return InputError("this is a folder; expected a file", path=path)
    if isinstance(error, PermissionError):
        return InputError("cannot be read: permission denied", path=path)
    reason: Any = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return InputError(f"cannot be read or decompressed: {reason}", path=path)
