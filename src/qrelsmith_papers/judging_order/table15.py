"""Table 15: Gold's new labels by topic."""

from __future__ import annotations

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judgments.own_consistency import ALL
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.published_judging import TABLE_15
from qrelsmith_papers.judging_order.second_round import (
    NOTHING,
    SecondRound,
    kind_of_second,
    second_round_of,
)
from qrelsmith_papers.judging_order.www4 import labels_read

_KEY = "table15"
_TITLE = "Table 15: second labels by topic"
_LEVELS = (0, 1, 2)
_COLUMNS = ("assessor", "topic", "rejudged", *(f"L{level}" for level in _LEVELS))


@ORDERING.add(
    _KEY,
    kind=kind_of_second,
    reads=labels_read,
    sized=True,
    deviation="A second look has half the noise of a first one: an assumption of the simulation.",
)
def table15(inputs: StudyInputs) -> Section:
    """Distribution of Gold's second labels by assessor and topic."""
    again = second_round_of(inputs)
    if again is None:
        return Section(key=_KEY, title=_TITLE, missing=NOTHING)
    printed = [
        (assessor, topic, sum(counts), *counts)
        for assessor, topics in TABLE_15.items()
        for topic, counts in topics.items()
    ]
    obtained = _obtained_rows(again)
    helped, topics = _with_new_relevant(obtained)
    published = sum(any(row[4:]) for row in printed)
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=("The rows of Table 14, by topic.",),
        tables=(
            NamedTable(f"{_KEY}-published", "As published", Table.of(_COLUMNS, printed)),
            NamedTable(_KEY, f"On {again.collection.name}", Table.of(_COLUMNS, obtained)),
        ),
        findings=(
            again.collection.claim(
                helped >= 0.75 * topics,
                f"The paper: in {published} of {len(printed)} topics at least one doc turned out to"
                f" be relevant. On {again.collection.name} in {helped} of {topics}.",
                section=_KEY,
            ),
        ),
    )


def _obtained_rows(again: SecondRound) -> list[tuple[Cell, ...]]:
    return [
        (
            row.assessor, row.topic, row.rejudged,
            *(row.counts.get(float(level), 0) for level in _LEVELS),
        )
        for row in again.found.rows
        if row.topic != ALL
    ]  # fmt: skip


def _with_new_relevant(rows: list[tuple[Cell, ...]]) -> tuple[int, int]:
    """In how many topics a doc turned out to be relevant, and how many there are."""
    return sum(any(row[4:]) for row in rows), len(rows)
