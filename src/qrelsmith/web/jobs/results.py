"""Results of jobs as text: dataclasses of numbers, strings, times, and collections of these."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

Shape = TypeVar("Shape")


def result_text(value: object) -> str:
    """Serialise a dataclass as text."""
    return json.dumps(_plain(value))


def read_result(text: str, shape: type[Shape]) -> Shape:
    """Restore a dataclass from its text."""
    value: Shape = _value(json.loads(text), shape)
    return value


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        return value.item()
    return value.isoformat() if isinstance(value, datetime) else value


def _value(value: Any, shape: Any) -> Any:
    """Convert a value from JSON to its type."""
    origin, inner = get_origin(shape), get_args(shape)
    if origin in (Union, UnionType):
        (shape,) = (item for item in inner if item is not NoneType)
        return None if value is None else _value(value, shape)
    if isinstance(shape, type) and is_dataclass(shape):
        hints = get_type_hints(shape)
        return shape(**{name: _value(item, hints[name]) for name, item in value.items()})
    if origin is tuple and inner[-1] is not Ellipsis:
        return tuple(_value(item, part) for item, part in zip(value, inner, strict=True))
    if origin is not None and issubclass(origin, Mapping):
        return {key: _value(item, inner[1]) for key, item in value.items()}
    if origin is not None and issubclass(origin, Sequence):
        return [_value(item, inner[0]) for item in value]
    return datetime.fromisoformat(value) if shape is datetime else value
