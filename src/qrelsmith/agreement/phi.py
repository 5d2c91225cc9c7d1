"""Φ, the agreement coefficient of Checco et al. (2017), without sampling.

All labels share the precision φ of Beta distributions, and each unit has its own mean. Φ maps the
posterior mean of φ to (−1, 1]. Given φ, the units are independent, so the posterior mean of φ needs
two nested quadratures instead of MCMC.

The prior of φ is flat on (0, ∞). The posterior is proper if and only if at least one unit has two
different labels. The posterior density then falls like φ^a·exp(−φ·gap) with gap > 0
(`beta_precision`), and goes to 0 as φ goes to 0. No upper limit is needed: the quadrature over ln φ
extends on both sides until the density is a factor of e^38 below its peak.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.beta_precision import Sufficient, log_evidence
from qrelsmith.agreement.labels import Labels, indicators
from qrelsmith.agreement.registry import (
    Estimates,
    Estimator,
    add_coefficient,
    measure_agreement,
    no_pairs,
)
from qrelsmith.agreement.result import AgreementResult
from qrelsmith.base.arrays import FloatArray

_DROP = 38.0  # the grid ends where the density is e^-38 of its peak
_GROW = 12  # number of nodes added to the grid over ln φ at a time
_FLAT = 1e-14  # a smaller mean gap is a rounding error: the units are unanimous

Precision = Callable[[FloatArray], FloatArray]
"""weights[sample, unit] → E[φ][sample]"""


def checco_phi(
    ratings: ArrayLike, *, scale: ArrayLike | None = None, undefined: str = "nan"
) -> AgreementResult:
    """Φ of Checco et al., from −1 (labels at opposite ends) through 0 (uniform) to 1 (equal).

    A label x becomes ((x − lo)/(hi − lo)·(l − 1) + ½)/l with the ends lo and hi of the scale and l
    labels per unit; x_di ~ Beta(μ_d φ, (1 − μ_d) φ) with flat priors on μ_d in (0, 1) and on φ > 0;
    Φ = 1 − 2·2^(−E[φ]/2).

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing. The assessor of a label has no effect. l is the largest number of
        labels of one unit, even if not all assessors label every unit. Units with fewer than two
        labels do not count.
    scale : array_like, [level], optional
        Every level, ascending; only its ends affect Φ. Without it the smallest and the largest
        grade are the ends (flag `levels-seen`), which makes Φ of two data sets incomparable.
    undefined : str
        Accepted for interface compatibility; 0/0 cannot occur.

    Returns
    -------
    AgreementResult
        `observed` and `expected` are nan. If every unit is unanimous, the posterior of φ is
        improper: `value` is 1, with the flag `improper`. `value` is nan with a `reason` if no unit
        has two labels.

    Raises
    ------
    ShapeError
        If the ratings are not numbers in two dimensions.
    UsageError
        If a grade is outside the scale or infinite.

    References
    ----------
    Checco, Roitero, Maddalena, Mizzaro and Demartini (2017), Let's agree to disagree: fixing
    agreement measures for crowdsourcing.
    """
    return measure_agreement("phi", ratings, scale=scale, undefined=undefined)


def expected_precision(ratings: ArrayLike, *, scale: ArrayLike | None = None) -> float:
    """E[φ], the posterior mean of the precision behind Φ.

    Parameters
    ----------
    ratings, scale
        As in `checco_phi`.

    Returns
    -------
    float
        inf if every unit is unanimous, nan if no unit has two labels.

    Raises
    ------
    ShapeError, UsageError
        As `checco_phi` raises them.
    """
    labels = Labels.of(ratings, scale=scale)
    return float(_precision(labels)(np.ones((1, labels.codes.shape[1])))[0])


def _phi(labels: Labels, fill: float) -> Estimator:  # noqa: ARG001 (a builder takes it)
    precision = _precision(labels)

    def estimate(weights: FloatArray) -> Estimates:
        phi = precision(weights)
        none = no_pairs(phi.size)
        return Estimates(1.0 - 2.0 * np.exp2(-phi / 2), none, none, {"improper": np.isinf(phi)})

    return estimate


def _precision(labels: Labels) -> Precision:
    """E[φ] as a function of the weights, with equivalent units merged."""
    pairable = labels.pairable
    if not pairable.any():
        return lambda weights: no_pairs(weights.shape[0])
    patterns, pattern = labels.take(pairable).patterns(by_assessor=False)
    units = Sufficient.of(_squeeze(patterns))
    columns = np.stack([units.size, units.centre, units.gap])
    distinct, of_pattern = np.unique(columns, axis=1, return_inverse=True)
    units = Sufficient(*distinct)
    members = indicators(of_pattern.ravel()[pattern], units.size.size)

    def estimate(weights: FloatArray) -> FloatArray:
        return _posterior_means(units, (members @ weights[:, pairable].T).T)

    return estimate


def _squeeze(labels: Labels) -> FloatArray:
    """Return all labels, squeezed into the interval (0, 1), [place, unit]."""
    size = labels.most
    low, high = labels.levels[0], labels.levels[-1]
    share = (labels.levels - low) / (high - low) if high > low else np.full(1, 0.5)
    return np.append((share * (size - 1) + 0.5) / size, np.nan)[labels.packed]


def _posterior_means(units: Sufficient, weights: FloatArray) -> FloatArray:
    """Return E[φ] per row of weights[sample, unit]: inf if improper, nan if there are no units."""
    labels = weights @ units.size
    rate = weights @ (units.size * units.gap)
    means = np.where(labels > 0, np.inf, np.nan)
    proper = rate > _FLAT * labels
    if proper.any():
        shape = 1.0 + weights[proper] @ (units.size - 1) / 2
        means[proper] = _integrate(
            units, weights[proper], guess=np.log(shape / rate[proper]), labels=labels[proper].max()
        )
    return means


def _integrate(
    units: Sufficient, weights: FloatArray, *, guess: FloatArray, labels: float
) -> FloatArray:
    """∫ φ p(φ) dφ / ∫ p(φ) dφ by the trapezoidal rule over y = ln φ.

    The rule converges geometrically for such densities. As functions of y, the densities are
    approximately normal with a standard deviation of at least 1/√labels. With a step of 0.9 times
    this deviation, the error is 1e-10.
    """
    step = min(0.25, 0.9 / np.sqrt(labels))
    peaks = _peaks(units, weights, guess)
    first, last = int(peaks.min() // step) - _GROW, int(peaks.max() // step) + _GROW
    y = step * np.arange(first, last + 1)
    # dφ = e^y dy is in the density; another e^y makes the integrand of the mean.
    density = weights @ log_evidence(units, y) + y
    while _short(density, y):
        more = y[0] + step * np.arange(-_GROW, 0)
        density = np.hstack([weights @ log_evidence(units, more) + more, density])
        y = np.append(more, y)
    while _short(density[:, ::-1], y[::-1]):
        more = y[-1] + step * np.arange(1, _GROW + 1)
        density = np.hstack([density, weights @ log_evidence(units, more) + more])
        y = np.append(y, more)
    mass = np.exp(density - density.max(axis=1, keepdims=True))
    return np.asarray(mass @ np.exp(y) / mass.sum(axis=1))


def _short(density: FloatArray, y: FloatArray) -> bool:
    """Return whether any sample's integrand is not yet negligible at the first node."""
    drop = density.max(axis=1) - density[:, 0]
    tilted = density + y
    return bool((np.minimum(drop, tilted.max(axis=1) - tilted[:, 0]) < _DROP).any())


def _peaks(units: Sufficient, weights: FloatArray, guess: FloatArray) -> FloatArray:
    """Return the approximate peak of each sample's density over y = ln φ, where the grid starts."""
    y = np.arange(np.floor(guess.min()) - 3.0, np.ceil(guess.max()) + 2.0, 0.5)
    density = weights @ log_evidence(units, y) + y
    top = np.clip(density.argmax(axis=1), 1, y.size - 2)
    rows = np.arange(top.size)
    before, at, after = (density[rows, top + shift] for shift in (-1, 0, 1))
    bend = before - 2 * at + after
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where(bend < 0, 0.5 * (before - after) / bend, 0.0)
    return np.asarray(y[top] + 0.5 * np.clip(shift, -1.0, 1.0))


add_coefficient(
    "phi",
    _phi,
    summary="Φ of Checco et al.: precision of Beta-distributed labels.",
    formula="1 − 2·2^(−E[φ]/2), x_di ~ Beta(μ_d φ, (1 − μ_d) φ), flat priors",
    source="Checco et al. 2017",
    scale_matters=True,
)
