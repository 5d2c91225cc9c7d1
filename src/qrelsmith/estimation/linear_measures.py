"""Measures that are sums over docs of a rank discount times the worth of a grade."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.registry import Named
from qrelsmith.base.scales import Gains, Scale
from qrelsmith.evaluation.measures import MEASURES, MeasureFunction
from qrelsmith.evaluation.measures.graded import exponential_gains

_SUMS = ("P", "RBP", "DCG", "nDCG")
_NEGLIGIBLE = 1e-4  # share of RBP's weight; the later ranks are ignored


@dataclass(frozen=True, slots=True, eq=False)
class LinearMeasure:
    """A measure as its terms: Σ over docs of discount(rank) · worth(grade), per topic.

    Attributes
    ----------
    label : str
        The measure's full name.
    discount : float array [rank + 1]
        The weight of each rank; index 0 (unranked) has weight 0.
    worth : float array [level]
        The worth of each level, ascending, 0 for the lowest.
    normalised : bool
        Whether a topic's sum is divided by the sum of its ideal ranking (nDCG).
    most : float or None
        The highest score, for measures without rank discounts (answer measures).
    offset : float
        Constant added to the sum: the lowest level of a criterion.
    """

    label: str
    discount: FloatArray
    worth: FloatArray
    normalised: bool
    most: float | None = None
    offset: float = 0.0

    @property
    def depth(self) -> int:
        """The last rank that counts."""
        return len(self.discount) - 1

    @property
    def highest(self) -> float:
        """The highest possible score of a run."""
        if self.most is not None:
            return self.most
        return 1.0 if self.normalised else float(self.worth[-1] * self.discount.sum())

    def weights(self, rank: IntArray) -> FloatArray:
        """Return the discounts of ranks [...]; 0 for rank 0 or beyond the depth."""
        return np.asarray(self.discount[np.where(rank <= self.depth, rank, 0)])


def linear_measure(name: str, scale: Scale, *, gains: Gains | None = None) -> LinearMeasure:
    """Return the terms of a measure, named in the registry's syntax.

    Parameters
    ----------
    name : str
        P@k, RBP, DCG@k or nDCG@k, with their parameters.
    scale : Scale
        The levels that people grade on.
    gains : Gains, optional
        The gain of each grade; by default the grade itself.

    Raises
    ------
    UsageError
        If the measure is not a sum over docs; the error suggests the nearest such measure.
    """
    measure = MEASURES.get(name)
    kind, rel, cutoff = measure.entry.name, measure.parameters.get("rel"), measure.cutoff
    if kind not in _SUMS:
        near = f"nDCG@{cutoff:g} in pairs, RBP(p=0.8)@{cutoff:g}" if cutoff else "RBP(p=0.8)"
        raise UsageError(
            f"{measure.label} is not a sum over docs, so no valid interval from a "
            f"sample is known; expected P@k, RBP, DCG@k or nDCG@k, such as {near}"
        )
    levels = np.array(scale.levels)
    values = np.asarray(levels if gains is None else gains.of(levels), dtype=np.float64)
    if rel is not None:
        values = (levels >= float(rel)).astype(np.float64)
    elif kind == "RBP":
        values = values / values[-1] if values[-1] > 0 else values
    elif measure.parameters.get("dcg") == "exp-log2":
        values = exponential_gains(values)
    if (np.diff(values) < 0).any():
        raise UsageError("the gains do not increase with the grades; expected increasing gains")
    return LinearMeasure(
        label=measure.label,
        discount=np.append(0.0, _discount(measure)),
        worth=values,
        normalised=kind == "nDCG",
    )


def _discount(measure: Named[MeasureFunction]) -> FloatArray:
    """Return the weights of the ranks 1, 2, …."""
    kind, cutoff = measure.entry.name, measure.cutoff
    if kind == "RBP":
        p = float(measure.parameters["p"] or 0.0)
        needed = 1 if p == 0 else int(np.ceil(np.log(_NEGLIGIBLE) / np.log(p)))
        depth = needed if cutoff is None else min(int(cutoff), needed)
        return np.asarray((1 - p) * p ** np.arange(depth, dtype=np.float64))
    if cutoff is None:
        raise UsageError(f"{measure.label} has no cutoff; expected one, such as {measure.label}@10")
    depth = int(cutoff)
    if kind == "P":
        return np.full(depth, 1.0 / depth)
    return np.asarray(1.0 / np.log2(np.arange(2.0, depth + 2.0)))
