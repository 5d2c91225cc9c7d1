"""HIT-centric methods: each assessor's HIT is compared with other assessors or a target.

A unit consists of the docs that one assessor judged in one HIT. The methods compute α per unit
between two gradings of these docs, and average α over the units with a value.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.cuts.boxes import not_above
from qrelsmith.cuts.cut_sets import CutSets
from qrelsmith.cuts.hit_units import (
    HitUnits,
    defined_or_zero,
    mean_over_units,
    others_cut_before,
    own_and_others_cut,
)
from qrelsmith.cuts.merged import merged_alpha
from qrelsmith.cuts.registry import CUT_METHODS, CutAlphas
from qrelsmith.cuts.topic_labels import BY_PLACE, TopicLabels, aggregate, name_of


@CUT_METHODS.add(
    "hit-at",
    formula="mean over HITs of α between the assessor's labels and the aggregate of the others',"
    " both cut",
    source="Han et al. 2019, 3.3.1: H_a+t¹",
    needs_target=False,
    unit="HIT",
    order="at",
    direct=lambda one: one.mean_over_units(one.aggregated_then_cut(one.labels.others)),
)
def hit_at(
    labels: TopicLabels,
    sets: CutSets,
    *,
    by: str = "median",
    level: str = "ordinal",
    undefined: str = "nan",
) -> CutAlphas:
    """Compare an assessor's labels with other assessors' labels, aggregated and then cut.

    Labels of docs without another label are ignored.

    `units` counts the HITs with a value.

    References
    ----------
    Han et al. (2019), On transforming relevance scales, section 3.3.1.
    """
    rest = aggregate(labels.others, by)
    shared = ~np.isnan(rest)
    table = HitUnits.of(labels, shared)
    own = table.laid_out(sets.positions(labels.grade), sets.candidates.size)
    others = np.full(labels.grade.size, sets.candidates.size, dtype=np.int64)
    others[shared] = sets.positions(rest[shared])
    positions = np.concatenate([own, table.laid_out(others, sets.candidates.size)], axis=1)
    return mean_over_units(
        table, labels, sets, positions, own_and_others_cut(table, level, undefined)
    )


@CUT_METHODS.add(
    "hit-ta",
    formula="mean over HITs of α between the assessor's labels and the aggregate of the others',"
    " each cut before",
    source="Han et al. 2019, 3.3.1: H_t+a¹",
    needs_target=False,
    unit="HIT",
    order="ta",
    direct=lambda one: one.mean_over_units(one.cut_then_aggregated(one.labels.others)),
)
def hit_ta(
    labels: TopicLabels,
    sets: CutSets,
    *,
    by: str = "median",
    level: str = "ordinal",
    undefined: str = "nan",
) -> CutAlphas:
    """Compare an assessor's labels with other assessors' labels, cut and then aggregated.

    A positional aggregation (lower median) and the majority of two levels commute with cuts, so the
    result equals `hit-at`. Other aggregations depend on all labels of the docs of a HIT, and take
    about ten times as long.

    Labels of docs without another label are ignored. An aggregate between two target levels is
    rounded down.

    `units` counts the HITs with a value.

    References
    ----------
    Han et al. (2019), On transforming relevance scales, section 3.3.1.
    """
    name = name_of(by)
    if name == "majority" and sets.targets == 2:
        # Of two levels the majority, the lower one where they tie, is the lower median.
        name = "median"
    others = labels.others
    if name == "median-mean" and _one_middle(others):
        name = "median"
    if name in BY_PLACE:
        return hit_at(labels, sets, by=name, level=level, undefined=undefined)
    missing = np.isnan(others)
    table = HitUnits.of(labels, np.asarray(~missing.all(axis=0)))
    width = sets.candidates.size
    around = np.full(others.shape, width, dtype=np.int64)
    around[~missing] = sets.positions(others[~missing])
    # The first column of each doc is the assessor's own label, followed by other labels [slot].
    columns = [table.laid_out(sets.positions(labels.grade), width)]
    columns += [table.laid_out(row, width) for row in around]
    known = np.stack([table.laid_out(row.astype(np.int64), 0) for row in ~missing], axis=2) > 0
    stacked = np.stack(columns, axis=2)
    evaluate = others_cut_before(table, known, name, level, undefined)
    return mean_over_units(table, labels, sets, stacked.reshape(stacked.shape[0], -1), evaluate)


@CUT_METHODS.add(
    "hit2",
    formula="mean over HITs of α between the assessor's labels, cut, and the target grades",
    source="Han et al. 2019, 3.3.2: H²",
    needs_target=True,
    unit="HIT",
    order="at",
    direct=lambda one: one.mean_over_units(one.labels.target[one.labels.doc]),
)
def hit2(
    labels: TopicLabels,
    sets: CutSets,
    *,
    by: str = "median",  # noqa: ARG001 - nothing is aggregated
    level: str = "ordinal",
    undefined: str = "nan",
) -> CutAlphas:
    """Compare an assessor's cut labels with grades on the target scale.

    Labels of docs without a target are ignored; `by` has no effect.

    `units` counts the HITs with a value.

    References
    ----------
    Han et al. (2019), On transforming relevance scales, section 3.3.2.
    """
    target = labels.target[labels.doc]
    shared = ~np.isnan(target)
    table = HitUnits.of(labels, shared)
    width, cuts = sets.candidates.size, sets.targets - 1
    positions = table.laid_out(sets.positions(labels.grade), width)
    aim = np.full(positions.shape, np.nan)
    aim[table.row, table.place] = target[table.label]

    def evaluate(
        units: IntArray, ranks: IntArray, intervals: Sequence[IntArray]
    ) -> Sequence[FloatArray]:
        rows = np.arange(units.size)[:, None]
        top = int(max(interval.max(initial=0) for interval in intervals))
        # below[j][unit, interval]: labels not above a cut there, of docs with a target of at most j
        below = [
            not_above(ranks, aim[units] <= j, top).astype(np.float64) for j in range(sets.targets)
        ]
        of_target = [
            np.count_nonzero(aim[units] <= j, axis=1)[:, None].astype(np.float64)
            for j in range(sets.targets)
        ]
        at = {
            (i, j): below[j][rows, intervals[i]] for i in range(cuts) for j in range(sets.targets)
        }
        straddling = {
            (i, j): at[i, cuts] - at[i, j] + of_target[i] - at[j, i]
            for i in range(cuts)
            for j in range(i, cuts)
        }
        margins = [at[i, cuts] + of_target[i] for i in range(cuts)]
        total = 2.0 * of_target[-1]
        return defined_or_zero(
            merged_alpha(margins, straddling, total, level=level, undefined=undefined)
        )

    return mean_over_units(table, labels, sets, positions, evaluate)


def _one_middle(ratings: FloatArray) -> bool:
    """Return whether no column of `ratings[slot, label]` has an even number of values above 0."""
    counts = np.count_nonzero(~np.isnan(ratings), axis=0)
    return bool(((counts % 2 == 1) | (counts == 0)).all())
