"""Checks of a question's arguments against its signature, with errors in one line."""

from __future__ import annotations

import numbers
import operator
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from typing import Any, Literal, Union, get_args, get_origin

from qrelsmith.base.errors import UnknownNameError, UsageError, quoted
from qrelsmith.base.options import Option

_UNIONS = (Union, types.UnionType)
_WORDS = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "text",
    types.NoneType: "None",
}


def checked_argument(keyword: str, value: Any, kind: Any, option: Option | None = None) -> Any:
    """Check and convert an argument; a string for a list of names becomes a list of one name.

    Text is parsed if the option has a parser.

    Iterators are read here, so that a question can be repeated.

    Raises
    ------
    UnknownNameError
        If the value is not one of the choices.
    UsageError
        If the type is wrong.

    >>> from collections.abc import Collection
    >>> checked_argument("bronze", "crowd", Collection[str])
    ('crowd',)
    """
    if isinstance(value, Iterator) and not hasattr(value, "read"):
        value = tuple(value)
    if option is not None and option.read is not None and isinstance(value, str):
        return option.read(value)
    if fits(value, kind):
        if option is not None:
            _check_option(keyword, value, option)
        return value
    if isinstance(value, str) and fits((value,), kind):
        return (value,)
    choices = [word for each in alternatives(kind) for word in _choices(each)]
    if choices and isinstance(value, str):
        raise UnknownNameError(f"value of {keyword}", value, choices)
    is_plain = isinstance(value, str | int | float) or value is None
    shown = repr(value) if is_plain and not isinstance(value, str) else quoted(value)
    raise UsageError(
        f"{keyword} is {shown if is_plain else 'of type ' + type(value).__name__};"
        f" expected {' or '.join(dict.fromkeys(map(_describe, alternatives(kind))))}"
    )


def _check_option(keyword: str, value: Any, option: Option) -> None:
    """Reject values that are not choices of an option, or are outside its bounds."""
    for each in value if isinstance(value, list | tuple) else (value,):
        if isinstance(each, str) and option.chosen_from and each not in option.chosen_from:
            raise UnknownNameError(f"value of {keyword}", each, option.chosen_from)
        if isinstance(each, int | float) and not isinstance(each, bool):
            _check_bounds(keyword, each, option)


def _check_bounds(keyword: str, value: float, option: Option) -> None:
    bounds = (
        (option.least, operator.ge, "{:g} or more"),
        (option.most, operator.le, "{:g} or less"),
        (option.above, operator.gt, "more than {:g}"),
        (option.below, operator.lt, "less than {:g}"),
    )
    for bound, holds, words in bounds:
        if bound is not None and not holds(value, bound):
            raise UsageError(f"{keyword} is {value}; expected {words.format(bound)}")


def fits(value: Any, kind: Any) -> bool:
    """Return whether a value has the given type, as far as this can be checked."""
    origin = get_origin(kind)
    if kind is Any or isinstance(kind, str):
        return True
    if origin in _UNIONS:
        return any(fits(value, each) for each in get_args(kind))
    if origin is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if kind is bool:
        return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")
    if kind in (int, float):
        number = numbers.Integral if kind is int else numbers.Real
        return isinstance(value, number) and not isinstance(value, bool)
    if getattr(kind, "_is_protocol", False):
        return all(hasattr(value, name) for name in vars(kind) if not name.startswith("_"))
    if origin is None:
        return not isinstance(kind, type) or isinstance(value, kind)
    if _is_array(origin):
        return isinstance(value, origin) and value.dtype.kind in "biuf"
    if issubclass(origin, PathLike | Mapping) or not issubclass(origin, Iterable):
        return isinstance(value, origin)
    return _is_filled(value, origin, get_args(kind))


def _is_filled(value: Any, origin: type, kinds: tuple[Any, ...]) -> bool:
    """Return whether a value is a collection with items of a type; strings are no collections."""
    if isinstance(value, str | Mapping | PathLike) or not isinstance(value, Iterable):
        return False
    if issubclass(origin, tuple) and len(value) != len(kinds):  # type: ignore[arg-type]
        return False
    has_columns = hasattr(value, "columns") or hasattr(value, "column_names")
    return has_columns is False and all(fits(item, kinds[0]) for item in value)


def evaluate_annotation(annotation: Any, names: Mapping[str, Any]) -> Any:
    """Evaluate an annotation as a type; `Any` if it has names that exist only for type checkers."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(names))  # noqa: S307 - own source code
    except NameError:  # a name for type checkers only
        return Any


def alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the single type."""
    return get_args(kind) if get_origin(kind) in _UNIONS else (kind,)


def _is_array(origin: Any) -> bool:
    """Return whether a type is numpy's array, without importing numpy."""
    return (origin.__module__, origin.__name__) == ("numpy", "ndarray")


def _choices(kind: Any) -> tuple[str, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def _describe(kind: Any) -> str:
    origin = get_origin(kind)
    if origin is Literal:
        return "one of " + ", ".join(get_args(kind))
    if kind in _WORDS:
        return _WORDS[kind]
    if origin is None:
        name = getattr(kind, "__name__", str(kind))
        is_public = getattr(kind, "__module__", "") == "qrelsmith.base.scales"
        return f"a {name} ({name}.parse reads text)" if is_public else name
    if _is_array(origin):
        return "an array of numbers"
    if issubclass(origin, PathLike):
        return "a path"
    if issubclass(origin, Mapping):
        return "a mapping"
    if issubclass(origin, Iterable):
        return "several of " + " or ".join(map(_describe, alternatives(get_args(kind)[0])))
    return "a function" if issubclass(origin, Callable) else str(kind)  # type: ignore[arg-type]
