"""α between two gradings of the docs of each HIT, and the mean over HITs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.cuts.boxes import Evaluate, not_above, sum_over_units
from qrelsmith.cuts.counted_levels import levels_above
from qrelsmith.cuts.cut_sets import CutSets
from qrelsmith.cuts.merged import is_collapsed, merged_alpha
from qrelsmith.cuts.registry import CutAlphas
from qrelsmith.cuts.topic_labels import TopicLabels


@dataclass(frozen=True, eq=False)
class HitUnits:
    """Selected labels arranged by unit.

    Attributes
    ----------
    row, place, label : ndarray of int, [label that counts]
        The unit of each label, its position in the unit, and its index.
    held : ndarray of bool, [unit, place]
        Whether a cell has a label.
    """

    row: IntArray
    place: IntArray
    label: IntArray
    held: BoolArray

    @classmethod
    def of(cls, labels: TopicLabels, counts: BoolArray) -> HitUnits:
        """Return the units of the labels where `counts` [label] is true, including empty units."""
        units = np.unique(labels.unit)
        chosen = np.flatnonzero(counts)
        row = np.searchsorted(units, labels.unit[chosen])
        order = np.argsort(row, kind="stable")
        row, chosen = row[order], chosen[order]
        sizes = np.bincount(row, minlength=units.size)
        place = np.arange(row.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        held = np.zeros((units.size, int(sizes.max(initial=0))), dtype=np.bool_)
        held[row, place] = True
        return cls(row, place, chosen, held)

    def laid_out(self, values: IntArray, fill: int) -> IntArray:
        """Values of the labels [unit, place], with `fill` in empty cells."""
        table = np.full(self.held.shape, fill, dtype=np.int64)
        table[self.row, self.place] = values[self.label]
        return table


def mean_over_units(
    table: HitUnits, labels: TopicLabels, sets: CutSets, positions: IntArray, evaluate: Evaluate
) -> CutAlphas:
    """Return the mean of α over the units with a value, and the number of these units."""
    units = table.held.shape[0]
    total, count = sum_over_units(positions, sets, evaluate, values=2)
    defined = np.rint(count).astype(np.int64)
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha = np.where(defined > 0, total / defined, np.nan)
    position = sets.positions(labels.grade)
    width = sets.candidates.size
    cumulated = np.cumsum(np.bincount(position, minlength=width + 1))[:width]
    degenerate = is_collapsed(
        [cumulated.take(column) for column in sets.columns], float(position.size)
    )
    return CutAlphas(alpha=alpha, units=defined, of=units, degenerate=degenerate)


def own_and_others_cut(table: HitUnits, level: str, undefined: str) -> Evaluate:
    """Return an evaluator that cuts both parts of a unit's labels [own …, others' …]."""
    docs = table.held.shape[1]

    def evaluate(
        units: IntArray, ranks: IntArray, intervals: Sequence[IntArray]
    ) -> Sequence[FloatArray]:
        cuts = len(intervals)
        top = int(max(interval.max(initial=0) for interval in intervals))
        held = table.held[units]
        own, others = ranks[:, :docs], ranks[:, docs:]
        low, high = np.minimum(own, others), np.maximum(own, others)
        rows = np.arange(units.size)[:, None]
        below = not_above(own, held, top) + not_above(others, held, top)
        apart = _straddling(low, high, held, top)
        margins = [below[rows, interval].astype(np.float64) for interval in intervals]
        straddling = {
            (i, j): apart[rows, intervals[i], intervals[j]]
            for i in range(cuts)
            for j in range(i, cuts)
        }
        total = 2.0 * np.count_nonzero(held, axis=1)[:, None].astype(np.float64)
        return defined_or_zero(
            merged_alpha(margins, straddling, total, level=level, undefined=undefined)
        )

    return evaluate


def others_cut_before(
    table: HitUnits, has_label: BoolArray, by: str, level: str, undefined: str
) -> Evaluate:
    """Return an evaluator that cuts every label [doc: own, others' …] before aggregation."""

    def evaluate(
        units: IntArray, ranks: IntArray, intervals: Sequence[IntArray]
    ) -> Sequence[FloatArray]:
        cuts = len(intervals)
        top = int(max(interval.max(initial=0) for interval in intervals))
        held = table.held[units]
        docs = held.shape[1]
        labels = ranks.reshape(units.size, docs, 1 + has_label.shape[2])
        others = labels[:, :, 1:].reshape(units.size * docs, has_label.shape[2])
        of_doc = has_label[units].reshape(others.shape)
        counts = not_above(others, of_doc, top).astype(np.int32)
        rows = np.arange(others.shape[0]).reshape(units.size, docs)[:, :, None]
        size = of_doc.sum(axis=1, dtype=np.int32)
        rest = levels_above(
            [counts[rows, interval[:, None, :]] for interval in intervals],
            size.reshape(units.size, docs, 1),
            by,
        )
        own = [labels[:, :, :1] > interval[:, None, :] for interval in intervals]
        here = held[:, :, None]
        low = [~above & here for above in own]
        low_rest = [~above & here for above in rest]
        margins = [
            (a.sum(axis=1) + b.sum(axis=1)).astype(np.float64)
            for a, b in zip(low, low_rest, strict=True)
        ]
        straddling = {
            (i, j): ((low[i] & rest[j]) | (low_rest[i] & own[j])).sum(axis=1).astype(np.float64)
            for i in range(cuts)
            for j in range(i, cuts)
        }
        total = 2.0 * held.sum(axis=1)[:, None]
        return defined_or_zero(
            merged_alpha(margins, straddling, total, level=level, undefined=undefined)
        )

    return evaluate


def defined_or_zero(alpha: FloatArray) -> tuple[FloatArray, FloatArray]:
    """α, with undefined values as 0, and a 0/1 mask of the defined values."""
    known = ~np.isnan(alpha)
    return np.where(known, alpha, 0.0), known.astype(np.float64)


def _straddling(low: IntArray, high: IntArray, held: BoolArray, top: int) -> FloatArray:
    """Count docs whose lower label is not above cut i and whose higher label is above cut j ≥ i."""
    units = low.shape[0]
    size = top + 2
    flat = (np.arange(units)[:, None] * size + np.minimum(low, top + 1)) * size
    flat = (flat + np.minimum(high, top + 1))[held]
    counts = np.bincount(flat, minlength=units * size * size).reshape(units, size, size)
    cumulated = np.cumsum(counts, axis=1)[:, : top + 1]
    above = np.cumsum(cumulated[:, :, ::-1], axis=2)[:, :, ::-1]
    return above[:, :, 1:].astype(np.float64)
