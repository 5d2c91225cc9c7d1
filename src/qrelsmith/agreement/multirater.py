"""Kappas of any number of assessors: Fleiss' and Conger's, and plain percent agreement.

All three share the observed disagreement: the mean distance of a unit's label pairs, averaged over
units. The kappas differ in the disagreement expected by chance: assessors draw from one common
distribution of levels (Fleiss), or each assessor from a separate distribution (Conger). Missing
labels are handled as proposed by Gwet.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.distance import NOMINAL, QUADRATIC, Distance, suffix, weighting
from qrelsmith.agreement.kappa import KAPPA_DISTANCES
from qrelsmith.agreement.labels import MISSING, Labels, indicators
from qrelsmith.agreement.registry import Estimates, Estimator, add_coefficient, measure_agreement
from qrelsmith.agreement.result import AgreementResult, chance_corrected
from qrelsmith.base.arrays import FloatArray

PerSample = Callable[[FloatArray], FloatArray]
"""weights[sample, unit] → [sample, ...]"""


def fleiss_kappa(
    ratings: ArrayLike,
    *,
    weights: str = "nominal",
    scale: ArrayLike | None = None,
    undefined: str = "nan",
) -> AgreementResult:
    """Fleiss' κ, weighted or not, with any number of labels per unit.

    κ = 1 − D_o/D_e. D_o is the mean, over the units with r_i ≥ 2 labels, of the mean distance of
    the unit's pairs; D_e = Σ_ck d_ck π_c π_k with π_k = mean over the units with a label of
    r_ik/r_i. Distances are the same as in `cohen_kappa`. With nominal distances and no missing
    labels, this is the κ of Fleiss (1971); `fleiss-quadratic` is the weighted kappa of the PDP
    paper.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing. The assessor of a label has no effect.
    weights : str
        `nominal`, `linear` or `quadratic`.
    scale : array_like, [level], optional
        Every level, ascending; a grade outside it is an error. It affects only the unit of the
        disagreements, not the value.
    undefined : str
        Value for 0/0 (every label is the same): `nan`, `one` or `zero`.

    Returns
    -------
    AgreementResult
        `value` is nan with a `reason` if no unit has two labels, or for 0/0.

    Raises
    ------
    ShapeError
        If the ratings are not numbers in two dimensions.
    UsageError
        If a grade is outside the scale or infinite; if an option is unknown.

    References
    ----------
    Fleiss (1971), Measuring nominal scale agreement among many raters;
    Gwet (2014), Handbook of inter-rater reliability, chapters 2 (missing labels) and 3 (weights).
    """
    distance = weighting(weights, KAPPA_DISTANCES)
    return measure_agreement("fleiss" + suffix(distance), ratings, scale=scale, undefined=undefined)


def conger_kappa(
    ratings: ArrayLike,
    *,
    weights: str = "nominal",
    scale: ArrayLike | None = None,
    undefined: str = "nan",
) -> AgreementResult:
    """Conger's κ: like Fleiss' κ, but with a separate chance distribution for each assessor.

    D_e is the mean over ordered pairs of assessors g ≠ h of Σ_ck d_ck p_gc p_hk, where p_gk is the
    share of level k among the labels of g (including units that nobody else labelled). With two
    assessors and no missing label, this is Cohen's κ.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing. Assessors without a label are ignored.
    weights, scale, undefined
        As in `fleiss_kappa`; 0/0 means that all assessors use only one level.

    Returns
    -------
    AgreementResult
        `value` is nan with a `reason` if no unit has two labels, or for 0/0.

    Raises
    ------
    ShapeError, UsageError
        As `fleiss_kappa` raises them.

    References
    ----------
    Conger (1980), Integration and generalization of kappas for multiple raters;
    Gwet (2014), Handbook of inter-rater reliability, chapters 2 and 3.
    """
    distance = weighting(weights, KAPPA_DISTANCES)
    return measure_agreement("conger" + suffix(distance), ratings, scale=scale, undefined=undefined)


def percent_agreement(
    ratings: ArrayLike, *, scale: ArrayLike | None = None, undefined: str = "nan"
) -> AgreementResult:
    """Share of equal label pairs per unit, averaged over units.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing. Units with fewer than two labels do not count.
    scale : array_like, [level], optional
        Every level, ascending; a grade outside it is an error.
    undefined : str
        Accepted for interface compatibility; 0/0 cannot occur.

    Returns
    -------
    AgreementResult
        `expected` is nan, since nothing is corrected for chance. `value` is nan with a `reason`
        if no unit has two labels.

    Raises
    ------
    ShapeError, UsageError
        As `fleiss_kappa` raises them.

    References
    ----------
    Fleiss (1971), Measuring nominal scale agreement among many raters (the mean of P_i).
    """
    return measure_agreement("agreement", ratings, scale=scale, undefined=undefined)


def mean_disagreement(labels: Labels, distance: Distance) -> PerSample:
    """Return a function of unit weights: the mean distance inside a unit [sample].

    The distance between the ends of the scale is 1.
    """
    unit = distance.largest(distance.coordinates(labels.levels)) or 1.0
    pairable = labels.pairable
    size = labels.per_unit[pairable]
    inside = distance.within_units(labels)[pairable] / (size * (size - 1) / 2) / unit

    def estimate(weights: FloatArray) -> FloatArray:
        chosen = weights[:, pairable]
        with np.errstate(invalid="ignore"):
            return np.asarray(chosen @ inside / chosen.sum(axis=1))

    return estimate


def mean_distribution(labels: Labels) -> PerSample:
    """Return a function of unit weights: π, the mean distribution of labels [sample, level]."""
    labelled = np.flatnonzero(labels.per_unit)
    shares = (labels.counts[labelled] / labels.per_unit[labelled, None]).tocsr().T

    def estimate(weights: FloatArray) -> FloatArray:
        chosen = weights[:, labelled]
        with np.errstate(invalid="ignore"):
            return np.asarray((shares @ chosen.T).T / chosen.sum(axis=1, keepdims=True))

    return estimate


def _fleiss(labels: Labels, fill: float, *, distance: Distance) -> Estimator:
    x = distance.coordinates(labels.levels)
    unit = distance.largest(x) or 1.0
    disagreement, distribution = mean_disagreement(labels, distance), mean_distribution(labels)

    def estimate(weights: FloatArray) -> Estimates:
        pi = distribution(weights)
        observed, expected = disagreement(weights), distance.between(pi, pi, x) / unit
        return Estimates(chance_corrected(observed, expected, fill), observed, expected)

    return estimate


def _conger(labels: Labels, fill: float, *, distance: Distance) -> Estimator:
    x = distance.coordinates(labels.levels)
    unit = distance.largest(x) or 1.0
    disagreement = mean_disagreement(labels, distance)
    assessors = []
    for assessor in labels.active:
        units = np.flatnonzero(labels.codes[assessor] != MISSING)
        assessors.append((units, indicators(labels.codes[assessor, units], x.size)))

    def estimate(weights: FloatArray) -> Estimates:
        samples = weights.shape[0]
        everyone = np.zeros((samples, x.size))
        themselves, present = np.zeros(samples), np.zeros(samples)
        for units, levels in assessors:
            counts = (levels @ weights[:, units].T).T
            size = counts.sum(axis=1, keepdims=True)
            # A sample excludes an assessor who has no label in it.
            p = counts / np.where(size > 0, size, 1.0)
            everyone += p
            themselves += distance.between(p, p, x)
            present += size[:, 0] > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            among = distance.between(everyone, everyone, x) - themselves
            expected = among / (present * (present - 1)) / unit
        observed = disagreement(weights)
        return Estimates(chance_corrected(observed, expected, fill), observed, expected)

    return estimate


def _percent(labels: Labels, fill: float) -> Estimator:  # noqa: ARG001 (a builder takes it)
    disagreement = mean_disagreement(labels, NOMINAL)

    def estimate(weights: FloatArray) -> Estimates:
        observed = disagreement(weights)
        return Estimates(1.0 - observed, observed, np.full(observed.shape, math.nan))

    return estimate


for _distance, _d in zip(KAPPA_DISTANCES, ("[c ≠ k]", "|c − k|", "(c − k)²"), strict=True):
    add_coefficient(
        "fleiss" + suffix(_distance),
        partial(_fleiss, distance=_distance),
        summary=f"Fleiss' κ of any number of assessors, {_distance.name} distance.",
        formula=f"1 − mean over units of the mean d of pairs / Σ d π_c π_k, d = {_d}",
        source="Fleiss 1971; Gwet 2014 (weights, missing labels)",
        in_audit=_distance is QUADRATIC,
    )
for _distance, _d in zip(KAPPA_DISTANCES, ("[c ≠ k]", "|c − k|", "(c − k)²"), strict=True):
    add_coefficient(
        "conger" + suffix(_distance),
        partial(_conger, distance=_distance),
        summary=f"Conger's κ of any number of assessors, {_distance.name} distance.",
        formula=f"1 − mean over units of the mean d of pairs / mean_gh Σ d p_gc p_hk, d = {_d}",
        source="Conger 1980; Gwet 2014 (weights, missing labels)",
        by_assessor=True,
    )
add_coefficient(
    "agreement",
    _percent,
    summary="Share of equal pairs of labels, mean over units.",
    formula="mean over units of Σ_k r_ik (r_ik − 1) / (r_i (r_i − 1))",
    source="Fleiss 1971",
    least=0.0,
    in_audit=True,
)
