"""Docs from Python objects: mappings and data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from qrelsmith.base.errors import UsageError
from qrelsmith.base.named_rows import columns_of_rows
from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.collection.document_lines import NAMES, document_of
from qrelsmith.collection.frames import cell_text, columns_of, id_cells
from qrelsmith.io.given_values import describe, id_text, is_frame

_IDS = ("doc_id", "docno", "doc")


def documents_of(source: Any) -> Iterator[Document]:
    """Yield the docs of {doc: text}, {doc: {field: text}}, a DataFrame or rows."""
    source = columns_of_rows(source)
    if is_frame(source):
        columns = columns_of(source)
        named = [name for name in _IDS if name in columns]
        if len(named) != 1:
            raise UsageError(
                f"expected one column of doc ids: {', '.join(_IDS)}; found {describe(source)}"
            )
        ids = id_cells(columns[named[0]], named[0])
        fields = [
            {name: columns[name][row] for name in NAMES if name in columns}
            for row in range(len(ids))
        ]
    elif isinstance(source, Mapping):
        ids = [id_text(doc, "doc") for doc in source]
        fields = [
            dict(held) if isinstance(held, Mapping) else {"text": held} for held in source.values()
        ]
    else:
        raise UsageError(
            "expected docs: a path, {doc: text}, {doc: {field: text}} or a data frame; "
            f"found {describe(source)}"
        )
    return (
        _document(doc, held, row)
        for row, (doc, held) in enumerate(zip(ids, fields, strict=True), 1)
    )


def _document(doc: str, held: Mapping[str, object], row: int) -> Document:
    texts = {name: cell_text(value) for name, value in held.items() if value is not None}
    return document_of({**texts, "doc_id": doc}, DocumentPlace("documents", row))
