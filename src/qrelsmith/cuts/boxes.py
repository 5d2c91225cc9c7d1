"""Sums over units for all sets of cuts, if each unit has only a few distinct labels.

Wherever a cut is placed between two adjacent labels of a unit, the result for the unit is the same.
A HIT of 8 docs has at most 16 distinct labels, so any function of the HIT's labels is constant on
boxes of cuts. With three cuts, there are 969 boxes, but 161,700 sets of cuts on a scale of 101
levels. Each box is evaluated once, and the values at its corners are added to a grid of
differences. Cumulative sums along every axis of the grid then give the sum over all units, for
every set of cuts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.cuts.cut_sets import CutSets

Evaluate = Callable[[IntArray, IntArray, Sequence[IntArray]], Sequence[FloatArray]]
"""(units, ranks[unit, label], interval of each cut [1, box]) → some values, each [unit, box].

A label of rank r (from 1, equal labels share one) is above a cut in interval i iff r > i.
"""

_AT_ONCE = 1 << 22  # labels × boxes that are evaluated together
_MOST_CELLS = 1 << 24  # maximum number of cells of a grid of differences


def sum_over_units(
    positions: IntArray, sets: CutSets, evaluate: Evaluate, *, values: int
) -> list[FloatArray]:
    """Sum values over units for every set of cuts.

    Parameters
    ----------
    positions : ndarray of int, [unit, label]
        Position of each label among the candidates (`CutSets.positions`). Units with fewer labels
        are padded with the number of candidates.
    sets : CutSets
        The sets of cuts.
    evaluate : callable
        Computes the values of given units on given boxes.
    values : int
        Number of values that `evaluate` returns.
    """
    width, cuts = sets.candidates.size, len(sets.columns)
    starts, ranks = _slots(positions, width)
    slots = np.count_nonzero(starts < width, axis=1)
    order = np.argsort(slots, kind="stable")
    few = (slots[order] <= _most_slots(len(sets), cuts)) & (width**cuts <= _MOST_CELLS)
    totals = np.zeros((values, len(sets)))
    at_once = max(1, _AT_ONCE // max(1, positions.shape[1]))
    if few.any():
        cells = width**cuts
        grids = np.zeros((values, cells + 1))
        for units, most in _batches(order[few], slots, cuts, at_once):
            boxes = _boxes(most, cuts)
            parts = evaluate(units, ranks[units], boxes.intervals)
            cell = _cells(starts[units, :most], boxes.steps, width).ravel()
            for place, value in enumerate(parts):
                steps = _differences(value, boxes.corners).ravel()
                grids[place] += np.bincount(cell, weights=steps, minlength=cells + 1)
        at = np.ravel_multi_index(sets.columns, (width,) * cuts)
        for place in range(values):
            totals[place] = _cumulate(grids[place, :-1], width, cuts).take(at)
    for unit in order[~few]:
        interval = np.searchsorted(starts[unit], np.arange(width), side="right")
        for part in (slice(first, first + at_once) for first in range(0, len(sets), at_once)):
            intervals = tuple(interval.take(column[part])[None] for column in sets.columns)
            parts = evaluate(np.array([unit]), ranks[[unit]], intervals)
            totals[:, part] += np.concatenate(parts)
    return list(totals)


def not_above(ranks: IntArray, counts: BoolArray, top: int) -> IntArray:
    """Return the number of selected labels that are not above a cut, by interval of the cut.

    Parameters
    ----------
    ranks : ndarray of int, [unit, label]
        Ranks of the labels.
    counts : ndarray of bool, [unit, label]
        Mask of the selected labels.
    top : int
        The last interval.
    """
    units = ranks.shape[0]
    capped = np.minimum(ranks, top + 1)
    flat = (np.arange(units)[:, None] * (top + 2) + capped)[counts]
    found = np.bincount(flat, minlength=units * (top + 2)).reshape(units, top + 2)
    return np.cumsum(found, axis=1)[:, : top + 1]


def _slots(positions: IntArray, width: int) -> tuple[IntArray, IntArray]:
    """Return distinct positions [unit, slot], padded with `width`, and the rank of each label.

    A label at `width` is above every cut, so it has no slot, but the highest rank.
    """
    units, labels = positions.shape
    order = np.argsort(positions, axis=1, kind="stable")
    ordered = np.take_along_axis(positions, order, axis=1)
    first = np.ones((units, labels), dtype=np.bool_)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    rank = np.cumsum(first, axis=1)
    ranks = np.empty_like(positions)
    np.put_along_axis(ranks, order, rank, axis=1)
    starts = np.full((units, labels), width, dtype=np.int64)
    row, column = np.nonzero(first)
    starts[row, rank[row, column] - 1] = ordered[row, column]
    return starts, np.where(positions >= width, labels + 1, ranks)


def _most_slots(sets: int, cuts: int) -> int:
    """Return the largest number of distinct labels at which boxes do not outnumber sets of cuts."""
    slots = 0
    while comb(slots + 1 + cuts, cuts) <= sets:
        slots += 1
    return slots


def _batches(
    order: IntArray, slots: IntArray, cuts: int, at_once: int
) -> Iterator[tuple[IntArray, int]]:
    """Yield units with similar numbers of slots, and the maximum number of slots."""
    start = 0
    while start < order.size:
        # Units are sorted by slots: a batch may grow to twice the boxes of its first unit.
        least = comb(int(slots[order[start]]) + cuts, cuts)
        stop = start + 1
        while stop < order.size:
            boxes = comb(int(slots[order[stop]]) + cuts, cuts)
            if boxes > 2 * least or boxes * (stop + 1 - start) > at_once:
                break
            stop += 1
        yield order[start:stop], int(slots[order[stop - 1]])
        start = stop


@dataclass(frozen=True, eq=False)
class _Boxes:
    """The boxes of units with a given number of slots.

    Values are given for ordered boxes, i_1 ≤ i_2 ≤ … . The running maximum of the intervals extends
    the values to unordered boxes. The mixed differences are then 0 in nearly all unordered boxes.
    The exceptions are boxes in which every decrease is to interval 0.

    Attributes
    ----------
    intervals : tuple of ndarray of int, [cut][1, box]
        The interval of each cut; ordered boxes.
    steps : tuple of ndarray of int, [cut][step]
        The boxes with possibly non-zero mixed differences.
    corners : tuple of (float, ndarray of int [step])
        Terms of a mixed difference: signs and boxes. The index past the last box denotes a position
        below the first interval, where all values are 0.
    """

    intervals: tuple[IntArray, ...]
    steps: tuple[IntArray, ...]
    corners: tuple[tuple[float, IntArray], ...]


@lru_cache(maxsize=64)
def _boxes(slots: int, cuts: int) -> _Boxes:
    ordered = _tuples(slots, cuts, falling=False)
    steps = _tuples(slots, cuts, falling=True)
    place = np.full((slots + 1) ** cuts, -1, dtype=np.int64)
    shape = (slots + 1,) * cuts
    place[np.ravel_multi_index(tuple(ordered.T), shape)] = np.arange(len(ordered))
    corners = []
    for back in product((0, 1), repeat=cuts):
        corner = steps - np.array(back)
        inside = (corner >= 0).all(axis=1)
        highest = np.maximum.accumulate(np.maximum(corner, 0), axis=1)
        at = place[np.ravel_multi_index(tuple(highest.T), shape)]
        corners.append((-1.0 if sum(back) % 2 else 1.0, np.where(inside, at, len(ordered))))
    return _Boxes(
        intervals=tuple(np.ascontiguousarray(column)[None] for column in ordered.T),
        steps=tuple(np.ascontiguousarray(column) for column in steps.T),
        corners=tuple(corners),
    )


def _tuples(slots: int, cuts: int, *, falling: bool) -> IntArray:
    """Tuples of intervals 0 … slots that never decrease, or decrease only to 0 [tuple, cut]."""
    rows = np.arange(slots + 1)[:, None]
    for _ in range(cuts - 1):
        highest = rows.max(axis=1)
        back = (highest > 0) & falling
        counts = slots + 1 - highest + back
        first = np.repeat(highest - back, counts)
        step = np.arange(first.size) - np.repeat(np.cumsum(counts) - counts, counts)
        # If a tuple may decrease, its first continuation is 0.
        column = np.where((step == 0) & np.repeat(back, counts), 0, first + step)
        rows = np.concatenate([np.repeat(rows, counts, axis=0), column[:, None]], axis=1)
    return rows


def _differences(values: FloatArray, corners: Sequence[tuple[float, IntArray]]) -> FloatArray:
    """Mixed differences of values [unit, box] along the axes of the cuts, [unit, step]."""
    padded = np.concatenate([values, np.zeros((values.shape[0], 1))], axis=1)
    total = np.zeros((values.shape[0], corners[0][1].size))
    for sign, at in corners:
        total += sign * padded[:, at]
    return total


def _cumulate(grid: FloatArray, width: int, cuts: int) -> FloatArray:
    """Cumulative sums of a flat grid along every axis."""
    summed = grid.reshape((width,) * cuts)
    for axis in range(cuts):
        summed = np.cumsum(summed, axis=axis)
    return summed


def _cells(starts: IntArray, steps: Sequence[IntArray], width: int) -> IntArray:
    """Return a box's first cell in the flat grid [unit, step]; the grid's size if it has none."""
    begins = np.concatenate([np.zeros((starts.shape[0], 1), dtype=np.int64), starts], axis=1)
    beyond = np.zeros((starts.shape[0], steps[0].size), dtype=np.bool_)
    cell = np.zeros(beyond.shape, dtype=np.int64)
    for step in steps:
        first = begins[:, step]
        beyond |= first >= width
        cell = cell * width + first
    return np.where(beyond, width ** len(steps), cell)
