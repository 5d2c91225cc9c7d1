"""The tables `[aspects.*]` of campaign.toml: the scales for aspects of answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qrelsmith.base.scales import Scale
from qrelsmith.campaign.scale_settings import Level, parsed_levels, scale_toml
from qrelsmith.io.toml_settings import Settings, toml_key

CONTRADICTS = -3.0
"""The code of an answer that contradicts an aspect; its support is 0."""
CRITERION = "criterion"
_SUPPORT = (
    Level(0, "not supported", "The answer does not say it."),
    Level(1, "partially supported", "The answer says a part of it."),
    Level(2, "supported", "The answer says all of it."),
)
_CITED = (
    Level(0, "no support", "The cited doc does not support the sentence."),
    Level(1, "partial support", "The cited doc supports a part of the sentence."),
    Level(2, "full support", "The cited doc supports the whole sentence."),
)
SUPPORTED = ("nugget", "rubric", "citation")
"""The kinds of aspects that an answer or a cited doc can contradict."""
DEFAULTS = {
    "nugget": _SUPPORT,
    "rubric": _SUPPORT,
    "citation": _CITED,
    "subtopic": (Level(0, "not relevant"), Level(1, "relevant")),
}
"""The levels of the kinds of aspects that campaign.toml does not mention."""


def parsed_aspects(settings: Settings) -> dict[str, tuple[Level, ...]]:
    """Parse the levels by kind of aspect; the kind of a criterion is `criterion.NAME`.

    Raises
    ------
    InputError
        If a key or a value is unknown, or a table has no scale.
    """
    settings.check_keys((*DEFAULTS, CRITERION))
    tables = {kind: settings.table(kind) for kind in DEFAULTS if kind in settings.values}
    criteria = settings.table(CRITERION)
    tables |= {f"{CRITERION}.{name}": criteria.table(name) for name in criteria.values}
    found = {kind: parsed_levels(table) for kind, table in tables.items()}
    for kind, levels in found.items():
        if not levels:
            raise tables[kind].fault("the scale is missing; expected range or levels")
    return found


def aspects_toml(levels: Mapping[str, tuple[Level, ...]]) -> Iterator[str]:
    """Format the tables as TOML, sorted by name."""
    for kind in sorted(levels):
        name, _, criterion = kind.partition(".")
        table = f"aspects.{name}" + (f".{toml_key(criterion)}" if criterion else "")
        yield scale_toml(levels[kind], table=table)


def declared_criteria(levels: Mapping[str, tuple[Level, ...]]) -> list[str]:
    """Return the names of the criteria that campaign.toml declares, sorted."""
    prefix = f"{CRITERION}."
    return sorted(name.removeprefix(prefix) for name in levels if name.startswith(prefix))


def aspect_scale(levels: Mapping[str, tuple[Level, ...]], kind: str) -> Scale | None:
    """Return the scale of a kind of aspect, or None for an undeclared criterion."""
    found = levels.get(kind) or DEFAULTS.get(kind)
    return Scale(tuple(level.grade for level in found)) if found else None
