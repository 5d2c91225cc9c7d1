"""Options and inputs of a question as arguments of its command."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from os import PathLike, fspath
from typing import Any

# Attributes of data in memory: a DataFrame, an array, qrels, runs, or a result.
_DATA = ("columns", "column_names", "shape", "digest", "table")

# Options whose values are, on the command line, the lines of a file.
_OF_FILES = ("teams", "topic_set")


def command_words(keyword: str, flag: str, value: Any, *, joined: bool = False) -> list[str]:
    """Return an option as command-line arguments.

    If there are several values, the option is repeated, or the values are joined by colons. Only
    strings, numbers, paths and lists of these can be arguments. Any other object, such as a
    DataFrame, is replaced by its keyword in capitals, a placeholder for a file.

    >>> command_words("label_set", "--label-set", ("gold", "crowd"))
    ['--label-set', 'gold', '--label-set', 'crowd']
    >>> command_words("cuts", "--cuts", [0.5, 2.0], joined=True)
    ['--cuts', '0.5:2.0']
    """
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if _is_data(value) or (keyword in _OF_FILES and not isinstance(value, str | PathLike)):
        return [flag, keyword.upper()]
    if isinstance(value, str):
        return [flag, value]
    if isinstance(value, PathLike):
        return [flag, str(fspath(value))]
    if isinstance(value, Mapping):
        return [flag, ",".join(f"{key}={of}" for key, of in value.items())]
    if isinstance(value, Collection):
        values = sorted(value, key=str) if isinstance(value, Set) else list(value)
        if joined:
            return [flag, ":".join(map(str, values))]
        return [word for item in values for word in command_words(keyword, flag, item)]
    return [flag, str(value)]


def _is_data(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(_is_data(of) or isinstance(of, Collection) for of in _but_text(value.values()))
    if isinstance(value, list | tuple):
        return any(_is_data(item) for item in value)
    return any(hasattr(type(value), name) for name in _DATA)


def _but_text(values: Collection[Any]) -> list[Any]:
    return [value for value in values if not isinstance(value, str)]
