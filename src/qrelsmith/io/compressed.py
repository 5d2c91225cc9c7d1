"""Compressed files whose every member is accounted for, and which do not become too large."""

from __future__ import annotations

import bz2
import io
import lzma
import os
from collections.abc import Callable
from typing import IO, Any

from qrelsmith.io.limits import beyond, most_bytes, most_lines

_READ = 1 << 14


class Members(io.RawIOBase):
    """The bytes of a file that is one compressed stream after the other.

    Python's own readers of bzip2 and xz pass over a later stream that is damaged.

    Parameters
    ----------
    raw : binary file
        The file, from its first byte on.
    start : callable
        A new decompressor, `bz2.BZ2Decompressor` or `lzma.LZMADecompressor`.
    """

    def __init__(
        self,
        raw: IO[bytes],
        start: Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor],
    ) -> None:
        self._raw = raw
        self._start = start
        self._current = start()
        self._is_begun = False
        self._rest = b""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer as far as the next bytes go; 0 at the end.

        Raises
        ------
        EOFError
            If the last stream is cut off.
        OSError, lzma.LZMAError
            If one is damaged.
        """
        while True:
            if self._current.eof:
                self._rest = self._current.unused_data
                self._current, self._is_begun = self._start(), False
            block = b""
            if not self._is_begun:
                block = self._first_block()
                if not block:
                    return 0
                self._is_begun = True
            elif self._current.needs_input:
                block = self._raw.read(_READ)
                if not block:
                    raise EOFError("the last stream in it is cut off")
            data = self._current.decompress(block, len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)

    def _first_block(self) -> bytes:
        """The first bytes of a stream; empty at the end of the file."""
        while block := self._rest or self._raw.read(_READ):
            self._rest = b""
            if self._start is lzma.LZMADecompressor:
                # Streams of xz may be padded with zeros.
                block = block.lstrip(b"\0")
            if block:
                return block
        return b""


class Limited(io.RawIOBase):
    """Decompressed bytes, as long as they are not too many for the file's size.

    Parameters
    ----------
    stream : binary file
        What decompresses.
    path : path
        The file.
    """

    def __init__(self, stream: IO[bytes], path: str | os.PathLike[str]) -> None:
        self._stream = stream
        self._path = path
        self._bytes, self._lines = most_bytes(path), most_lines(path)
        self._read_bytes = self._read_lines = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer as far as the next bytes go; 0 at the end.

        Raises
        ------
        InputError
            If the file holds more bytes or lines than one of its size may.
        """
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self._read_bytes += len(data)
        self._read_lines += data.count(b"\n")
        if self._read_bytes > self._bytes:
            raise beyond(self._path, f"holds more than {self._bytes:.0f} bytes, too many")
        if self._read_lines > self._lines:
            raise beyond(self._path, f"holds more than {self._lines:.0f} lines, too many")
        return len(data)
