"""Gwet's AC1 and AC2, whose chance agreement stays small if one level is frequent."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.distance import LINEAR, NOMINAL, QUADRATIC, STEPS, Distance, weighting
from qrelsmith.agreement.labels import Labels
from qrelsmith.agreement.multirater import mean_disagreement, mean_distribution
from qrelsmith.agreement.registry import Estimates, Estimator, add_coefficient, measure_agreement
from qrelsmith.agreement.result import AgreementResult, chance_corrected
from qrelsmith.base.arrays import FloatArray

AC_DISTANCES = (NOMINAL, LINEAR, QUADRATIC, STEPS)


def gwet_ac(
    ratings: ArrayLike,
    *,
    weights: str = "nominal",
    scale: ArrayLike | None = None,
    undefined: str = "nan",
) -> AgreementResult:
    """Gwet's AC1 (nominal) or AC2 (weighted).

    AC = (p_a − p_e)/(1 − p_e) with p_a = 1 − the observed disagreement of `fleiss_kappa`, p_e =
    Σ_ck w_ck / (K(K − 1)) · Σ_k π_k(1 − π_k), w_ck = 1 − d_ck/d_max on the scale of K levels, and
    π_k as in `fleiss_kappa`. The distances of `cohen_kappa` are available, and also `ordinal`:
    levels that are s steps apart have d = s(s + 1)/2.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing. The assessor of a label has no effect.
    weights : str
        `nominal`, `linear`, `quadratic` or `ordinal`.
    scale : array_like, [level], optional
        Every level, ascending; a grade outside it is an error. Unused levels change the value.
        Without a scale, the levels seen are used (flag `levels-seen`).
    undefined : str
        Value for 0/0 (a scale of one level): `nan`, `one` or `zero`. On a scale of two
        levels or more, labels that are all the same have AC = 1.

    Returns
    -------
    AgreementResult
        `expected` is 1 − p_e. `value` is nan with a `reason` if no unit has two labels, or for 0/0.

    Raises
    ------
    ShapeError
        If the ratings are not numbers in two dimensions.
    UsageError
        If a grade is outside the scale or infinite; if an option is unknown.

    References
    ----------
    Gwet (2008), Computing inter-rater reliability and its variance in the presence of high
    agreement; Gwet (2014), Handbook of inter-rater reliability, chapters 2 to 4.
    """
    distance = weighting(weights, AC_DISTANCES)
    return measure_agreement(_name(distance), ratings, scale=scale, undefined=undefined)


def _name(distance: Distance) -> str:
    return "ac1" if distance is NOMINAL else f"ac2-{distance.name}"


def _ac(labels: Labels, fill: float, *, distance: Distance) -> Estimator:
    x = distance.coordinates(labels.levels)
    levels = x.size
    every = np.ones(levels)
    apart = float(distance.between(every, every, x)) / (distance.largest(x) or 1.0)
    # Mean weight of two different levels, Σ_ck w_ck / (K(K − 1)); 0/0 on a scale of one level.
    alike = (levels**2 - apart) / (levels * (levels - 1)) if levels > 1 else None
    disagreement, distribution = mean_disagreement(labels, distance), mean_distribution(labels)

    def estimate(weights: FloatArray) -> Estimates:
        pi = distribution(weights)
        observed = disagreement(weights)
        if alike is None:
            expected = np.where(np.isnan(observed), np.nan, 0.0)
        else:
            expected = 1.0 - alike * NOMINAL.between(pi, pi, x)
        return Estimates(chance_corrected(observed, expected, fill), observed, expected)

    return estimate


for _distance, _d in zip(
    AC_DISTANCES, ("[c ≠ k]", "|c − k|", "(c − k)²", "s(s + 1)/2 for s steps"), strict=True
):
    add_coefficient(
        _name(_distance),
        partial(_ac, distance=_distance),
        summary=f"Gwet's {_name(_distance)[:3].upper()}, {_distance.name} distance.",
        formula="(p_a − p_e)/(1 − p_e), p_e = Σ w/(K(K − 1)) · Σ π(1 − π), "
        f"w = 1 − d/d_max, d = {_d}",
        source="Gwet 2008; Gwet 2014",
        scale_matters=True,
        in_audit=_distance is QUADRATIC,
    )
