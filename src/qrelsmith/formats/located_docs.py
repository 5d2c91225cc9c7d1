"""Docs of a file with their places, each of which stands there once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qrelsmith.base.errors import quoted
from qrelsmith.collection.document import Document, DocumentPlace


def docs_once(located: Iterable[tuple[DocumentPlace, Document]]) -> Iterator[Document]:
    """The docs one after the other.

    Raises
    ------
    InputError
        At the first one that stood there before.
    """
    lines: dict[str, int | None] = {}
    for place, doc in located:
        if doc.doc_id in lines:
            raise place.fault(
                f"doc {quoted(doc.doc_id)} stands twice (first on line {lines[doc.doc_id]});"
                " expected every doc once"
            )
        lines[doc.doc_id] = place.line
        yield doc
