"""Do the label sets rank the systems alike."""

from __future__ import annotations

import numpy as np

from qrelsmith.analyses.ranking_comparison import RankingComparison, compared_rankings
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import RANKING
from qrelsmith.audit.tau_bounds import tau_bounds
from qrelsmith.audit.wording import count, findings_by_verdict, lowest
from qrelsmith.content import (
    Figure,
    Finding,
    HeatMap,
    Intervals,
    NamedTable,
    RankLines,
    Section,
    Verdict,
)
from qrelsmith.stats.intervals import t_interval
from qrelsmith.stats.ties import tied_ranks
from qrelsmith.tables import Cell, Table

_KEY = "rankings"
_MOST_LINES = 30


@SECTIONS.add("rankings", place=70)
def rankings(inputs: AuditInputs) -> Section:
    """System means and ranks under every label set, with τ to the reference."""
    if len(inputs.runs) < 2:
        return Section(
            key=_KEY,
            title="System rankings",
            missing="two runs or more in runs/; there " + ("is one" if inputs.runs else "are none"),
        )
    tables, figures = [], []
    findings: list[Finding] = []
    for place, measure in enumerate(inputs.measures):
        matrices = [(name, inputs.scores(name, measure)) for name in _reference_first(inputs)]
        compared = list(compared_rankings(matrices))
        slug = _slug(measure)
        tables += [
            NamedTable(
                f"systems-{slug}",
                f"{measure} of the systems",
                _systems(inputs, measure),
                "Mean over the common topics; ranks in the columns after it, ties share one.",
            ),
            NamedTable(
                f"rankings-{slug}",
                f"Rankings by {measure} under every two label sets",
                _compared(compared),
                "tau_ap takes label set a as its reference. The interval of fieller is of tau_b,"
                " the consistent one (Long and Cliff) of tau_a.",
            ),
        ]
        figures += _figures(inputs, measure, compared)
        if place == 0 and inputs.others:
            found = {
                one.second: _bounds(one)
                for one in compared
                if one.first == inputs.reference and one.interval == "fieller"
            }
            findings += findings_by_verdict(
                RANKING, found, _sentences(inputs.reference), symbol="τ", section=_KEY
            )
    return Section(
        key=_KEY,
        title="System rankings",
        paragraphs=(
            f"{count(len(inputs.runs), 'system', 'systems')} on"
            f" {count(len(inputs.topics), 'topic', 'topics')} that every label set has. Kendall's τ"
            " is 1 for the same ranking, 0 for an unrelated one and −1 for the reverse.",
        ),
        tables=tuple(tables),
        figures=tuple(figures),
        findings=tuple(findings),
    )


def _sentences(reference: str) -> dict[Verdict, str]:
    return {
        Verdict.GOOD: f"The systems rank as under {reference}",
        Verdict.DOUBTFUL: f"The systems rank much as under {reference}, with noticeable changes",
        Verdict.BAD: f"The systems rank differently than under {reference}",
        Verdict.CANNOT_TELL: f"Whether the systems rank as under {reference} cannot be told",
    }


def _reference_first(inputs: AuditInputs) -> list[str]:
    return [inputs.reference, *inputs.others]


def _slug(measure: str) -> str:
    kept = [letter.lower() if letter.isalnum() else "-" for letter in measure]
    return "".join(kept).strip("-")


def _bounds(one: RankingComparison) -> tuple[float, float, float]:
    """τ-b with its interval."""
    return one.tau_b, *tau_bounds(one.tau_b, one.low, one.high, systems=one.systems)


def _systems(inputs: AuditInputs, measure: str) -> Table:
    """Means and intervals under the reference, and ranks under all label sets."""
    names = _reference_first(inputs)
    matrix = inputs.scores(inputs.reference, measure)
    low, high = t_interval(matrix.scores)
    means = matrix.means()
    ranks = np.array([_ranks(inputs.scores(name, measure).means()) for name in names])
    order = np.lexsort((np.array(matrix.systems), ranks[0]))
    rows: list[tuple[Cell, ...]] = [
        (
            matrix.systems[s], float(means[s]), float(low[s]), float(high[s]),
            *(float(rank) for rank in ranks[:, s]),
        )
        for s in order.tolist()
    ]  # fmt: skip
    columns = ("system", f"mean ({inputs.reference})", "low", "high", *(f"rank {n}" for n in names))
    return Table.of(columns, rows)


def _ranks(means: np.ndarray) -> np.ndarray:
    """Rank 1 for the highest mean; tied systems share the mean of their ranks."""
    tied = tied_ranks(means, name="means")
    above = (tied[None, :] > tied[:, None]).sum(axis=1)
    same = (tied[None, :] == tied[:, None]).sum(axis=1)
    return np.asarray(above + (same + 1) / 2)


def _compared(compared: list[RankingComparison]) -> Table:
    columns = ("label set a", "label set b", "tau_a", "tau_b", "tau_ap", "low", "high", "interval")
    return Table.of(
        columns,
        [
            (o.first, o.second, o.tau_a, o.tau_b, o.tau_ap, o.low, o.high, o.interval)
            for o in compared
        ],
    )


def _figures(inputs: AuditInputs, measure: str, compared: list[RankingComparison]) -> list[Figure]:
    slug, names = _slug(measure), _reference_first(inputs)
    if len(names) < 2:
        return []
    fieller = [one for one in compared if one.interval == "fieller"]
    place = {name: row for row, name in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    for one in fieller:
        values[place[one.first], place[one.second]] = one.tau_b
        values[place[one.second], place[one.first]] = one.tau_b
    against = sorted(
        (one for one in fieller if one.first == inputs.reference), key=lambda one: -one.tau_b
    )
    bounds = [_bounds(one) for one in against]
    figures = [
        Figure(
            f"tau-{slug}",
            f"τ of the {measure} ranking to that of {inputs.reference}",
            Intervals(
                names=[one.second for one in against],
                values=[value for value, _, _ in bounds],
                lows=[low for _, low, _ in bounds],
                highs=[high for _, _, high in bounds],
                label="Kendall's τ-b, 95 % interval (Fieller)",
                reference=RANKING.good,
            ),
            f"The line is at {RANKING.good}: from there on rankings count as the same.",
        ),
        Figure(
            f"tau-all-{slug}",
            f"τ between the {measure} rankings of all label sets",
            HeatMap(names, names, values.tolist(), lowest(values), 1.0, "τ-b"),
            "The nearer to 1, the more alike two label sets rank the systems.",
        ),
    ]
    systems = inputs.scores(inputs.reference, measure).systems
    if len(systems) <= _MOST_LINES and len(names) <= 12:
        ranks = [_ranks(inputs.scores(name, measure).means()) for name in names]
        figures.append(
            Figure(
                f"ranks-{slug}",
                f"Ranks of the systems by {measure}",
                RankLines(systems, names, np.array(ranks).T.tolist()),
                "Each line is a system; where two cross, two label sets order them differently.",
            )
        )
    return figures
