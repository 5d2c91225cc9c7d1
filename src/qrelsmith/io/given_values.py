"""Checks of values from Python objects: ids must be text, and numbers must be finite."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from os import PathLike
from pathlib import PurePath
from typing import Any

import numpy as np

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.named_rows import are_rows
from qrelsmith.io.text import FilePath

_SHOWN = 6  # columns or keys of an object that an error names


def id_text(value: object, what: str) -> str:
    """Return an id unchanged.

    Raises
    ------
    UsageError
        If it is not text: as a number, 001 would have become 1.
    """
    if not isinstance(value, str):
        raise UsageError(
            f"the {what} {quoted(value)} is of type {type(value).__name__}; expected "
            "ids as text, because numbers lose leading zeros"
        )
    return value


def as_path(source: object, what: str) -> FilePath:
    """Return a path unchanged.

    Raises
    ------
    UsageError
        If it is not a path.
    """
    if not isinstance(source, str | PathLike):
        raise UsageError(f"expected {what}; found {describe(source)}")
    return source


def is_finite_number(value: object) -> bool:
    """Return whether a value is a finite number and not a Boolean."""
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
    return is_number and math.isfinite(value)  # type: ignore[arg-type]


def is_frame(source: object) -> bool:
    """Return whether an object has columns: a DataFrame, a pyarrow table or a dict of lists."""
    if isinstance(source, Mapping):
        return bool(source) and all(_is_column(values) for values in source.values())
    # A result offers its table's columns for one minor version; its type does not have them.
    return hasattr(type(source), "columns") and not isinstance(source, type)


def is_nested(source: object) -> bool:
    """Return whether an object is {topic: {doc: number}}."""
    return isinstance(source, Mapping) and all(
        isinstance(docs, Mapping)
        and not any(isinstance(value, Mapping) or _is_column(value) for value in docs.values())
        for docs in source.values()
    )


def describe(source: object) -> str:
    """Describe the kind of an object in a few words, for an error.

    >>> describe({"t1": 2})
    'dict of int (keys: t1)'
    """
    kind = type(source).__name__
    if isinstance(source, str | PurePath):
        return f"the path {quoted(source)}"
    if isinstance(source, Mapping):
        return (
            f"{_contents_text(kind, source.values())} (keys: {_first_names(source)})"
            if source
            else "no entry"
        )
    if isinstance(source, list | tuple | set | frozenset):
        return _contents_text(kind, source) if source else f"an empty {kind}"
    if is_frame(source):
        names: Any = getattr(source, "column_names", None) or source.columns  # type: ignore[attr-defined]
        return f"{kind} with the columns {_first_names(names)}"
    return kind


def _contents_text(kind: str, values: Any) -> str:
    kinds = dict.fromkeys(type(value).__name__ for value in values)
    return f"{kind} of {' and '.join(list(kinds)[:2])}"


def _first_names(names: Any) -> str:
    listed = [str(name) for name in names]
    return ", ".join(listed[:_SHOWN]) + (", …" if len(listed) > _SHOWN else "")


def _is_column(values: object) -> bool:
    """Return whether an object can be a column: a list, an array, or a data frame's series."""
    if isinstance(values, list | tuple | np.ndarray):
        return not are_rows(values)
    has_list = hasattr(values, "to_list") or hasattr(values, "to_pylist")
    return has_list and not hasattr(values, "columns")
