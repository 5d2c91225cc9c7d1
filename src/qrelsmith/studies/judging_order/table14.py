"""Table 14: what Gold says of the docs in serious disagreement when it judges them again."""

from __future__ import annotations

from qrelsmith.analyses.disagreement_rules import SERIOUS
from qrelsmith.analyses.rejudging import ALL
from qrelsmith.content import NamedTable, Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.judging_order.published_judging import TABLE_15
from qrelsmith.studies.judging_order.second_round import NOTHING, SecondRound, second_round_of
from qrelsmith.studies.judging_order.simulated import simulated
from qrelsmith.studies.registry import ORDERING, StudyInputs
from qrelsmith.tables import Cell, Table

_KEY = "table14"
_TITLE = "Table 14: Gold's new labels after rejudging"
_LEVELS = (0, 1, 2)


@ORDERING.add(_KEY)
def table14(inputs: StudyInputs) -> Section:
    """Distribution of Gold's second labels by assessor."""
    again = second_round_of(simulated(inputs))
    if again is None:
        return Section(key=_KEY, title=_TITLE, missing=NOTHING)
    columns = (
        "source", "assessor", "rejudged", *(f"L{level}" for level in _LEVELS),
        *(f"share of L{level}" for level in _LEVELS),
    )  # fmt: skip
    printed = _published()
    *_, every = printed
    before = sum(every[4:6]) / every[2]
    after = again.share_relevant()
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            f"The list is what the rule finds on the PRI-Gold topics: {SERIOUS}. In the simulated"
            " second round an assessor keeps the bias and has half of the noise of the first look,"
            " since a short list gets more attention; that half is an assumption, not a finding.",
        ),
        tables=(
            NamedTable(
                _KEY,
                "In the paper and in the simulated campaign",
                Table.of(columns, [_with_shares(row) for row in (*printed, *_obtained(again))]),
            ),
        ),
        findings=(
            claim(
                0.4 <= after <= 0.6,
                f"The paper: almost one half ({before:.1%}) of {every[2]} docs that Gold had called"
                " not relevant against both Bronze groups were relevant after all. On the simulated"
                f" campaign {after:.1%} of {again.total().rejudged}.",
                section=_KEY,
            ),
        ),
    )


def _published() -> list[tuple[str, str, int, int, int, int]]:
    """Table 14, from the sums of Table 15."""
    rows = []
    for assessor, topics in TABLE_15.items():
        sums = [sum(of) for of in zip(*topics.values(), strict=True)]
        rows.append(("published", assessor, sum(sums), *sums))
    totals = [sum(of) for of in zip(*(row[3:] for row in rows), strict=True)]
    return [*rows, ("published", ALL, sum(totals), *totals)]  # type: ignore[list-item]


def _obtained(again: SecondRound) -> list[tuple[str, str, int, int, int, int]]:
    return [
        (
            "simulated", row.assessor, row.rejudged,
            *(row.counts.get(float(level), 0) for level in _LEVELS),
        )
        for row in again.found.rows
        if row.topic == ALL
    ]  # type: ignore[misc]  # fmt: skip


def _with_shares(row: tuple[str, str, int, int, int, int]) -> tuple[Cell, ...]:
    return (*row, *(count / row[2] for count in row[3:]))
