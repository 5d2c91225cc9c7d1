"""Distances between levels: the weights of disagreements.

All coefficients in this package are 1 − observed/expected disagreement. Each coefficient needs two
sums of a distance d: over pairs of labels in a unit, and over pairs of levels of two distributions.
Closed forms avoid the matrix of d over all levels, so continuous grades cost no more than a few
levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from qrelsmith.agreement.labels import Labels, present_per_column
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UnknownNameError, UsageError

_BLOCK = 1 << 21  # cells of the matrix of d that the ratio distance holds in memory
_LARGEST = 1e100  # largest level that is squared, so that sums of squares stay finite


@dataclass(frozen=True, slots=True)
class Distance:
    """An unnormalised distance between levels.

    Attributes
    ----------
    name : str
        `nominal`, `linear`, `quadratic`, `ordinal` or `ratio`.
    coordinates : callable
        Maps levels to positions on the axis of the distance.
    within : callable
        x[place, unit], ascending along the first axis with nan last → [unit]: the sum of d over
        the unordered pairs of one unit.
    between : callable
        p[..., level], q[..., level], x[level] → [...]: Σ_ck p_c q_k d(c, k).
    largest : callable
        x[level] → the distance between the ends of the scale (0 on a scale of one level; for the
        ratio distance its bound, 1).
    """

    name: str
    coordinates: Callable[[FloatArray], FloatArray]
    within: Callable[[FloatArray], FloatArray]
    between: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    largest: Callable[[FloatArray], float]

    def within_units(self, labels: Labels) -> FloatArray:
        """Return the sum of d over the unordered pairs of labels of each unit, [unit]."""
        x = self.coordinates(labels.levels)
        return self.within(np.append(x, np.nan)[labels.packed])


def _values(levels: FloatArray) -> FloatArray:
    if levels.size and max(abs(levels[0]), abs(levels[-1])) > _LARGEST:
        raise UsageError(
            f"levels from {levels[0]:g} to {levels[-1]:g}: levels above {_LARGEST:g} "
            "are too large to square; expected an ordinal or nominal coefficient"
        )
    return levels


def _positions(levels: FloatArray) -> FloatArray:
    return np.arange(levels.size, dtype=np.float64)


def _non_negative(levels: FloatArray) -> FloatArray:
    if levels.size and levels[0] < 0:
        raise UsageError(
            f"level {levels[0]:g}: a ratio scale has no levels below 0; expected 0 or more"
        )
    return levels


def _span(x: FloatArray) -> float:
    return float(x[-1] - x[0]) if x.size > 1 else 0.0


def _nominal_within(x: FloatArray) -> FloatArray:
    """Count all pairs minus the pairs of equal values; equal values are adjacent."""
    present = present_per_column(~np.isnan(x))
    equal = np.zeros(x.shape[1])
    run = np.zeros(x.shape[1])
    for place in range(1, x.shape[0]):
        run = np.where(x[place] == x[place - 1], run + 1, 0)
        equal += run
    return present * (present - 1) / 2 - equal


def _nominal_between(p: FloatArray, q: FloatArray, x: FloatArray) -> FloatArray:  # noqa: ARG001
    return np.asarray((p * (q.sum(axis=-1, keepdims=True) - q)).sum(axis=-1))


def _linear_within(x: FloatArray) -> FloatArray:
    """Σ_{i<j} (x_j − x_i) = Σ_i (2i − m + 1)·x_i for ascending x and i from 0."""
    if x.shape[0] == 0:
        return np.zeros(x.shape[1])
    present = present_per_column(~np.isnan(x))
    signs = 2.0 * np.arange(x.shape[0])[:, None] - present + 1
    return np.asarray(np.nansum(signs * (x - x[0]), axis=0))


def _linear_between(p: FloatArray, q: FloatArray, x: FloatArray) -> FloatArray:
    """E|x − y| is the integral of F(1 − G) + G(1 − F)."""
    below_p = np.cumsum(p, axis=-1)[..., :-1]
    below_q = np.cumsum(q, axis=-1)[..., :-1]
    above_p = p.sum(axis=-1, keepdims=True) - below_p
    above_q = q.sum(axis=-1, keepdims=True) - below_q
    return np.asarray((below_p * above_q + below_q * above_p) @ np.diff(x))


def _quadratic_within(x: FloatArray) -> FloatArray:
    """Σ_{i<j} (x_i − x_j)² = m·Σ(x_i − x̄)²; relative to x_0, so equal values give exactly 0."""
    if x.shape[0] == 0:
        return np.zeros(x.shape[1])
    present = present_per_column(~np.isnan(x))
    from_first = x - x[0]
    mean = np.nansum(from_first, axis=0) / np.maximum(present, 1)
    return np.asarray(present * np.nansum((from_first - mean) ** 2, axis=0))


def _quadratic_between(p: FloatArray, q: FloatArray, x: FloatArray) -> FloatArray:
    """|q|·Σp(x − p̄)² + |p|·Σq(x − q̄)² + |p||q|(p̄ − q̄)²: no term is ever negative."""
    size_p, mean_p, spread_p = _moments(p, x)
    size_q, mean_q, spread_q = _moments(q, x)
    return size_q * spread_p + size_p * spread_q + size_p * size_q * (mean_p - mean_q) ** 2


def _moments(p: FloatArray, x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mass, mean and Σp(x − mean)² of distributions p[..., level] over x[(...,) level].

    The moments are computed relative to the most probable level, so that a distribution on one
    level has a spread of exactly 0. Otherwise, 0/0 would not be detected.
    """
    x = np.broadcast_to(x, p.shape)
    if x.shape[-1] == 0:
        return p.sum(axis=-1), p.sum(axis=-1), p.sum(axis=-1)
    origin = np.take_along_axis(x, p.argmax(axis=-1)[..., None], axis=-1)
    apart = x - origin
    size = p.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        mean = np.where(size > 0, (p * apart).sum(axis=-1, keepdims=True) / size, 0.0)
    spread = (p * (apart - mean) ** 2).sum(axis=-1)
    return size[..., 0], (origin + mean)[..., 0], spread


