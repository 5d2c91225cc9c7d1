"""Tables of artefacts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qrelsmith.base.content import NamedTable
from qrelsmith.base.tables import Table


def table_of(
    key: str, title: str, columns: str, rows: Iterable[Sequence[Any]], note: str = ""
) -> NamedTable:
    """Return a table of an artefact; `columns` contains names separated by vertical bars."""
    return NamedTable(key, title, Table.of(tuple(columns.split("|")), list(rows)), note)
