"""The choice of the best set of cuts, and of one where several are best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import ShapeError, UnknownNameError
from qrelsmith.cuts.cut_sets import CutSets

TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class CutChoice:
    """The best set of cuts.

    Attributes
    ----------
    place : int
        The set that was taken; −1 where no set has a value.
    value : float
        Its value; nan where no set has one.
    tied : ndarray of int, [tied]
        All sets that are as good, the one that was taken among them, ascending.
    """

    place: int
    value: float
    tied: IntArray


def best_cuts(values: ArrayLike, sets: CutSets, *, ties: str = "middle") -> CutChoice:
    """Return the set of cuts with the highest value.

    Parameters
    ----------
    values : array_like, [set]
        How good each set is; nan is never the best.
    ties : str
        Which one to take of sets within 1e-9 of the best: the `middle` one (nearest to the mean of
        their cuts, counted in candidates; of several the first), the `lowest` or the `highest`.

    Raises
    ------
    ShapeError
        If there is not one value for every set.
    UnknownNameError
        If there is no such rule.
    """
    if ties not in _RULES:
        raise UnknownNameError("rule for ties", ties, _RULES)
    objective = float_array(values, name="values", ndim=1)
    if objective.size != len(sets):
        raise ShapeError(
            f"{objective.size} values for {len(sets)} sets of cuts; expected one value each"
        )
    defined = ~np.isnan(objective)
    if not defined.any():
        return CutChoice(place=-1, value=np.nan, tied=np.empty(0, dtype=np.int64))
    highest = objective[defined].max()
    tied = np.flatnonzero(defined & (objective >= highest - TOLERANCE))
    place = int(tied[_RULES[ties](sets.places[tied])])
    return CutChoice(place=place, value=float(objective[place]), tied=tied)


def closeness(values: ArrayLike, reference: float) -> FloatArray:
    """Return the closeness of each value to a reference, highest is best: −|value − reference|."""
    return -np.abs(float_array(values, name="values") - reference)


def cut_groups(values: ArrayLike, *, size: int = 1000) -> dict[str, IntArray]:
    """Return the best, the median and the worst sets of cuts.

    Parameters
    ----------
    values : array_like, [set]
        How good each set is; sets without a value (nan) are in no group.
    size : int
        How many sets a group has, fewer where fewer have a value. Groups may overlap then.

    Returns
    -------
    dict of str to ndarray of int, [set of the group]
        `best`, `median` and `worst`: places, best first; of equally good sets the first ones first.

    References
    ----------
    Han et al. (2019), On transforming relevance scales, section 4.3.2.
    """
    found = float_array(values, name="values", ndim=1)
    order = np.argsort(-found, kind="stable")[: np.count_nonzero(~np.isnan(found))]
    start = max(0, (order.size - size) // 2)
    return {
        "best": order[:size],
        "median": order[start : start + size],
        "worst": order[max(0, order.size - size) :],
    }


def _middle(places: IntArray) -> int:
    distance = ((places - places.mean(axis=0)) ** 2).sum(axis=1)
    return int(np.argmin(distance.round(6)))  # equally near ones must not differ in their last bit


_RULES: dict[str, Callable[[IntArray], int]] = {
    "middle": _middle,
    "lowest": lambda places: 0,  # noqa: ARG005 - sets come in lexicographic order
    "highest": lambda places: len(places) - 1,
}
TIE_RULES = tuple(_RULES)
