"""Agreement in direction of significant differences under two label sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.proportions import wilson_interval

_LOW, _HIGH = 0.025, 0.975


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Significant pairs under a label set, compared with the reference.

    Attributes
    ----------
    pairs : int
        All pairs of systems.
    alike, opposite : int
        Pairs significant under both, in the same or opposite direction.
    missed, extra : int
        Pairs significant only under the reference, and only under the label set.
    share, low, high : float
        Share of pairs with the same direction among those significant under both, with its 95%
        interval; nan without such pairs.
    """

    pairs: int
    alike: int
    opposite: int
    missed: int
    extra: int
    share: float
    low: float
    high: float

    @property
    def both(self) -> int:
        """The number of pairs that are significant under both label sets."""
        return self.alike + self.opposite

    @property
    def of(self) -> int:
        """The number of pairs that are significant under the reference."""
        return self.both + self.missed

    @property
    def neither(self) -> int:
        """The number of pairs that are significant under neither label set."""
        return self.pairs - self.of - self.extra


def conflicts(
    reference: PairwiseResult,
    other: PairwiseResult,
    scores: tuple[FloatArray, FloatArray],
    *,
    drawn: FloatArray,
) -> Conflicts:
    """Count the significant pairs, with an interval of the share with the same direction.

    Parameters
    ----------
    reference, other : PairwiseResult
        A test of all pairs, under the reference and the label set, on the same topics.
    scores : pair of float array [topic, system]
        The tested scores.
    drawn : float array [draw, topic]
        Number of occurrences of each topic in bootstrap samples.

    Notes
    -----
    Wilson's interval treats the pairs as independent, though they share systems and
    topics. A bootstrap over topics avoids this, but has zero width if all pairs agree in every
    sample. The interval is therefore the union of both.
    """
    both = reference.significant & other.significant
    same = both & (np.sign(reference.difference) == np.sign(other.difference))
    alike, opposite = int(same.sum()), int((both & ~same).sum())
    share = low = high = float("nan")
    if both.any():
        share = alike / (alike + opposite)
        low, high = wilson_interval(alike, alike + opposite)
        shares = _resample_shares(reference, other, scores, drawn)
        if shares.size:
            ends = np.quantile(shares, [_LOW, _HIGH])
            low, high = min(low, float(ends[0])), max(high, float(ends[1]))
    return Conflicts(
        pairs=len(reference.p),
        alike=alike,
        opposite=opposite,
        missed=int((reference.significant & ~other.significant).sum()),
        extra=int((other.significant & ~reference.significant).sum()),
        share=share,
        low=low,
        high=high,
    )


def _resample_shares(
    reference: PairwiseResult,
    other: PairwiseResult,
    scores: tuple[FloatArray, FloatArray],
    drawn: FloatArray,
) -> FloatArray:
    """Return the share of pairs with the same direction, for each sample that has common pairs."""
    times = drawn / drawn.sum(axis=1, keepdims=True)
    apart = np.ones((len(drawn), len(reference.p)), dtype=bool)
    upwards = []
    for result, values in zip((reference, other), scores, strict=True):
        means = times @ values
        difference = means[:, result.first] - means[:, result.second]
        apart &= np.abs(difference) >= result.critical
        upwards.append(difference > 0)
    alike: BoolArray = apart & (upwards[0] == upwards[1])
    number = apart.sum(axis=1)
    return np.asarray(alike.sum(axis=1)[number > 0] / number[number > 0])
