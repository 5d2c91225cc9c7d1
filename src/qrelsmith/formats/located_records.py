"""Docs and topics of a file with their positions, without duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from qrelsmith.base.errors import quoted
from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.collection.topics import Topic

T = TypeVar("T", bound=Document | Topic)


def unique_records(located: Iterable[tuple[DocumentPlace, T]]) -> Iterator[T]:
    """Yield the docs or topics in order.

    Raises
    ------
    InputError
        At the first duplicate.
    """
    lines: dict[str, int | None] = {}
    for place, record in located:
        name = record.doc_id if isinstance(record, Document) else record.topic
        if name in lines:
            what = "doc" if isinstance(record, Document) else "topic"
            first = "" if lines[name] is None else f" (first on line {lines[name]})"
            raise place.fault(
                f"the {what} {quoted(name)} appears twice{first}; expected every {what} once"
            )
        lines[name] = place.line
        yield record
