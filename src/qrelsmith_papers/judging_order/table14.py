"""Table 14: what Gold says of the docs in serious disagreement when it judges them again."""

from __future__ import annotations

from typing import NamedTuple

from qrelsmith.agreement.disagreement.rules import SERIOUS
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

_KEY = "table14"
_TITLE = "Table 14: Gold's second labels"
_LEVELS = (0, 1, 2)


@ORDERING.add(
    _KEY,
    kind=kind_of_second,
    reads=labels_read,
    sized=True,
    deviation="A second look has half the noise of a first one: an assumption of the simulation.",
)
def table14(inputs: StudyInputs) -> Section:
    """Distribution of Gold's second labels by assessor."""
    again = second_round_of(inputs)
    if again is None:
        return Section(key=_KEY, title=_TITLE, missing=NOTHING)
    columns = (
        "source", "assessor", "rejudged", *(f"L{level}" for level in _LEVELS),
        *(f"share of L{level}" for level in _LEVELS),
    )  # fmt: skip
    printed = _published_rows()
    total = printed[-1].counts
    before = sum(total[1:]) / sum(total)
    after = again.share_relevant()
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            f"The list is what the rule finds on the PRI-Gold topics: {SERIOUS}. In a simulated"
            " second round an assessor keeps the bias and has half of the noise of the first look,"
            " since a short list gets more attention; that half is an assumption, not a finding.",
        ),
        tables=(
            NamedTable(
                _KEY,
                f"In the paper and in {again.collection.name}",
                Table.of(columns, [row.cells() for row in (*printed, *_obtained_rows(again))]),
            ),
        ),
        findings=(
            again.collection.claim(
                0.4 <= after <= 0.6,
                f"The paper: almost one half ({before:.1%}) of {sum(total)} docs that Gold had"
                " called not relevant against both Bronze groups were relevant after all. On"
                f" {again.collection.name} {after:.1%} of {again.total().rejudged}.",
                section=_KEY,
            ),
        ),
    )


class _Row(NamedTuple):
    """The labels of an assessor in the second round."""

    source: str
    assessor: str
    counts: tuple[int, ...]

    def cells(self) -> tuple[Cell, ...]:
        rejudged = sum(self.counts)
        shares = (count / rejudged for count in self.counts)
        return self.source, self.assessor, rejudged, *self.counts, *shares


def _published_rows() -> list[_Row]:
    """Table 14, from the sums of Table 15."""
    rows = [
        _Row("published", assessor, tuple(map(sum, zip(*topics.values(), strict=True))))
        for assessor, topics in TABLE_15.items()
    ]
    total = tuple(map(sum, zip(*(row.counts for row in rows), strict=True)))
    return [*rows, _Row("published", ALL, total)]


def _obtained_rows(again: SecondRound) -> list[_Row]:
    return [
        _Row(
            again.collection.short,
            row.assessor,
            tuple(row.counts.get(float(level), 0) for level in _LEVELS),
        )
        for row in again.found.rows
        if row.topic == ALL
    ]
