"""How files of other programs begin, so that a reader that meets one can say what it is."""

from __future__ import annotations

import lzma
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from qrelsmith.base.errors import InputError
from qrelsmith.io.text import BOM, FilePath, is_regular, open_bytes

Kind = Literal["qrels", "runs", "topics", "documents", "judgments"]

_ALL: tuple[Kind, ...] = ("qrels", "runs", "topics", "documents", "judgments")
_LABELS: tuple[Kind, ...] = ("qrels", "judgments")
_TEXTS: tuple[Kind, ...] = ("topics", "documents")
# Format, kinds, and what the first line that is not blank looks like.
_MARKS: tuple[tuple[str, tuple[Kind, ...], bytes], ...] = (
    ("parquet", _ALL, rb"PAR1.*"),
    ("beir", ("qrels",), rb"query-id\tcorpus-id\tscore\s*"),
    ("beir", _TEXTS, rb'\{.*"_id":.*'),
    ("umbrela", _LABELS, rb'\{.*"judgment":.*'),
    ("label-studio", _LABELS, rb"\[\s*(\{.*)?"),
    ("quepid", _LABELS, rb'"?query"?,"?docid"?,"?rating"?\s*'),
    ("jsonl", ("qrels",), rb'\{.*"(relevance|label|grade)":.*'),
    ("jsonl", ("runs",), rb'\{.*"score":.*'),
    ("msmarco", ("runs",), rb"\S+\t\S+\t[1-9][0-9]*\s*"),
    ("msmarco", ("documents",), rb"\S+\t[^\t]+(\t[^\t]*\t[^\t]*)?"),
)
_HEAD = 1 << 16
# No blank on the line: qrels and runs have two and more.
_COMMAS = re.compile(rb"[^\s,]+(,[^\s,]*){2,}\s*")


def format_of_file(path: FilePath, kind: Kind) -> str | None:
    """The format of another program that a file begins like, None if it is none of these.

    A file that cannot be read is none: whoever reads it says why.
    """
    line = first_line(path)
    for name, kinds, mark in _MARKS:
        if kind in kinds and re.fullmatch(mark, line, re.DOTALL):
            return name
    return None


def first_line(path: FilePath) -> bytes:
    """The first line that is not blank; empty if there is none or it cannot be read."""
    return head(path).lstrip().split(b"\n", 1)[0]


def head(path: FilePath) -> bytes:
    """The first 64 KiB of a file, decompressed; empty if it cannot be read, or not twice."""
    if not is_regular(path):
        return b""
    try:
        with open_bytes(path) as stream:
            return stream.read(_HEAD).removeprefix(BOM)
    except (InputError, EOFError, OSError, zlib.error, lzma.LZMAError):
        return b""


@contextmanager
def naming_format(kind: Kind) -> Iterator[None]:
    """An error of the block names the command that reads its file, if another program wrote it."""
    try:
        yield
    except InputError as error:
        raise _with_format(error, kind) from None


def _with_format(error: InputError, kind: Kind) -> InputError:
    name = None if error.path is None else format_of_file(error.path, kind)
    if name is None:
        if error.path is None or kind not in ("qrels", "runs"):
            return error
        if not _COMMAS.fullmatch(first_line(error.path)):
            return error
        hint = "; its fields are parted by commas, expected blanks"
        return InputError(error.problem + hint, path=error.path, line=error.line)
    target = "jsonl" if kind in ("topics", "documents", "judgments") else "trec"
    command = f"qrelsmith convert {error.path} OUT --kind {kind} --from {name} --to {target}"
    return InputError(
        f"{error.problem}; it looks like {name}: {command}", path=error.path, line=error.line
    )
