"""Kappas between two assessors: Cohen's, and Light's mean over pairs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.distance import LINEAR, NOMINAL, QUADRATIC, Distance, suffix, weighting
from qrelsmith.agreement.labels import MISSING, Labels, indicators
from qrelsmith.agreement.registry import (
    Estimates,
    Estimator,
    add_coefficient,
    measure_agreement,
    no_pairs,
)
from qrelsmith.agreement.result import AgreementResult, chance_corrected
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scipy_parts import sparse

KAPPA_DISTANCES = (NOMINAL, LINEAR, QUADRATIC)
"""How a kappa can weight a disagreement: all equally, by size, or by the square of the size."""

Disagreements = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
"""weights[unit, sample] → observed[sample], expected[sample]"""


def cohen_kappa(
    ratings: ArrayLike,
    *,
    weights: str = "nominal",
    scale: ArrayLike | None = None,
    undefined: str = "nan",
) -> AgreementResult:
    """Cohen's κ of two assessors, weighted or not.

    κ = 1 − Σ_ck d_ck p_ck / Σ_ck d_ck p_c· p_·k over the units that both labelled, with d_ck = 1 if
    c ≠ k (nominal), |c − k|/(c_max − c_min) (linear), or its square (quadratic). Distances are
    taken between the level values, so an unused level between two levels has no effect.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades of two assessors; nan means missing. Rows without any label are ignored.
    weights : str
        `nominal`, `linear` or `quadratic`.
    scale : array_like, [level], optional
        Every level, ascending; a grade outside it is an error. It affects only the unit of the
        disagreements, not the value.
    undefined : str
        Value for 0/0 (both gave the same label to every unit): `nan`, `one` or
        `zero`.

    Returns
    -------
    AgreementResult
        `value` is nan with a `reason` if no unit has both labels, or for 0/0.

    Raises
    ------
    ShapeError
        If the ratings are not numbers in two dimensions.
    UsageError
        If more than two assessors have labels; if a grade is outside the scale or infinite; if an
        option is unknown.

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales, eq. 1;
    Cohen (1968), Weighted kappa.
    """
    distance = weighting(weights, KAPPA_DISTANCES)
    return measure_agreement("kappa" + suffix(distance), ratings, scale=scale, undefined=undefined)


def light_kappa(
    ratings: ArrayLike,
    *,
    weights: str = "nominal",
    scale: ArrayLike | None = None,
    undefined: str = "nan",
) -> AgreementResult:
    """Light's κ: the mean of Cohen's κ over the pairs of assessors.

    Each pair's κ is computed over the units that both labelled. Pairs without a common unit are
    skipped. Pairs whose κ is 0/0 are also skipped, unless `undefined` gives them a value.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    weights : str
        `nominal`, `linear` or `quadratic`, as in `cohen_kappa`.
    scale : array_like, [level], optional
        Every level, ascending; a grade outside it is an error.
    undefined : str
        Value of a pair with 0/0: `nan` (skip the pair), `one` or `zero`.

    Returns
    -------
    AgreementResult
        `observed` and `expected` are means over the pairs with a common unit, so the value is not 1
        minus the ratio of the two means. The flag `skipped-pairs` counts pairs of assessors with a
        common unit but without a value. The value is nan if no pair has a value.

    Raises
    ------
    ShapeError, UsageError
        As `cohen_kappa` raises them; any number of assessors is allowed.

    References
    ----------
    Light (1971), Measures of response agreement for qualitative data; Conger (1980).
    """
    distance = weighting(weights, KAPPA_DISTANCES)
    return measure_agreement("light" + suffix(distance), ratings, scale=scale, undefined=undefined)


def _cohen(labels: Labels, fill: float, *, distance: Distance) -> Estimator:
    active = labels.active
    if active.size > 2:
        raise UsageError(
            f"found {active.size} assessors; expected 2 for Cohen's kappa. Use light, "
            "conger or fleiss for more"
        )
    if active.size < 2:
        return _nothing
    pair = _pair(labels.codes[active[0]], labels.codes[active[1]], labels, distance)

    def estimate(weights: FloatArray) -> Estimates:
        observed, expected = pair(np.ascontiguousarray(weights.T))
        return Estimates(chance_corrected(observed, expected, fill), observed, expected)

    return estimate


def _nothing(weights: FloatArray) -> Estimates:
    none = no_pairs(weights.shape[0])
    return Estimates(none, none, none)


def _light(labels: Labels, fill: float, *, distance: Distance) -> Estimator:
    present = labels.codes != MISSING
    pairs = [
        _pair(labels.codes[first], labels.codes[second], labels, distance)
        for first, second in itertools.combinations(labels.active, 2)
        if (present[first] & present[second]).any()
    ]

    def estimate(weights: FloatArray) -> Estimates:
        by_unit = np.ascontiguousarray(weights.T)
        value, observed, expected, defined, common = np.zeros((5, weights.shape[0]))
        for pair in pairs:
            differ, chance = pair(by_unit)
            kappa = chance_corrected(differ, chance, fill)
            defined += ~np.isnan(kappa)
            common += ~np.isnan(differ)
            value += np.nan_to_num(kappa)
            observed += np.nan_to_num(differ)
            expected += np.nan_to_num(chance)
        with np.errstate(invalid="ignore"):
            skipped = (common - defined).astype(np.int64)
            means = value / defined, observed / common, expected / common
        return Estimates(*means, {"skipped-pairs": skipped})

    return estimate


def _pair(first: IntArray, second: IntArray, labels: Labels, distance: Distance) -> Disagreements:
    """Return the observed and the expected disagreement of two assessors as functions of weights.

    Each unit is counted in one cell of the pair's table: the row is the first assessor's level, the
    column the second assessor's level.
    """
    x = distance.coordinates(labels.levels)
    unit = distance.largest(x) or 1.0
    both = np.flatnonzero((first != MISSING) & (second != MISSING))
    joint, cell = np.unique(first[both] * x.size + second[both], return_inverse=True)
    table = sparse.csr_array(
        (np.ones(both.size), (cell, both)), shape=(joint.size, labels.codes.shape[1])
    )
    codes = np.stack(np.divmod(joint, x.size)) if x.size else np.empty((2, 0), dtype=np.int64)
    inside = distance.within(np.sort(x[codes], axis=0)) / unit
    of_first, of_second = (indicators(row, x.size) for row in codes)

    def estimate(by_unit: FloatArray) -> tuple[FloatArray, FloatArray]:
        cells = table @ by_unit
        total = cells.sum(axis=0)
        share = cells / np.where(total > 0, total, 1.0)
        p, q = (of_first @ share).T, (of_second @ share).T
        observed, expected = inside @ share, distance.between(p, q, x) / unit
        return np.where(total > 0, observed, np.nan), np.where(total > 0, expected, np.nan)

    return estimate


for _distance, _d in zip(KAPPA_DISTANCES, ("[c ≠ k]", "|c − k|", "(c − k)²"), strict=True):
    add_coefficient(
        "kappa" + suffix(_distance),
        partial(_cohen, distance=_distance),
        summary=f"Cohen's κ of two assessors, {_distance.name} distance.",
        formula=f"1 − Σ d p_ck / Σ d p_c· p_·k, d = {_d}",
        source="Cohen 1960, eq. 1; Cohen 1968",
        by_assessor=True,
        together=False,
        raters=2,
        for_more="light, fleiss and conger",
    )
for _distance, _d in zip(KAPPA_DISTANCES, ("[c ≠ k]", "|c − k|", "(c − k)²"), strict=True):
    add_coefficient(
        "light" + suffix(_distance),
        partial(_light, distance=_distance),
        summary=f"Light's κ, mean of Cohen's over pairs of assessors, {_distance.name} distance.",
        formula=f"mean over pairs of 1 − Σ d p_ck / Σ d p_c· p_·k, d = {_d}",
        source="Light 1971; Conger 1980",
        by_assessor=True,
    )
