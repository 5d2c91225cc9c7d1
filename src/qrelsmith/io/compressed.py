"""Readers of compressed files that check every member and limit the decompressed size."""

from __future__ import annotations

import bz2
import io
import lzma
import os
import zlib
from collections.abc import Callable
from typing import IO, Any

from qrelsmith.io import sizes
from qrelsmith.io.limits import beyond, most_bytes, most_lines


class GzipDecompressor:
    """A decompressor of one gzip stream, with the attributes of `bz2.BZ2Decompressor`."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self._left = b""
        self.needs_input = True

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        """The bytes after the stream."""
        return self._inner.unused_data

    def decompress(self, block: bytes, most: int) -> bytes:
        """Return up to `most` more bytes."""
        data = self._inner.decompress(self._left + block, most)
        self._left = self._inner.unconsumed_tail
        self.needs_input = not self._left and len(data) < most
        return data


class Members(io.RawIOBase):
    """The decompressed bytes of a file of concatenated compressed streams.

    Python's own readers of bzip2 and xz ignore a damaged later stream. A read never returns more
    bytes than requested, even if the compressed data is small.

    Parameters
    ----------
    raw : binary file
        The file, at its first byte.
    start : callable
        Creates a decompressor: that of `bz2` or `lzma`, or `GzipDecompressor`.
    """

    def __init__(
        self,
        raw: IO[bytes],
        start: Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor | GzipDecompressor],
    ) -> None:
        self._raw = raw
        self._start = start
        self._current = start()
        self._is_begun = False
        self._rest = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer, and return the number of bytes read; 0 at the end of the file.

        Raises
        ------
        EOFError
            If the last stream is truncated.
        OSError, lzma.LZMAError, zlib.error
            If a stream is damaged.
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
                block = self._raw.read(sizes.PACKED)
                if not block:
                    raise EOFError("the last compressed stream is truncated")
            data = self._current.decompress(block, len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)

    def _first_block(self) -> bytes:
        """Return the first bytes of a stream; empty at the end of the file."""
        while block := self._rest or self._raw.read(sizes.PACKED):
            self._rest = b""
            if self._start is not bz2.BZ2Decompressor:
                # The streams of xz and gzip may be padded with zeros.
                block = block.lstrip(b"\0")
            if block:
                return block
        return b""


class Limited(io.RawIOBase):
    """Decompressed bytes, limited by the size of the file.

    Parameters
    ----------
    stream : binary file
        The decompressing stream.
    path : path
        The file.
    """

    def __init__(self, stream: IO[bytes], path: str | os.PathLike[str]) -> None:
        self._stream = stream
        self._path = path
        self._bytes, self._lines = most_bytes(path), most_lines(path)
        self._read_bytes = self._read_lines = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer, and return the number of bytes read; 0 at the end of the file.

        Raises
        ------
        InputError
            If the file has more bytes or lines than its compressed size allows.
        """
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self._read_bytes += len(data)
        self._read_lines += data.count(b"\n")
        if self._read_bytes > self._bytes:
            raise beyond(self._path, f"the file has more than {self._bytes:.0f} bytes")
        if self._read_lines > self._lines:
            raise beyond(self._path, f"the file has more than {self._lines:.0f} lines")
        return len(data)


def unpack(content: bytes, *, most: int) -> bytes:
    """Return the content of gzip streams, truncated after `most` + 1 bytes.

    Raises
    ------
    EOFError, zlib.error
        If a stream is truncated or damaged.
    """
    return io.BufferedReader(Members(io.BytesIO(content), GzipDecompressor)).read(most + 1)
