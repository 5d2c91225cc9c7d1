"""Pairs of docs that no preference test compares yet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.discrimination.preferences.coding import level_codes
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests


@dataclass(frozen=True, slots=True)
class OpenPairs:
    """Pairs of docs without a test, sorted by kind and in random order within one kind.

    Attributes
    ----------
    pairs : int array [pair, 3]
        Topic, left and right doc; which doc is on the left is random.
    kinds : int array [pair]
        The kind of each pair: the grades of its two docs.
    weights : float array [pair]
        The number of pairs of the same kind that each pair represents.
    """

    pairs: IntArray
    kinds: IntArray
    weights: FloatArray


def open_pairs(
    grades: FloatArray, tests: PreferenceTests, budget: int, rng: np.random.Generator
) -> OpenPairs:
    """Return the pairs of docs of a topic that no test compares yet.

    Parameters
    ----------
    grades : float array [topic, doc]
        The grades that define the kinds of pairs, including equal ones; a doc with nan is not
        tested.
    tests : PreferenceTests
        The tests so far.
    budget : int
        The maximum number of pairs per kind; if there are more, this number is drawn.
    rng : numpy.random.Generator
        Source of randomness.
    """
    codes, levels = level_codes(grades[..., None], levels=None)
    docs = grades.shape[1]
    counts = np.zeros(len(levels) ** 2, dtype=np.int64)
    rows, kinds, turns = [], [], []
    for topic, row in enumerate(codes[..., 0]):
        own = tests.topics == topic
        made = np.concatenate(
            [tests.left[own] * docs + tests.right[own], tests.right[own] * docs + tests.left[own]]
        )
        graded = np.flatnonzero(row >= 0)
        first, second = (graded[side] for side in np.triu_indices(graded.size, 1))
        free = ~np.isin(first * docs + second, made)
        first, second = first[free], second[free]
        kind = np.minimum(row[first], row[second]) * len(levels) + np.maximum(
            row[first], row[second]
        )
        turn = rng.random(kind.size)
        counts += np.bincount(kind, minlength=counts.size)
        kept = _first_of_kind(kind, turn, budget)
        rows.append(np.column_stack([np.full(kept.size, topic), first[kept], second[kept]]))
        kinds.append(kind[kept])
        turns.append(turn[kept])
    kept = _first_of_kind(np.concatenate(kinds), np.concatenate(turns), budget)
    pairs, kind = np.concatenate(rows)[kept], np.concatenate(kinds)[kept]
    turned = rng.random(len(pairs)) < 0.5
    pairs[turned] = pairs[turned][:, [0, 2, 1]]
    return OpenPairs(pairs, kind, (counts / np.clip(counts, 1, budget))[kind])


def _first_of_kind(kinds: IntArray, turns: FloatArray, count: int) -> IntArray:
    """Return the positions of the first few pairs of each kind, by kind and turn."""
    order = np.lexsort((turns, kinds))
    ordered = kinds[order]
    return order[np.arange(order.size) - np.searchsorted(ordered, ordered) < count]
