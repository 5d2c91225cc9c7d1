"""The page of the reference that lists columns and keys of files, made from the program itself."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

from qrelsmith.assigning import assignment_files as assignments
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.campaign.judging_settings import WISHES, ErrorCode, Judging
from qrelsmith.campaign.label_sources import ROLES, Group, QrelsSource
from qrelsmith.campaign.scale_settings import Level
from qrelsmith.io.manifest import Manifest
from qrelsmith.io.table_reading import Columns
from qrelsmith.judgments import judgment_tables, published_labels
from qrelsmith.pairs import preferences
from qrelsmith.topk.crowd import hit_files

TABLES: dict[str, Columns] = {
    "Judgments": judgment_tables.COLUMNS,
    "Preferences": preferences.COLUMNS,
    "Assignments": assignments.COLUMNS,
    "HITs": hit_files.COLUMNS,
    "Published labels: relevance": published_labels.RELEVANCE,
    "Published labels: truthfulness": published_labels.TRUTHFULNESS,
}
SETTINGS: dict[str, type] = {
    "": Campaign,
    "[scale], each of `levels`": Level,
    "[groups.NAME]": Group,
    '[qrels."FILE"]': QrelsSource,
    "[judging]": Judging,
    "[judging], each of `errors`": ErrorCode,
    "[hits]": HitTerms,
}
# Attributes of a campaign that are tables of their own in the file, or come from elsewhere.
_NO_KEYS = {"folder", "levels", "groups", "qrels_of", "teams", "seeds", "hits", "judging"}
# Names in the docstrings that stand for several values.
_CHOICES = {"`WISHES`": WISHES, "`ROLES`": ROLES}
_ATTRIBUTE = re.compile(r"^(\w+(?:, \w+)*) : (.+)$")


def formats_page() -> str:
    """Columns of tables, keys of campaign.toml and of manifests."""
    lines = [
        "# Columns and keys",
        "",
        "What [data formats](../data-formats.md) explains, as the program has it.",
        "",
        "## Tables",
        "",
        "CSV, TSV, JSONL or Parquet. A column that is not named here is an error.",
        "",
        "| table | must have | may have |",
        "| --- | --- | --- |",
    ]
    for name, columns in TABLES.items():
        lines.append(f"| {name} | {_codes(columns.required)} | {_codes(columns.optional)} |")
    lines += [
        "",
        "## campaign.toml",
        "",
        "`format = 1` is required, all else has a default. `[scale]` has `levels`, or `range`",
        "such as `0..100`, or both.",
        "",
    ]
    for table, settings in SETTINGS.items():
        lines += [f"### {table}" if table else "### At the top", ""]
        lines += _keys(settings, leave_out=_NO_KEYS if settings is Campaign else set())
    lines += [
        "### [teams] and [seeds]",
        "",
        "`[teams]` has the team of each run, by the run's tag; `[seeds]` whole numbers, by what",
        "they are for.",
        "",
        "## manifest.json",
        "",
        *_keys(Manifest, leave_out=set()),
    ]
    return "\n".join(lines)


def _keys(settings: type, *, leave_out: set[str]) -> list[str]:
    """A table of the attributes that a docstring describes."""
    there = {field.name for field in fields(settings)} - leave_out
    lines = ["| key | type | what it says |", "| --- | --- | --- |"]
    for names, kind, words in attributes(settings):
        kept = [name for name in names if name in there]
        if kept:
            lines.append(f"| {_codes(kept)} | {kind} | {words.replace('|', chr(92) + '|')} |")
            there.difference_update(kept)
    if there:
        raise ValueError(f"{settings.__name__} does not describe {', '.join(sorted(there))}")
    return [*lines, ""]


def attributes(described: type) -> list[tuple[list[str], str, str]]:
    """Names, type and words of what the section `Attributes` of a docstring describes."""
    text = inspect.getdoc(described) or ""
    section = text.partition("Attributes\n----------\n")[2].partition("\n\n")[0]
    found: list[tuple[list[str], str, list[str]]] = []
    for line in section.splitlines():
        match = _ATTRIBUTE.match(line)
        if match:
            found.append((match[1].split(", "), match[2], []))
        else:
            found[-1][2].append(line.strip())
    return [(names, kind, _spelt(" ".join(words))) for names, kind, words in found]


def _spelt(words: str) -> str:
    for name, values in _CHOICES.items():
        words = words.replace(name, _codes(values))
    return words


def _codes(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
