"""Cut tables as written by `cut`, and their application to labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import ASSESSOR, CutSets, doc_levels
from qrelsmith.cuts.cut_topics import ALL, NOT_DISPLAYED, CutTopics, aggregated_target
from qrelsmith.io.table_reading import Columns, read_table
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_transforms import ErrorCodes
from qrelsmith.judgments.scale_operations import Cuts

Labels = TypeVar("Labels", Qrels, Judgments)

#: The text in place of cuts if no set has a value, and in a row over topics with separate cuts.
NO_CUTS, OWN_CUTS = "nan", "per-topic"
COLUMNS = ("topic", "cuts", "alpha", "tied", "degenerate", "units")
RANKING_COLUMNS = ("tau", "measure", "systems")


@dataclass(frozen=True, slots=True)
class CutTable:
    """A set of cuts for each topic, for all topics, or for each assessor.

    Attributes
    ----------
    of_all : Cuts or None
        The cuts of topics without their own cuts.
    of_assessor : mapping of str to Cuts
        The cuts of each assessor, for all topics; if given, there are no other cuts.
    """

    of_topic: Mapping[str, Cuts]
    of_all: Cuts | None = None
    of_assessor: Mapping[str, Cuts] = field(default_factory=dict)

    @property
    def levels(self) -> int:
        """The number of resulting levels."""
        return len(next(iter(self._cuts())).values) + 1

    def __post_init__(self) -> None:
        if len({len(cuts.values) for cuts in self._cuts()}) != 1:
            raise UsageError("found no cuts, or sets of different sizes; expected sets of one size")

    def of(self, topic: str) -> Cuts | None:
        """Return the cuts of a topic, or None if it has no cuts."""
        return self.of_topic.get(topic, self.of_all)

    def _cuts(self) -> list[Cuts]:
        of_all = [] if self.of_all is None else [self.of_all]
        return [*self.of_topic.values(), *of_all, *self.of_assessor.values()]


def read_cut_table(path: FilePath) -> CutTable:
    """Read a table with columns topic (or assessor) and cuts, as written by `cut`.

    The row `all` has the cuts of topics without their own row. Cuts of `nan` mean no cuts.

    Raises
    ------
    InputError
        If a topic or assessor appears twice, or cuts are missing or cannot be parsed.
    """
    of = ("topic", ASSESSOR)
    optional = (*of, *COLUMNS[2:], *RANKING_COLUMNS)
    table = read_table(path, Columns(required=("cuts",), optional=optional, ids=of))
    named = [column for column in of if column in table.columns]
    if len(named) != 1:
        raise InputError(
            "expected exactly one of the columns topic and assessor", path=path, line=1
        )
    by_topic: dict[str, Cuts] = {}
    for topic, text, line in zip(
        table.columns[named[0]], table.columns["cuts"], table.lines, strict=True
    ):
        if text in (NO_CUTS, OWN_CUTS):
            continue
        if topic in by_topic:
            raise InputError(f"the {named[0]} {quoted(topic)} appears twice", path=path, line=line)
        try:
            by_topic[topic] = Cuts.parse(text)
        except UsageError as error:
            raise InputError(str(error), path=path, line=line) from None
        if len(by_topic[topic].values) != len(next(iter(by_topic.values())).values):
            raise InputError(
                f"the cuts {text} and the cuts above give different numbers of levels; expected"
                " the same number",
                path=path,
                line=line,
            )
    if not by_topic:
        raise InputError(f"no cuts found; expected cuts of at least one {named[0]}", path=path)
    if named[0] == ASSESSOR:
        return CutTable({}, of_assessor=by_topic)
    return CutTable(
        {topic: cuts for topic, cuts in by_topic.items() if topic != ALL}, by_topic.get(ALL)
    )


def cut_labels(
    labels: Labels, table: CutTable, *, source: Scale | None
) -> tuple[Labels, tuple[str, ...]]:
    """Cut each label by the cuts of its topic or assessor.

    Parameters
    ----------
    labels : Qrels or Judgments
        Labels on the source scale; codes below 0 are kept.
    source : Scale or None
        The scale of the grades; None: unknown.

    Returns
    -------
    labels : Qrels or Judgments
        The labels of topics or assessors with cuts.
    without : tuple of str
        Topics or assessors without cuts, whose labels are left out.

    Raises
    ------
    UsageError
        If a grade is outside the scale, no topic or assessor has cuts, or labels without assessors
        should be cut by assessor.
    """
    names, owner = labels.topics, labels.topic
    if table.of_assessor:
        if isinstance(labels, Qrels):
            raise UsageError("cuts by assessor need labels with assessors; expected judgments")
        names, owner = labels.assessors, labels.assessor
    grade = labels.grade.copy()
    has_cuts = np.ones(len(labels), dtype=bool)
    without = []
    for place, name in enumerate(names):
        rows = np.flatnonzero(owner == place)
        cuts = table.of_assessor.get(name) if table.of_assessor else table.of(name)
        if cuts is None:
            has_cuts[rows] = False
            without.append(name)
            continue
        if source is not None:
            wrong = (grade[rows] >= 0) & ~source.holds(grade[rows])
            if wrong.any():
                raise UsageError(
                    f"the grade {grade[rows][wrong][0]:g} is not on the scale {source}"
                )
        grade[rows] = cuts.apply(grade[rows])
    if not has_cuts.any():
        what = ASSESSOR if table.of_assessor else "topic"
        raise UsageError(f"no {what} of the labels has cuts in the table; expected at least one")
    moved = replace(labels, grade=grade)
    if not without:
        return moved, ()
    if isinstance(moved, Judgments):
        return moved.select(has_cuts), tuple(without)
    return moved.restricted_to(set(moved.topics) - set(without)), tuple(without)


def cut_assessor_qrels(
    judgments: Judgments, table: CutTable, *, source: Scale, errors: ErrorCodes = "missing"
) -> Qrels:
    """Return one level per doc: each label cut by its assessor's cuts, then the lower median.

    Assessors without cuts are left out. The parameters are described in `cut_labels` and
    `CutTopics.of`.
    """
    moved, _ = cut_labels(judgments.current(), table, source=source)
    if errors == "nonrelevant":
        moved = replace(moved, grade=np.where(moved.grade == NOT_DISPLAYED, 0.0, moved.grade))
    return aggregated_target(moved, by="median", name="cut")


def cut_qrels(
    topics: CutTopics, table: CutTable, *, by: str = "median", order: str = "at", name: str = "cut"
) -> Qrels:
    """Return one level per doc: labels aggregated and cut, in either order; see `doc_levels`.

    Topics without cuts and docs without labels are left out.
    """
    rows: list[tuple[str, str, float]] = []
    for topic, docs, labels in zip(topics.topics, topics.docs, topics.labels, strict=True):
        cuts = table.of(topic)
        if cuts is None:
            continue
        only = CutSets(candidates=np.array(cuts.values), places=np.arange(len(cuts.values))[None])
        levels = doc_levels(labels, only, [0], by=by, order=order)[0]
        rows += [
            (topic, doc, level)
            for doc, level in zip(docs, levels.tolist(), strict=True)
            if level == level
        ]
    return Qrels.from_rows(rows, name=name)
