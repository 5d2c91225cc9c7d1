"""Docs: JSONL, a folder of .html and .txt files, or WARC; read one after the other.

A doc is told from a changed one by the SHA-256 of what assessors see of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from qrelsmith.data.text import FilePath, open_bytes
from qrelsmith.errors import InputError, UsageError, quoted

FORMS = ("text", "html")
# Larger ones no browser shows with ease, and no assessor reads.
LARGEST = 20_000_000


@dataclass(frozen=True, slots=True)
class Document:
    """A doc as it was read.

    Attributes
    ----------
    doc_id : str
        Its id: opaque text without blanks and control characters.
    form : {'text', 'html'}
        What `content` is.
    content : str
        The text or the HTML.
    title : str
        What lists call it; may be empty.
    url : str
        Where it comes from; may be empty.
    """

    doc_id: str
    form: str
    content: str
    title: str = ""
    url: str = ""

    def __post_init__(self) -> None:
        if not self.doc_id or any(c.isspace() or not c.isprintable() for c in self.doc_id):
            raise UsageError(
                f"the doc is {quoted(self.doc_id)}; expected an id without blanks and control"
                " characters"
            )
        if self.form not in FORMS:
            raise UsageError(f"the form is {quoted(self.form)}; expected one of {', '.join(FORMS)}")
        if len(self.content) > LARGEST:
            raise UsageError(f"the doc {quoted(self.doc_id)} has more than {LARGEST} characters")

    @property
    def sha256(self) -> str:
        """The digest of form, title and content, each with its length before it."""
        digest = hashlib.sha256()
        for part in (self.form, self.title, self.content):
            raw = part.encode("utf-8")
            digest.update(f"{len(raw)}\n".encode())
            digest.update(raw)
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """Where a doc stands, for errors.

    Attributes
    ----------
    path : path
        The file.
    line : int or None
        Its line, where the file has lines.
    """

    path: FilePath
    line: int | None = None

    def fault(self, problem: str) -> InputError:
        """The error to raise for a problem with the doc that stands here."""
        return InputError(problem, path=self.path, line=self.line)


def read_documents(source: FilePath | Any) -> Iterator[Document]:
    """The docs of a file, a folder, {doc: text}, {doc: {field: text}} or a data frame, in order.

    Files are JSONL, WARC, or a folder of .html and .txt. Fields and columns are doc_id (docno), and
    text or html, title and url; others are passed over.

    Raises
    ------
    InputError
        At the first doc that is not as it should be, or if the path says no form that is known.
    UsageError
        If the id of a mapping or a frame is no text, or it is neither.
    MissingDependencyError
        If it is WARC and warcio is not installed.

    Examples
    --------
    >>> [doc.content for doc in read_documents({"d1": "Quicksort sorts in place."})]
    ['Quicksort sorts in place.']
    """
    if isinstance(source, str | PathLike):
        return (document for _, document in located_documents(source))
    from qrelsmith.data.given_documents import given_documents

    return given_documents(source)


def located_documents(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    """The docs of a file or a folder, in its order; a doc that comes twice is left to the caller.

    Raises
    ------
    InputError
        At the first doc that is not as it should be, or if the path says no form that is known.
    MissingDependencyError
        If it is WARC and warcio is not installed.
    """
    return _reader(Path(path))(path)


def roughly(path: FilePath) -> int:
    """About how many docs a file or a folder holds, to show how far a reader is; 0 if unknown."""
    place = Path(path)
    if place.is_dir():
        return sum(1 for file in place.rglob("*") if file.is_file())
    if ".warc" in place.name.lower() or not place.is_file():
        return 0
    with open_bytes(path) as stream:
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))


def _reader(path: Path) -> Callable[[FilePath], Iterator[tuple[DocumentPlace, Document]]]:
    """The function that reads what stands at a path."""
    if path.is_dir():
        from qrelsmith.data.document_folders import read_document_folder

        return read_document_folder
    name = path.name.lower()
    for suffix in (".gz", ".bz2", ".xz", ".zst"):
        name = name.removesuffix(suffix)
    if name.endswith((".jsonl", ".ndjson")):
        from qrelsmith.data.document_lines import read_document_lines

        return read_document_lines
    if name.endswith(".warc"):
        from qrelsmith.data.document_archives import read_document_archive

        return read_document_archive
    raise InputError(
        "the name says no form of docs; expected .jsonl, .warc, or a folder of .html and .txt",
        path=path,
    )
