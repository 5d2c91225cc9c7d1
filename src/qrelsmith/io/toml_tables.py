"""TOML tables declared by dataclasses, whose fields are the keys for reading and writing.

A field's type determines the type of its key: `int`, `float`, `bool`, `str`, words of a `Literal`,
`tuple[str, ...]` or a `Scale`. The type of a field can also be one of these types or None, or a
tuple of such dataclasses (a list of tables). A field without a default is required. The dataclass
itself checks which values are allowed: its `__post_init__` raises a `UsageError` that names the
key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from qrelsmith.base.scales import Scale
from qrelsmith.io.toml_settings import Settings, toml_array, toml_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")


def parse_table(settings: Settings, form: type[Row]) -> Row:
    """Parse a table as a dataclass; missing keys have their defaults.

    Raises
    ------
    InputError
        If a key is unknown or missing, or a value has a wrong type or is not allowed.
    """
    settings.check_keys([field.name for field in fields(form)])
    types = get_type_hints(form)
    values: dict[str, Any] = {}
    for field in fields(form):
        if field.name in settings.values:
            values[field.name] = _read(settings, field.name, types[field.name])
        elif not _has_default(field):
            raise settings.fault(f"the {field.name} is missing")
    with settings.placing():
        return form(**values)


def parse_tables(settings: Settings, form: type[Row]) -> dict[str, Row]:
    """Parse the tables inside a table, by their names; see `parse_table`."""
    return {name: parse_table(settings.table(name), form) for name in settings.values}


def write_table(
    name: str, row: DataclassInstance, *, whole: bool = False, number: Callable[[float], str] = str
) -> str:
    """Format a dataclass as a TOML table, without default values unless `whole` is true."""
    lines = [
        f"{key} = {_rows(value, number) if _is_rows(value) else _value_text(value, number)}\n"
        for key, value in _keys_to_write(row, whole=whole)
    ]
    return f"[{name}]\n" + "".join(lines)


def write_rows(rows: tuple[DataclassInstance, ...], *, number: Callable[[float], str] = str) -> str:
    """Format dataclasses as a list of inline tables, one per line."""
    return _rows(rows, number)


def _read(settings: Settings, key: str, kind: Any) -> Any:
    kinds = [part for part in get_args(kind) if part is not NoneType]
    if NoneType in get_args(kind) and len(kinds) == 1:
        return _read(settings, key, kinds[0])
    if kind is int:
        return settings.get(key, int, "a whole number")
    if kind is float:
        return settings.number(key)
    if kind is bool:
        return settings.truth(key)
    if kind is Scale:
        with settings.placing(key):
            return Scale.parse(settings.text(key))
    if get_origin(kind) is tuple and is_dataclass(kinds[0]):
        form: Any = kinds[0]
        marked_by = fields(form)[0].name
        return tuple(parse_table(row, form) for row in settings.tables(key, marked_by=marked_by))
    return settings.texts(key) if get_origin(kind) is tuple else settings.text(key)


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _keys_to_write(row: DataclassInstance, *, whole: bool) -> list[tuple[str, Any]]:
    """Return the keys to write, and their values."""
    values = [(field, getattr(row, field.name)) for field in fields(row)]
    return [
        (field.name, value)
        for field, value in values
        if value is not None and (whole or not _has_default(field) or value != field.default)
    ]


def _is_rows(value: object) -> bool:
    return isinstance(value, tuple) and any(map(is_dataclass, value))


def _rows(rows: tuple[Any, ...], number: Callable[[float], str]) -> str:
    if not rows:
        return "[]"
    tables = [
        ", ".join(
            f"{key} = {_value_text(value, number)}"
            for key, value in _keys_to_write(row, whole=False)
        )
        for row in rows
    ]
    return "[\n" + "".join(f"  {{ {table} }},\n" for table in tables) + "]"


def _value_text(value: Any, number: Callable[[float], str]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return toml_array(value)
    return number(value) if isinstance(value, int | float) else toml_text(str(value))
