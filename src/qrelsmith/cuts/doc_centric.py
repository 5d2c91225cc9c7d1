"""Double-data-set methods by doc: one cut grade per doc, compared with the target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.cuts.boxes import Evaluate, not_above, sum_over_units
from qrelsmith.cuts.counted_levels import levels_above
from qrelsmith.cuts.cut_sets import CutSets
from qrelsmith.cuts.merged import is_collapsed, merged_alpha
from qrelsmith.cuts.registry import CUT_METHODS, CutAlphas, of_docs
from qrelsmith.cuts.topic_labels import BY_PLACE, TopicLabels, aggregate, name_of

_Below = Callable[[slice, CutSets], Mapping[tuple[int, int], FloatArray]]
"""Sets of cuts → for each (i, j), the number of docs not above cut i with target ≤ j, [set]."""


@CUT_METHODS.add(
    "doc-at",
    formula="α between the docs' aggregated labels, cut, and their target grades",
    source="Han et al. 2019, 3.3.2: D_a+t²",
    needs_target=True,
    unit="doc",
    order="at",
    direct=lambda one: one.alpha(
        np.stack([one.aggregated_then_cut(one.labels.ratings), one.labels.target])
    ),
)
def doc_at(
    labels: TopicLabels,
    sets: CutSets,
    *,
    by: str = "median",
    level: str = "ordinal",
    undefined: str = "nan",
) -> CutAlphas:
    """Aggregate labels to one grade per doc, cut these grades, and compare them with target grades.

    Docs without a label or target are ignored.

    `units` counts the docs used.

    References
    ----------
    Han et al. (2019), On transforming relevance scales, section 3.3.2.
    """
    labels = _labels_with_target(labels)
    grade = aggregate(labels.ratings, by)
    return _alphas(
        _count_positions_below(sets.positions(grade), labels, sets),
        labels,
        sets,
        level=level,
        undefined=undefined,
    )


@CUT_METHODS.add(
    "doc-ta",
    formula="α between the docs' labels, each cut and then aggregated, and their target grades",
    source="Han et al. 2019, 3.3.2: D_t+a²",
    needs_target=True,
    unit="doc",
    order="ta",
    direct=lambda one: one.alpha(
        np.stack([one.cut_then_aggregated(one.labels.ratings), one.labels.target])
    ),
)
def doc_ta(
    labels: TopicLabels,
    sets: CutSets,
    *,
    by: str = "median",
    level: str = "ordinal",
    undefined: str = "nan",
) -> CutAlphas:
    """Cut labels, aggregate them to one level per doc, and compare these levels with target grades.

    A positional aggregation (lower median) commutes with cuts, so the result equals `doc-at`. The
    mean of the two middle labels depends only on these two labels, so prefix sums over both labels
    are enough. Any other aggregation is constant on the boxes between a doc's labels.

    Docs without a label or target are ignored. An aggregate between two target levels is rounded
    down.

    `units` counts the docs used.

    References
    ----------
    Han et al. (2019), On transforming relevance scales, section 3.3.2.
    """
    labels = _labels_with_target(labels)
    name = name_of(by)
    if name in BY_PLACE or (name == "majority" and sets.targets == 2):
        # With two levels, the majority (the lower level if tied) is the lower median.
        by_place = "median" if name == "majority" else name
        below = _count_positions_below(
            sets.positions(aggregate(labels.ratings, by_place)), labels, sets
        )
    elif name == "median-mean":
        below = _count_middles_below(labels, sets)
    else:
        below = _count_levels_below(labels, sets, name)
    return _alphas(below, labels, sets, level=level, undefined=undefined)


def _labels_with_target(labels: TopicLabels) -> TopicLabels:
    """Return the docs that have labels and a target, and their labels."""
    counts = ~np.isnan(labels.target)
    counts &= np.bincount(labels.doc, minlength=labels.docs) > 0
    kept = counts[labels.doc]
    renumbered = np.cumsum(counts) - 1
    return TopicLabels(
        grade=labels.grade[kept],
        doc=renumbered[labels.doc[kept]],
        unit=labels.unit[kept],
        target=labels.target[counts],
    )


def _alphas(
    below: _Below, labels: TopicLabels, sets: CutSets, *, level: str, undefined: str
) -> CutAlphas:
    """α between cut grades of the docs and the uncut target grades."""
    cuts, top = sets.targets - 1, sets.targets - 1
    of_target = [float((labels.target <= j).sum()) for j in range(sets.targets)]
    alpha, degenerate = np.empty(len(sets)), np.empty(len(sets), dtype=np.bool_)
    for part, some in sets.parts:
        of_sets = below(part, some)
        margins = [of_sets[i, top] + of_target[i] for i in range(cuts)]
        straddling = {
            # not above cut i, target above cut j; target not above cut i, above cut j
            (i, j): of_sets[i, top] - of_sets[i, j] + of_target[i] - of_sets[j, i]
            for i in range(cuts)
            for j in range(i, cuts)
        }
        total = 2.0 * labels.docs
        alpha[part] = merged_alpha(margins, straddling, total, level=level, undefined=undefined)
        degenerate[part] = is_collapsed([of_sets[i, top] for i in range(cuts)], float(labels.docs))
    return of_docs(alpha, labels.docs, degenerate)


def _count_positions_below(position: IntArray, labels: TopicLabels, sets: CutSets) -> _Below:
    """Count units below each cut, with one position per doc on the source scale."""
    width = sets.candidates.size
    tables = []
    for j in range(sets.targets):
        of_level = position[labels.target <= j]
        cumulated = np.cumsum(np.bincount(of_level, minlength=width + 1))[:width]
        tables.append(cumulated.astype(np.float64))

    def count_below(part: slice, some: CutSets) -> dict[tuple[int, int], FloatArray]:  # noqa: ARG001
        return {
            (i, j): table.take(column)
            for i, column in enumerate(some.columns)
            for j, table in enumerate(tables)
        }

    return count_below


def _count_middles_below(labels: TopicLabels, sets: CutSets) -> _Below:
    """Count units below each cut, with a doc's level as the rounded mean of two middle labels.

    Let a ≤ b be the levels of the two labels. Then ⌊(a + b)/2⌋ ≤ i means a + b ≤ 2i + 1: for each a
    ≤ i, b is at most 2i + 1 − a. For each a, these docs form a rectangle, whose count is a
    difference of two prefix sums over (lower, upper).
    """
    low = sets.positions(aggregate(labels.ratings, "median"))
    high = sets.positions(aggregate(labels.ratings, "median-upper"))
    width = sets.candidates.size
    tables = []
    for j in range(sets.targets):
        chosen = labels.target <= j
        counts = np.zeros((width + 1, width + 1))
        np.add.at(counts, (low[chosen], high[chosen]), 1.0)
        # The last row and column represent a cut above everything.
        tables.append(counts.cumsum(axis=0).cumsum(axis=1))

    def count_below(part: slice, some: CutSets) -> dict[tuple[int, int], FloatArray]:  # noqa: ARG001
        return {
            (i, j): _rectangles(table, i, some)
            for i in range(len(some.columns))
            for j, table in enumerate(tables)
        }

    return count_below


def _rectangles(table: FloatArray, i: int, sets: CutSets) -> FloatArray:
    """Count docs whose middle labels have levels a ≤ b with a + b ≤ 2i + 1 [set]."""
    everything = sets.candidates.size
    cuts = len(sets.columns)

    def at(first: int, second: int) -> FloatArray:
        """Count docs whose lower label is ≤ cut `first` and whose upper label is ≤ cut `second`."""
        rows = sets.columns[first] if first < cuts else everything
        columns = sets.columns[second] if second < cuts else everything
        return np.asarray(table[rows, columns])

    total = np.zeros(len(sets))
    for a in range(i + 1):
        total += at(a, 2 * i + 1 - a)
        if a:
            total -= at(a - 1, 2 * i + 1 - a)
    return total


def _count_levels_below(labels: TopicLabels, sets: CutSets, by: str) -> _Below:
    """Count units below each cut, for a function of a doc's levels that is constant on boxes."""
    has_label = ~np.isnan(labels.ratings).T
    positions = np.full(has_label.shape, sets.candidates.size, dtype=np.int64)
    positions[has_label] = sets.positions(labels.ratings.T[has_label])
    cuts = sets.targets - 1
    counted: dict[tuple[int, int], FloatArray] = {}
    for j in range(sets.targets):
        docs = np.flatnonzero(labels.target == j)
        evaluate = _levels(has_label[docs], by)
        found = sum_over_units(positions[docs], sets, evaluate, values=cuts)
        for i in range(cuts):
            # The sums are whole numbers, except for rounding errors.
            counted[i, j] = np.rint(found[i]) + (counted[i, j - 1] if j else 0.0)
    return lambda part, some: {pair: counts[part] for pair, counts in counted.items()}  # noqa: ARG005


def _levels(has_label: BoolArray, by: str) -> Evaluate:
    """Return a function that marks the docs whose aggregate is not above a cut."""

    def evaluate(
        units: IntArray, ranks: IntArray, intervals: Sequence[IntArray]
    ) -> Sequence[FloatArray]:
        top = int(max(interval.max(initial=0) for interval in intervals))
        counts = not_above(ranks, has_label[units], top)
        rows = np.arange(units.size)[:, None]
        size = has_label[units].sum(axis=1)[:, None]
        above = levels_above([counts[rows, interval] for interval in intervals], size, by)
        return [(~one).astype(np.float64) for one in above]

    return evaluate
