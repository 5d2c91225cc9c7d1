"""Conversion of rows with named fields, as in ir_datasets and ir_measures, to columns.

Neither package is imported: a row is an object whose `_fields`, as in named tuples, include
`query_id` or `doc_id`. Iterators can be read only once, so questions convert their inputs to
columns first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import Any

from qrelsmith.base.errors import UsageError

# Other named tuples, such as the answers of crowd workers, are unchanged.
_IDS = frozenset({"query_id", "doc_id"})


def are_rows(values: object) -> bool:
    """Return whether an object is a list of rows with fields of topics or docs."""
    return isinstance(values, list | tuple) and bool(values) and _is_row(values[0])


def _is_row(value: object) -> bool:
    return not _IDS.isdisjoint(getattr(value, "_fields", ()))


def columns_of_rows(source: Any) -> Any:
    """Convert rows with named fields to {field: values}; return other objects unchanged.

    An iterator of other objects becomes a list, and each value of a mapping {name: rows} is
    converted.

    Raises
    ------
    UsageError
        If the fields of a row differ from those of the first.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> class Qrel(NamedTuple):
    ...     query_id: str
    ...     doc_id: str
    ...     relevance: int
    >>> columns_of_rows(iter([Qrel("1", "a", 2), Qrel("1", "b", 0)]))
    {'query_id': ['1', '1'], 'doc_id': ['a', 'b'], 'relevance': [2, 0]}
    """
    if isinstance(source, Mapping):
        within = {
            name: value if isinstance(value, Mapping) else columns_of_rows(value)
            for name, value in source.items()
        }
        return within if any(within[name] is not source[name] for name in within) else source
    if isinstance(source, str | bytes | PathLike | tuple) and not are_rows(source):
        return source
    if hasattr(type(source), "columns") or not isinstance(source, Iterable):
        return source
    if isinstance(source, Iterator):
        source = list(source)
    if not _is_row(next(iter(source), None)):
        return source
    rows = list(source)
    names = rows[0]._fields
    for number, row in enumerate(rows, start=1):
        if getattr(row, "_fields", None) != names:
            raise UsageError(
                f"row {number} has different fields from the first row; expected {' '.join(names)}"
            )
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}
