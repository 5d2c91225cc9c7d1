"""Selection of the best set of cuts, including ties."""

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
        Index of the selected set; −1 if no set has a value.
    value : float
        The value of the set; nan if no set has a value.
    tied : ndarray of int, [tied]
        Ascending indices of all equally good sets, including the selected one.
    """

    place: int
    value: float
    tied: IntArray


def best_cuts(values: ArrayLike, sets: CutSets, *, ties: str = "middle") -> CutChoice:
    """Return the set of cuts with the highest value.

    Parameters
    ----------
    values : array_like, [set]
        Quality of each set; nan is never the best.
    ties : str
        Choice among sets within 1e-9 of the best: the `middle` one (nearest to the mean of these
        sets' cuts, in candidates; the first if tied), the `lowest` or the `highest`.

    Raises
    ------
    ShapeError
        If the number of values differs from the number of sets.
    UnknownNameError
        If the rule is unknown.
    """
    if ties not in _RULES:
        raise UnknownNameError("rule for ties", ties, _RULES)
    objective = float_array(values, name="values", ndim=1)
    if objective.size != len(sets):
        raise ShapeError(
            f"found {objective.size} values for {len(sets)} sets of cuts; expected one per set"
        )
    defined = ~np.isnan(objective)
    if not defined.any():
        return CutChoice(place=-1, value=np.nan, tied=np.empty(0, dtype=np.int64))
    highest = objective[defined].max()
    tied = np.flatnonzero(defined & (objective >= highest - TOLERANCE))
    place = int(tied[_RULES[ties](sets.places[tied])])
    return CutChoice(place=place, value=float(objective[place]), tied=tied)


def closeness(values: ArrayLike, reference: float) -> FloatArray:
    """Return the closeness of each value to a reference: −|value − reference|."""
    return -np.abs(float_array(values, name="values") - reference)


def cut_groups(values: ArrayLike, *, size: int = 1000) -> dict[str, IntArray]:
    """Return the best, the median and the worst sets of cuts.

    Parameters
    ----------
    values : array_like, [set]
        Quality of each set; sets without a value (nan) are ignored.
    size : int
        Number of sets per group. If fewer sets have a value, groups are smaller and may overlap.

    Returns
    -------
    dict of str to ndarray of int, [set of the group]
        Indices under `best`, `median` and `worst`, best first, ties in order.

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
    return int(np.argmin(distance.round(6)))  # equally near sets must not differ in the last bit


_RULES: dict[str, Callable[[IntArray], int]] = {
    "middle": _middle,
    "lowest": lambda places: 0,  # noqa: ARG005 - sets come in lexicographic order
    "highest": lambda places: len(places) - 1,
}
TIE_RULES = tuple(_RULES)
