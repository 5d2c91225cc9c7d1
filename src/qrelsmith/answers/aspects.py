"""Aspects by which answers are judged, and their weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from qrelsmith.answers.aspect_forms import foreign_aspects
from qrelsmith.base.errors import InputError, UsageError, nearest, quoted
from qrelsmith.base.items import CITATION, SUBTOPIC, citation_parts, subtopic_name
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.table_reading import Columns, read_table
from qrelsmith.io.table_writing import write_table
from qrelsmith.io.text import FilePath

KINDS = ("nugget", "rubric", "criterion", "subtopic")
COLUMNS = Columns(
    required=("aspect", "kind"),
    optional=("topic", "text", "importance", "parent"),
    ids=("topic", "aspect", "parent"),
)
_ORDER = ("topic", "aspect", "kind", "text", "importance", "parent")
_WORDS = {"vital": 1.0, "okay": 0.5}


@dataclass(frozen=True, slots=True)
class Aspect:
    """An aspect by which answers are judged.

    Attributes
    ----------
    topic : str
        The topic; empty: all topics.
    aspect : str
        The id.
    kind : str
        One of `KINDS`.
    text : str
        The text for assessors.
    importance : str
        `vital`, `okay`, a number, or empty.
    parent : str
        The rubric's question to which an expected answer belongs.
    """

    topic: str
    aspect: str
    kind: str
    text: str = ""
    importance: str = ""
    parent: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            near = nearest(self.kind, KINDS)
            hint = f"; did you mean {near}?" if near else ""
            raise UsageError(
                f"the kind is {quoted(self.kind)}; expected one of {', '.join(KINDS)}{hint}"
            )
        if not self.aspect or citation_parts(self.aspect) is not None:
            raise UsageError(
                f"the aspect is {quoted(self.aspect)}; expected the id of a {self.kind}"
            )
        if self.importance and not self.weight >= 0:
            raise UsageError(
                f"the importance is {quoted(self.importance)}; expected 'vital', 'okay' or a number"
                " of 0 or more"
            )

    @property
    def weight(self) -> float:
        """The importance as a number: 1 if it is `vital` or missing, .5 if it is `okay`."""
        if not self.importance:
            return 1.0
        return _WORDS.get(self.importance) or finite_number(self.importance.encode())

    @property
    def is_vital(self) -> bool:
        """Whether the importance is vital, a number of 1 or more, or missing."""
        return self.weight >= 1


class Aspects:
    """The aspects of a collection of answers.

    Parameters
    ----------
    aspects : iterable of Aspect
        The aspects.

    Raises
    ------
    UsageError
        If a topic has two aspects with the same id.
    """

    def __init__(self, aspects: Iterable[Aspect]) -> None:
        self._all = tuple(aspects)
        self._named: dict[tuple[str, str], Aspect] = {}
        for each in self._all:
            if (each.topic, each.aspect) in self._named:
                where = f"topic {quoted(each.topic)}" if each.topic else "every topic"
                raise UsageError(f"{where} has aspect {quoted(each.aspect)} twice; expected once")
            self._named[each.topic, each.aspect] = each

    def __iter__(self) -> Iterator[Aspect]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def find(self, topic: str, aspect: str) -> Aspect | None:
        """Return the aspect of a topic by its id, or None."""
        return self._named.get((topic, aspect)) or self._named.get(("", aspect))

    def of(self, topic: str, kind: str) -> list[Aspect]:
        """Return a topic's aspects of a kind, except questions that have expected answers."""
        return [
            each
            for each in self._all
            if each.kind == kind
            and each.topic in ("", topic)
            and (each.topic, each.aspect) not in self._parents
        ]

    def with_criteria(self, names: Iterable[str]) -> Aspects:
        """Return the aspects, with a new criterion for each name that is not yet a criterion."""
        known = {each.aspect for each in self._all if each.kind == "criterion"}
        return Aspects([*self, *(Aspect("", n, "criterion") for n in names if n not in known)])

    def question_weight(self, each: Aspect) -> float:
        """Return the weight of the question to which an expected answer belongs."""
        parent = self.find(each.topic, each.parent) if each.parent else None
        return parent.weight if parent is not None and parent.importance else each.weight

    @cached_property
    def _parents(self) -> frozenset[tuple[str, str]]:
        return frozenset(
            (parent.topic, parent.aspect)
            for each in self._all
            if each.parent and (parent := self.find(each.topic, each.parent)) is not None
        )


def kind_of(aspects: Aspects | None, topic: str, aspect: str) -> str:
    """Return the kind under which campaign.toml declares an aspect's scale.

    The kind is `citation`, `nugget`, `rubric`, `subtopic`, or `criterion.NAME`; an undeclared
    aspect is a criterion. An item without an aspect has no kind.
    """
    if not aspect:
        return ""
    if citation_parts(aspect) is not None:
        return CITATION
    if subtopic_name(aspect):
        return SUBTOPIC
    named = None if aspects is None else aspects.find(topic, aspect)
    if named is None or named.kind == "criterion":
        return f"criterion.{aspect}"
    return named.kind


def read_aspects(*paths: FilePath) -> Aspects:
    """Read aspects from files, or folders of files.

    A file is a table (csv, tsv, JSONL, Parquet) with the columns topic, aspect, kind, text,
    importance and parent. The output of nuggetizer, a nugget bank of AutoJudge, or a rubric of
    DRAGUN can also be read.

    Raises
    ------
    InputError
        If a row is malformed.
    """
    aspects: list[Aspect] = []
    for path in paths:
        inside = sorted(each for each in Path(path).iterdir()) if Path(path).is_dir() else [path]
        if not inside:
            raise InputError("the folder has no files; expected aspects", path=path)
        for file in inside:
            aspects += _read(file)
    try:
        return Aspects(dict.fromkeys(aspects))
    except UsageError as error:
        raise InputError(str(error), path=paths[-1]) from None


def _read(path: FilePath) -> list[Aspect]:
    rows: Sequence[tuple[int, dict[str, str]]] | None = foreign_aspects(path)
    if rows is None:
        table = read_table(path, COLUMNS)
        names = list(table.columns)
        rows = [
            (line, dict(zip(names, cells, strict=True)))
            for line, *cells in zip(table.lines, *table.columns.values(), strict=True)
        ]
    aspects = []
    for line, row in rows:
        try:
            aspects.append(Aspect(**({"topic": ""} | row)))
        except UsageError as error:
            raise InputError(str(error), path=path, line=line) from None
    return aspects


def write_aspects(aspects: Iterable[Aspect], path: FilePath, *, form: str | None = None) -> None:
    """Write aspects as a table, sorted by topic and id; the suffix sets the default format."""
    rows = sorted(aspects, key=lambda each: (each.topic, each.aspect))
    columns = {name: [getattr(each, name) for each in rows] for name in _ORDER}
    write_table(path, columns, form=form)
