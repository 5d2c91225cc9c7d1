"""Docs, read one by one from JSONL, a table, TREC's `<DOC>`, WARC, or a folder of files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError
from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.collection.document_markup import is_document_markup, read_document_markup
from qrelsmith.forms.reading import current_reading
from qrelsmith.io.format_marks import first_line
from qrelsmith.io.text import FilePath, open_bytes

# Forms other than JSONL that a user can name.
_TABLES = ("parquet", "csv", "tsv", "json", "msmarco")
_PAGES = {".html", ".htm", ".txt"}


def read_documents(source: FilePath | Any) -> Iterator[Document]:
    """Return docs of a file, a folder, {doc: text}, {doc: {field: text}} or a data frame, in order.

    A path names a file (JSONL, CSV, TSV, Parquet, WARC or TREC's `<DOC>`) or a folder. Fields and
    columns are doc_id (docno, …), text or html, title and url; other fields are ignored.

    Raises
    ------
    InputError
        If a doc is malformed, or the format of the path is unknown.
    UsageError
        If an id in a mapping or a frame is not text, or the type of the source is unknown.
    MissingDependencyError
        If the file is in WARC and warcio is not installed.

    Examples
    --------
    >>> [doc.content for doc in read_documents({"d1": "Quicksort sorts in place."})]
    ['Quicksort sorts in place.']
    """
    if isinstance(source, str | PathLike):
        return (document for _, document in located_documents(source))
    from qrelsmith.collection.given_documents import documents_of

    return documents_of(source)


def located_documents(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    """Yield the docs of a file or folder in order; the caller handles repeated ids.

    Raises
    ------
    InputError
        If a doc is malformed, or the format of the path is unknown.
    MissingDependencyError
        If the file is in WARC and warcio is not installed.
    """
    return _reader(Path(path))(path)


def roughly(path: FilePath) -> int:
    """Estimate the number of docs in a file or a folder, to show progress; 0 if unknown."""
    place = Path(path)
    if place.is_dir():
        files = sum(1 for file in place.rglob("*") if file.is_file())
        return 0 if folder_form(path) == "trec" else files
    if ".warc" in place.name.lower() or not place.is_file():
        return 0
    mark = b"</DOC>" if _is_markup(place) else b"\n"
    with open_bytes(path) as stream:
        return sum(block.count(mark) for block in iter(lambda: stream.read(1 << 20), b""))


def _reader(path: Path) -> Callable[[FilePath], Iterator[tuple[DocumentPlace, Document]]]:
    """Return the function that reads the docs of a file or folder."""
    if path.is_dir():
        from qrelsmith.collection.document_folders import read_document_folder

        return read_document_folder
    from qrelsmith.collection.document_tables import read_document_table

    name = path.name.lower()
    for suffix in (".gz", ".bz2", ".xz", ".zst"):
        name = name.removesuffix(suffix)
    begin = first_line(path)
    if name.endswith(".warc") or begin.startswith(b"WARC/"):
        from qrelsmith.collection.document_archives import read_document_archive

        return read_document_archive
    if is_document_markup(begin):
        return read_document_markup
    is_table = begin.startswith((b"PAR1", b"[")) or current_reading().form in _TABLES
    is_lines = name.endswith((".jsonl", ".ndjson")) or begin.rstrip()[-1:] == b"}"
    if is_lines and not is_table:
        from qrelsmith.collection.document_lines import read_document_lines

        return read_document_lines
    if is_table or any(each in begin for each in (b"{", b"\t", b",", b";")):
        return read_document_table
    raise InputError(
        "the file does not contain docs; expected JSONL, CSV, TSV, Parquet, WARC, <DOC>,"
        " or a folder of .html and .txt",
        path=path,
    )


def folder_form(path: FilePath) -> str:
    """Return `trec` or `pages` if all docs of a folder have this form; otherwise ""."""
    files = [file for file in Path(path).rglob("*") if file.is_file() and file.name[0] != "."]
    suffixes = {file.suffix.lower() for file in files}
    if ".html" in suffixes and suffixes <= _PAGES:
        return "pages"
    return "trec" if files and all(map(_is_markup, files)) else ""


def _is_markup(path: Path) -> bool:
    return is_document_markup(first_line(path))
