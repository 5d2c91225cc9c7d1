"""The beginning of a file, for format detection, and the kinds of content."""

from __future__ import annotations

import lzma
import zlib
from typing import Literal

from qrelsmith.base.errors import InputError
from qrelsmith.io.text import BOM, FilePath, is_regular, open_bytes

Kind = Literal["qrels", "runs", "topics", "documents", "judgments", "answers", "aspects"]
KINDS: tuple[Kind, ...] = (
    "qrels", "runs", "topics", "documents", "judgments", "answers", "aspects",
)  # fmt: skip

_HEAD = 1 << 16


def first_line(path: FilePath) -> bytes:
    """Return the first line that is not blank; empty if there is none or the file is unreadable."""
    return head(path).lstrip().split(b"\n", 1)[0]


def head(path: FilePath) -> bytes:
    """Return the first 64 KiB of a file, decompressed; empty for an unreadable file or a pipe."""
    if not is_regular(path):
        return b""
    try:
        with open_bytes(path) as stream:
            return stream.read(_HEAD).removeprefix(BOM)
    except (InputError, EOFError, OSError, zlib.error, lzma.LZMAError):
        return b""