def _steps_within(x: FloatArray) -> FloatArray:
    return (_quadratic_within(x) + _linear_within(x)) / 2


def _steps_between(p: FloatArray, q: FloatArray, x: FloatArray) -> FloatArray:
    return (_quadratic_between(p, q, x) + _linear_between(p, q, x)) / 2


def ratio_distance(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return ((a − b)/(a + b))², and 0 if both are 0; the arrays broadcast."""
    total = a + b
    with np.errstate(invalid="ignore"):
        return np.where(total == 0, 0.0, ((a - b) / total) ** 2)


def _ratio_within(x: FloatArray) -> FloatArray:
    total = np.zeros(x.shape[1])
    for apart in range(1, x.shape[0]):
        total += np.nansum(ratio_distance(x[apart:], x[:-apart]), axis=0)
    return total


def _ratio_between(p: FloatArray, q: FloatArray, x: FloatArray) -> FloatArray:
    """Compute the only distance without a closed form, one block of rows at a time."""
    total = np.zeros(p.shape[:-1])
    rows = max(1, _BLOCK // max(x.size, 1))
    for start in range(0, x.size, rows):
        part = slice(start, start + rows)
        total += (p[..., part] * (q @ ratio_distance(x[:, None], x[None, part]))).sum(axis=-1)
    return total


NOMINAL = Distance(
    "nominal", _positions, _nominal_within, _nominal_between, lambda x: float(x.size > 1)
)
LINEAR = Distance("linear", _values, _linear_within, _linear_between, _span)
QUADRATIC = Distance(
    "quadratic", _values, _quadratic_within, _quadratic_between, lambda x: _span(x) ** 2
)
STEPS = Distance(
    "ordinal", _positions, _steps_within, _steps_between, lambda x: _span(x) * (_span(x) + 1) / 2
)
"""Gwet's ordinal weights: s steps on the scale are s(s + 1)/2 apart, which is (s² + s)/2."""
RATIO = Distance("ratio", _non_negative, _ratio_within, _ratio_between, lambda _: 1.0)


def weighting(word: str, choices: Iterable[Distance]) -> Distance:
    """Return the distance for a value of a kappa's argument `weights`."""
    known = {distance.name: distance for distance in choices}
    if word not in known:
        raise UnknownNameError("weighting", word, known)
    return known[word]


def suffix(distance: Distance) -> str:
    """Return the suffix of a kappa's name for a distance, such as `-linear`."""
    return "" if distance is NOMINAL else f"-{distance.name}"
