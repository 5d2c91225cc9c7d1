"""Rankings under coarser scales: all ways to merge levels of the campaign's scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.tau_bounds import tau_bounds
from qrelsmith.audit.verdicts.bounds import RANKS_ALL
from qrelsmith.audit.wording import count, figures_finding
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, HeatMap, Intervals, NamedTable, Section, lowest
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.base.tables import Cell, Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import CutSets, topicwide
from qrelsmith.cuts.cut_rankings import CutRankings
from qrelsmith.cuts.cut_topics import CutTopics
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.correlation import kendall_tau_b
from qrelsmith.stats.tau_intervals import INTERVALS
from qrelsmith.stats.ties import tied_ranks

_KEY = "reductions"
_TITLE = "Coarser scales"
_MOST = 30  # maximum number of reductions; if there are more, only those to two levels are computed
_MOST_SWAPS = 100  # maximum number of pairs of systems listed


@dataclass(frozen=True, slots=True, eq=False)
class _Reduced:
    """A label set with levels of the scale merged in one way.

    Attributes
    ----------
    name : str
        The reduction, such as `4to2(1)`.
    merged : str
        The merged levels, such as `0 1 | 2 3`.
    means : ndarray, [system]
        System means.
    tau, low, high : float
        τ-b to the full scale, with its interval.
    alpha : float
        α between this label set and the reference under the reduction; nan for the reference.
    """

    name: str
    merged: str
    means: FloatArray
    tau: float
    low: float
    high: float
    alpha: float


@SECTIONS.add(_KEY, place=65, apart=True, of="docs")
def reductions(inputs: AuditInputs) -> Section:
    """Compare the rankings under every reduction of the scale with the full-scale rankings."""
    scale = _scale(inputs)
    common = {
        name: inputs.label_sets[name].restricted_to(inputs.topics_with_reference(name))
        for name in _reference_first(inputs)
        if scale is not None and _on(inputs, name, scale)
    }
    names = [name for name, labels in common.items() if (labels.grade >= 0).any()]
    if scale is None or not names or len(inputs.runs) < 2:
        return Section(
            key=_KEY,
            title=_TITLE,
            missing="at least two runs, and labels on a scale of at least three levels",
        )
    measure = inputs.measures[0]
    sets = _sets(scale)
    by_label_set = {
        name: _reduce(inputs, name, common[name], common.get(inputs.reference), sets, scale)
        for name in names
    }
    paragraphs = [
        "Adjacent levels are merged, and the systems are ranked again. τ compares the new ranking"
        f" with the ranking under all {len(scale.levels)} levels."
    ]
    others = [name for name in inputs.label_sets if name not in by_label_set]
    if others:
        paragraphs.append(
            f"Left out, because the scale differs or topics are missing: {', '.join(others)}."
        )
    if sum(map(len, sets)) < 2 ** (len(scale.levels) - 1) - 2:
        paragraphs.append(
            "The scale has too many levels for all reductions, so only reductions to two levels are"
            " shown."
        )
    swaps = _swaps(inputs, by_label_set[names[0]], names[0], measure)
    tables = (
        [_summary(inputs, by_label_set, measure), swaps]
        if swaps.table.rows
        else [_summary(inputs, by_label_set, measure)]
    )
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=tuple(paragraphs),
        tables=tuple(tables),
        figures=_figures(by_label_set, names[0], measure),
        findings=(
            figures_finding(
                f"τ between the {measure} rankings under reduced scales and the full scale of"
                f" {names[0]}",
                {one.name: (one.tau, one.low, one.high) for one in by_label_set[names[0]]},
                section=_KEY,
            ),
        ),
    )


def _scale(inputs: AuditInputs) -> Scale | None:
    """Return the scale of the campaign or the reference; None if no levels can be merged."""
    scale = inputs.campaign.scale
    if scale is None:
        text = inputs.scale_text(inputs.reference)
        scale = None if text == "real" else Scale.parse(text)
    return scale if scale is not None and len(scale.levels) > 2 else None


def _reference_first(inputs: AuditInputs) -> list[str]:
    return [inputs.reference, *inputs.others]


def _on(inputs: AuditInputs, name: str, scale: Scale) -> bool:
    """Return whether a label set uses the scale, with grades above the two lowest levels."""
    grades = inputs.label_sets[name].grade
    known = grades[grades >= 0]
    return bool(scale.holds(known).all()) and bool((known >= scale.levels[2]).any())


def _sets(scale: Scale) -> list[CutSets]:
    """Return all coarser scales, or only the scales with two levels if there are too many."""
    levels = len(scale.levels)
    if 2 ** (levels - 1) - 2 <= _MOST:
        return [CutSets.of(scale.levels, targets=targets) for targets in range(levels - 1, 1, -1)]
    places = np.unique(np.linspace(0, levels - 2, min(_MOST, levels - 1)).round().astype(int))
    candidates = [scale.levels[place] for place in places.tolist()]
    return [CutSets.of(scale.levels, targets=2, candidates=candidates)]


def _reduce(
    inputs: AuditInputs,
    name: str,
    labels: Qrels,
    reference: Qrels | None,
    sets: Sequence[CutSets],
    scale: Scale,
) -> list[_Reduced]:
    """Compute the results of a label set under every reduction of the scale."""
    topics = CutTopics.of(Judgments.from_qrels({name: labels}))
    both = None
    if reference is not None and name != inputs.reference:
        pair = Judgments.from_qrels({inputs.reference: reference, name: labels})
        both = CutTopics.of(pair).pool_topics().labels[0]
    full = inputs.scores(name, inputs.measures[0])
    means = full.means()
    reductions = []
    for some in sets:
        rankings = CutRankings(topics, some, inputs.runs, full)
        alphas = np.full(len(some), np.nan) if both is None else topicwide(both, some).alpha
        for place in range(len(some)):
            cuts = some.cuts(place)
            reduced = rankings.means(dict.fromkeys(range(len(topics.topics)), place))
            tau = float(kendall_tau_b(reduced, means))
            bounds = INTERVALS.get("fieller")(reduced, means)
            low, high = tau_bounds(tau, float(bounds.low), float(bounds.high), systems=means.size)
            reductions.append(
                _Reduced(
                    cuts.label(scale), _levels_text(scale, cuts.values), reduced, tau, low, high,
                    float(alphas[place]),
                )
            )  # fmt: skip
    return reductions


def _levels_text(scale: Scale, cuts: Sequence[float]) -> str:
    """Return the merged levels, such as `0 1 | 2 3`; long ranges are shown by their ends."""
    groups: list[list[float]] = [[] for _ in range(len(cuts) + 1)]
    for level in scale.levels:
        groups[sum(level > cut for cut in cuts)].append(level)
    return " | ".join(
        " ".join(map(grade_text, group))
        if len(group) < 5
        else f"{grade_text(group[0])} … {grade_text(group[-1])}"
        for group in groups
    )


def _summary(inputs: AuditInputs, found: dict[str, list[_Reduced]], measure: str) -> NamedTable:
    rows: list[tuple[Cell, ...]] = []
    for name, reduced in found.items():
        full = tied_ranks(inputs.scores(name, measure).means(), name="means")
        before = np.sign(full[:, None] - full[None, :])
        for reduction in reduced:
            ranks = tied_ranks(reduction.means, name="means")
            after = np.sign(ranks[:, None] - ranks[None, :])
            swapped = int((before * after < 0).sum()) // 2
            tied = int(((before != 0) & (after == 0)).sum()) // 2
            rows.append(
                (
                    name,
                    reduction.name,
                    reduction.merged,
                    reduction.tau,
                    reduction.low,
                    reduction.high,
                    swapped,
                    tied,
                    reduction.alpha,
                )
            )
    columns = (
        "label set", "reduction", "levels", "tau_b", "low", "high", "swapped", "tied",
        "alpha-ordinal",
    )  # fmt: skip
    return NamedTable(
        key=_KEY,
        title=f"{measure} rankings under coarser scales",
        table=Table.of(columns, rows),
        note="Swapped: number of system pairs whose order is reversed. Tied: number of pairs that"
        f" become tied. Alpha: agreement with {inputs.reference} on the coarser scale.",
        undefined="all grades are equal or the scales differ (for α), or if τ = ±1 (for"
        " Fieller's interval)",
    )


def _swaps(inputs: AuditInputs, reduced: Sequence[_Reduced], name: str, measure: str) -> NamedTable:
    """Return the pairs of systems that reductions reverse, largest score difference first."""
    matrix = inputs.scores(name, measure)
    means = matrix.means()
    full = tied_ranks(means, name="means")
    rows: list[tuple[Cell, ...]] = []
    for reduction in reduced:
        ranks = tied_ranks(reduction.means, name="means")
        better, worse = np.nonzero(
            (full[:, None] > full[None, :]) & (ranks[:, None] < ranks[None, :])
        )
        rows += [
            (
                reduction.name, matrix.systems[a], matrix.systems[b], float(means[a] - means[b]),
                float(reduction.means[a] - reduction.means[b]),
            )
            for a, b in zip(better.tolist(), worse.tolist(), strict=True)
        ]  # fmt: skip
    rows.sort(key=lambda row: (-float(row[3] or 0), str(row[0]), str(row[1]), str(row[2])))
    shown = (
        ""
        if len(rows) <= _MOST_SWAPS
        else f" Only the first {_MOST_SWAPS} of {len(rows):,} pairs are listed."
    )
    return NamedTable(
        key=f"{_KEY}-swaps",
        title=f"Pairs of systems that swap ranks under reduced scales of {name}",
        table=Table.of(
            ("reduction", "better before", "worse before", "difference", "then"), rows[:_MOST_SWAPS]
        ),
        note=f"Sorted by the difference in score under the full scale, in descending order.{shown}",
    )


def _figures(
    by_label_set: dict[str, list[_Reduced]], reference: str, measure: str
) -> tuple[Figure, ...]:
    own = by_label_set[reference]
    figures = [
        Figure(
            key=f"{_KEY}-tau",
            title=f"τ of the {measure} ranking under reduced scales of {reference}",
            drawing=Intervals.of(
                ((f"{each.name}: {each.merged}", each.tau, each.low, each.high) for each in own),
                "Kendall's τ-b with the full scale, 95% interval (Fieller)",
                reference=RANKS_ALL.good,
            ),
            caption=f"{count(len(own), 'reduction', 'reductions')}. Rankings with τ at or above the"
            f" line ({RANKS_ALL.good}) count as equal.",
        )
    ]
    if len(by_label_set) > 1:
        values = np.array(
            [[reduction.tau for reduction in reduced] for reduced in by_label_set.values()]
        )
        figures.append(
            Figure(
                key=f"{_KEY}-all",
                title=f"τ between the {measure} rankings under reduced scales and the full scale",
                drawing=HeatMap(
                    rows=list(by_label_set),
                    columns=[reduction.name for reduction in own],
                    values=values.tolist(),
                    low=lowest(values),
                    high=1.0,
                    label="τ-b",
                ),
                caption="τ between each label set's rankings on a reduced and on the full scale.",
            )
        )
    return tuple(figures)
