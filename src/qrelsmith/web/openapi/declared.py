"""Dataclasses whose fields declare the schemas of what clients send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields
from typing import Any

from qrelsmith.web.openapi.composites import Fields, Items
from qrelsmith.web.openapi.schemas import Number, Schema, Whole

_SCHEMA, _NAME = "schema", "name"


def declare(schema: Schema, default: Any = MISSING, *, name: str = "", **others: Any) -> Any:
    """Declare a field of a dataclass with its schema; `name` is the field's name for clients."""
    return field(default=default, metadata={_SCHEMA: schema, _NAME: name}, **others)


def declared_schemas(data: type) -> dict[str, Schema]:
    """Return the declared schemas, by the clients' names of the fields."""
    return {name_of(each): each.metadata[_SCHEMA] for each in fields(data) if each.metadata}


def object_of(data: type, name: str, about: str) -> Fields:
    """Return the schema of an object with the declared fields; defaults make fields optional."""
    optional = frozenset(name_of(each) for each in fields(data) if not is_needed(each))
    return Fields(name, declared_schemas(data), about, optional)


def values_of(data: type, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the declared fields from a checked body."""
    return {
        each.name: python_value(each.metadata[_SCHEMA], body[name_of(each)])
        for each in fields(data)
        if each.metadata and name_of(each) in body
    }


def python_value(schema: Schema, value: Any) -> Any:
    """Convert the numbers in a JSON value to int or float, as declared by the schema."""
    if isinstance(schema, Whole):
        return int(value)
    if isinstance(schema, Items):
        return [python_value(schema.each, item) for item in value]
    if isinstance(schema, Fields):
        return {key: python_value(schema.of[key], inner) for key, inner in value.items()}
    return float(value) if isinstance(schema, Number) else value


def name_of(each: Field[Any]) -> str:
    """Return a field's name for clients."""
    return each.metadata.get(_NAME) or each.name


def is_needed(each: Field[Any]) -> bool:
    """Return whether a field has no default."""
    return each.default is MISSING and each.default_factory is MISSING
