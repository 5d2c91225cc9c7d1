"""Docs as JSONL: an object a line with `doc_id`, `text` or `html`, and `title`, `url`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping

from qrelsmith.base.errors import InputWarning, UsageError
from qrelsmith.collection.document import LARGEST, Document, DocumentPlace
from qrelsmith.io import sizes
from qrelsmith.io.format_marks import naming_format
from qrelsmith.io.json_lines import json_objects
from qrelsmith.io.text import FilePath, LineBlocks

NAMES = ("doc_id", "text", "html", "title", "url")
# JSON may write a character with six, and a small compressed file may hold a line without end.
_LONGEST = 6 * LARGEST + (1 << 20)


def read_document_lines(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    """The docs of a JSONL file; keys that are not known are passed over and told in a warning.

    Raises
    ------
    InputError
        At a line that is no JSON object, has no doc_id, not one of text and html, or is too long.
    """
    others: set[str] = set()
    first = 1
    with naming_format("documents"), LineBlocks(path, longest=_LONGEST) as blocks:
        while block := blocks.read(sizes.TEXT_BLOCK):
            text = _text(block, path, first)
            for line, fields in json_objects(text, path=path, first=first, texts=NAMES):
                others.update(fields.keys() - set(NAMES))
                place = DocumentPlace(path, line)
                yield place, document_of(fields, place)
            first += block.count(b"\n")
    if others:
        warnings.warn(
            f"{path}: keys that are not known are passed over: {', '.join(sorted(others))}",
            InputWarning,
            stacklevel=2,
        )


def _text(block: bytes, path: FilePath, first: int) -> str:
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first + block.count(b"\n", 0, error.start)
        raise DocumentPlace(path, line).fault("the line is not UTF-8") from None


def document_of(fields: Mapping[str, str | None], place: DocumentPlace) -> Document:
    """The doc of a record, of which exactly one of text and html is there."""
    forms = [form for form in ("text", "html") if fields.get(form) is not None]
    if len(forms) != 1:
        found = "text and html" if forms else "neither text nor html"
        raise place.fault(f"the doc has {found}; expected one of them")
    if fields.get("doc_id") is None:
        raise place.fault("the doc has no doc_id; expected doc_id and text or html")
    try:
        return Document(
            doc_id=fields.get("doc_id") or "",
            form=forms[0],
            content=fields[forms[0]] or "",
            title=fields.get("title") or "",
            url=fields.get("url") or "",
        )
    except UsageError as error:
        raise place.fault(str(error)) from None
