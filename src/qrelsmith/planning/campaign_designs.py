"""Designs of simulated campaigns as TOML files, which users can also write themselves.

The keys are the names of the designs' attributes; a missing key has its default.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import grade_text
from qrelsmith.io.text import FilePath
from qrelsmith.io.toml_settings import Settings, read_toml, toml_text
from qrelsmith.planning.simulation import CampaignDesign, GroupDesign
from qrelsmith.planning.simulation.designs import DESIGNS

_GROUPS = "groups"
_D = TypeVar("_D")


def campaign_design(name: FilePath) -> CampaignDesign:
    """Return the design with this name in `DESIGNS`, or the design in a TOML file.

    Raises
    ------
    UnknownNameError
        If there is neither a file nor a design of this name.
    InputError
        If a key or value of the file is unknown.
    """
    if str(name) not in DESIGNS.names() and (Path(name).suffix or Path(name).exists()):
        return read_campaign_design(name)
    design: CampaignDesign = DESIGNS.get(str(name))()
    return design


def read_campaign_design(path: FilePath) -> CampaignDesign:
    """Read a design from a TOML file.

    Raises
    ------
    InputError
        If a key is unknown, or a value unknown or out of range.
    """
    return campaign_design_of(read_toml(path))


def campaign_design_of(top: Settings, *, besides: Collection[str] = ()) -> CampaignDesign:
    """Return the design in a table; ignore the keys in `besides`.

    Raises
    ------
    InputError
        If a key is unknown, or a value unknown or out of range.
    """
    blank = CampaignDesign()
    top.check_keys([*(field.name for field in fields(blank)), *besides])
    values = _present_values(top, blank)
    groups = [table_values(group, GroupDesign()) for group in top.tables(_GROUPS, marked_by="name")]
    if groups:
        values[_GROUPS] = tuple(groups)
    try:
        return CampaignDesign(**values)
    except UsageError as error:
        raise top.fault(str(error)) from None


def campaign_design_text(design: CampaignDesign) -> str:
    """Return a design as TOML with all its values."""
    lines = list(table_lines(design))
    for group in design.groups:
        lines += ["", f"[[{_GROUPS}]]", *table_lines(group, f"{_GROUPS}.")]
    return "\n".join(lines) + "\n"


def table_lines(design: Any, prefix: str = "") -> Iterator[str]:
    """Return a dataclass as lines of TOML: the keys of its table, then its inner tables."""
    inner = []
    for field in fields(design):
        value = getattr(design, field.name)
        if is_dataclass(value):
            inner += ["", f"[{prefix}{field.name}]", *table_lines(value, f"{prefix}{field.name}.")]
        elif field.name != _GROUPS:
            yield f"{field.name} = {_value_text(value)}"
    yield from inner


def _value_text(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_value_text, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return toml_text(value) if isinstance(value, str) else grade_text(float(str(value)))


def table_values(settings: Settings, blank: _D) -> _D:
    """Convert a table to a dataclass of the same type as `blank`, which gives the defaults.

    Raises
    ------
    InputError
        If a key is unknown, or a value unknown or out of range.
    """
    settings.check_keys([field.name for field in fields(blank)])  # type: ignore[arg-type]
    try:
        return replace(blank, **_present_values(settings, blank))  # type: ignore[type-var]
    except UsageError as error:
        raise settings.fault(str(error)) from None


def _present_values(settings: Settings, blank: Any) -> dict[str, Any]:
    """Return the values in the table, each with the type of its default."""
    values: dict[str, Any] = {}
    for field in fields(blank):
        key, default = field.name, getattr(blank, field.name)
        if key not in settings.values or key == _GROUPS:
            continue
        if is_dataclass(default):
            values[key] = table_values(settings.table(key), default)
        elif isinstance(default, bool):
            values[key] = settings.truth(key)
        elif isinstance(default, int):
            values[key] = settings.get(key, int, "a whole number")
        elif isinstance(default, float):
            values[key] = settings.number(key)
        elif isinstance(default, str):
            values[key] = settings.text(key)
        else:
            values[key] = _range(settings, key)
    return values


def _range(settings: Settings, key: str) -> tuple[float, float]:
    """Return a range: two numbers."""
    ends = settings.get(key, list, "two numbers")
    sound = len(ends) == 2 and all(
        isinstance(end, int | float) and not isinstance(end, bool) for end in ends
    )
    if not sound:
        raise settings.fault(f"{key} is {ends}; expected two numbers such as [0.1, 0.5]", key)
    return float(ends[0]), float(ends[1])
