"""Comparisons for a kind of data problem, and the majority of several comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.registry_entries import Entry
from qrelsmith.damages.evidence import Evidence, majority_p
from qrelsmith.damages.registry import DamageTest


@dataclass(frozen=True, slots=True)
class Examined:
    """The statistics of one test for one possible source in one label set.

    Attributes
    ----------
    entry : Entry
        The kind of damage.
    label_set : int
        The label set that was examined.
    culprit : tuple of int
        See `Evidence`.
    value, low, high, detail : float
        See `Evidence`.
    p : float
        The p-value after Holm's adjustment over the possible sources in this label set.
    found : bool
        Whether this label set has the damage.
    other : int
        The label set used for comparison; −1 if none is needed, −2 for most other sets.
    blamed : int
        The set at fault: this set or another one; −1 if the two cannot be distinguished.
    sharing, others : int
        The number of sets of other methods that show the same problem against the reference, and of
        all sets of other methods.
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
    """Return the statistics of the test with the median p, with p replaced by `majority_p`."""
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
    # The test with the median p represents all tests, because its numbers belong together. If
    # several tests have this p, their numbers decide, so that the result does not depend on the
    # order.
    middle = np.lexsort((*numbers[::-1], p), axis=0)[len(evidence) // 2] if culprits else []
    value, low, high, detail = numbers[:, middle, np.arange(len(culprits))]
    p_all = majority_p(np.where(large, p, 1.0)) if culprits else np.zeros(0)
    most = large.sum(axis=0) * 2 > len(evidence)
    return Evidence.of(culprits, value, p_all, large=most, low=low, high=high, detail=detail)
