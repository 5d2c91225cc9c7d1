"""Comparisons examined for a kind of data problem, and their majority."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.registry_entries import Entry
from qrelsmith.damages.evidence import Evidence, majority_p
from qrelsmith.damages.registry import DamageTest


@dataclass(frozen=True, slots=True)
class Examined:
    """The figures of one test for one culprit in one label set.

    Attributes
    ----------
    entry : Entry
        The kind of damage.
    label_set : int
        The label set that was looked at.
    culprit : tuple of int
        See `Evidence`.
    value, low, high, detail : float
        See `Evidence`.
    p : float
        After Holm over the culprits of this label set.
    found : bool
        Whether this label set is damaged so.
    other : int
        The label set that it was held against; −1 where none is needed, −2: most of the others.
    blamed : int
        Whose fault it is: the set itself, or another one; −1 where nobody can tell these two.
    sharing, others : int
        How many sets of other methods show the same against the reference, and of how many.
    """

    entry: Entry[DamageTest]
    label_set: int
    culprit: tuple[int, ...]
    value: float
    low: float
    high: float
    detail: float
    p: float
    found: bool
    other: int
    blamed: int
    sharing: int = 0
    others: int = 0

    @property
    def damage(self) -> str:
        """The kind of damage."""
        return self.entry.name


def by_majority(evidence: Sequence[Evidence]) -> Evidence:
    """Return the figures of most tests: values in the middle, p by `majority_p`."""
    if len(evidence) == 1:
        return evidence[0]
    culprits = list(dict.fromkeys(each for test in evidence for each in test.culprits))
    shape = (len(evidence), len(culprits))
    p, large = np.ones(shape), np.zeros(shape, dtype=bool)
    numbers = np.full((4, *shape), np.nan)
    place = {culprit: at for at, culprit in enumerate(culprits)}
    for number, test in enumerate(evidence):
        at = [place[culprit] for culprit in test.culprits]
        p[number, at], large[number, at] = test.p, test.large
        numbers[:, number, at] = test.value, test.low, test.high, test.detail
    # The test in the middle of those that speak stands for all: its numbers belong together. Where
    # several have its p, their numbers tell which it is, so that nothing hangs on their order.
    middle = np.lexsort((*numbers[::-1], p), axis=0)[len(evidence) // 2] if culprits else []
    value, low, high, detail = numbers[:, middle, np.arange(len(culprits))]
    p_all = majority_p(np.where(large, p, 1.0)) if culprits else np.zeros(0)
    most = large.sum(axis=0) * 2 > len(evidence)
    return Evidence.of(culprits, value, p_all, large=most, low=low, high=high, detail=detail)
