"""The marginal likelihood of the common precision φ of Beta distributions with separate means.

The labels of unit d, squeezed into (0, 1), are independent draws from Beta(μ_d φ, (1 − μ_d) φ). μ_d
is uniform on (0, 1). Given φ, the units are independent, so the log-likelihood of φ is a sum over
units of one-dimensional integrals. These integrals depend on a unit's labels only through the
number m of labels and the means of ln x and ln(1 − x).

With g = exp(mean ln x), h = exp(mean ln(1 − x)) and ν = g/(g + h), the log integrand in μ is

    −mφ·(gap + KL(μ‖ν)) + m/2·ln(φ μ(1 − μ)/2π) − m·(ρ(μφ) + ρ((1 − μ)φ) − ρ(φ)) + constant

where gap = −ln(g + h) ≥ 0 is 0 if and only if the labels are all equal, and ρ is the remainder of
Stirling's formula for ln Γ. This form of the log integrand avoids cancellation when φ is large.

The integral without the gap is an even, smooth function of logit ν. For many units of one size,
this integral is computed at Chebyshev points and interpolated, with no loss of accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.scipy_parts import special

_NODES = 33  # of the inner integral: the error of ln evidence is at most 1e-8
_REACH = 3.4  # sinh(3.4) = 15 standard deviations each way
_NEWTON = 8
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
_HALF_LOG_TAU = 0.5 * np.log(2 * np.pi)
_REMEMBERED = 64  # maximum number of units whose evidence is cached
_BLOCK = 1 << 15  # cells of the grid units × φ × nodes held in memory at a time
_DENSITY = 12.0  # Chebyshev points per unit of the largest |logit ν|


@dataclass(frozen=True, slots=True, eq=False)
class Sufficient:
    """Sufficient statistics of labels for estimating φ.

    Attributes
    ----------
    size : ndarray, [unit]
        Labels of the unit.
    centre : ndarray, [unit]
        logit ν: mean ln x − mean ln(1 − x).
    gap : ndarray, [unit]
        −ln(g + h); exactly 0 where all labels of the unit are equal.
    """

    size: FloatArray
    centre: FloatArray
    gap: FloatArray

    @classmethod
    def of(cls, x: FloatArray) -> Sufficient:
        """Return the statistics of squeezed labels x[label, unit] in (0, 1); nan means missing."""
        size = np.count_nonzero(~np.isnan(x), axis=0).astype(np.float64)
        log_x = np.nansum(np.log(x), axis=0) / size
        log_rest = np.nansum(np.log1p(-x), axis=0) / size
        gap = np.maximum(-np.logaddexp(log_x, log_rest), 0.0)
        unanimous = np.fmax.reduce(x, axis=0) == np.fmin.reduce(x, axis=0)
        return cls(size=size, centre=log_x - log_rest, gap=np.where(unanimous, 0.0, gap))


def log_evidence(units: Sufficient, log_phi: FloatArray) -> FloatArray:
    """Return ln ∫ p(labels of the unit | μ, φ) dμ up to a constant per unit, [unit, φ].

    Parameters
    ----------
    log_phi : ndarray, [φ]
        ln φ.
    """
    by_log_phi: dict[float, FloatArray] = {}
    if units.size.size <= _REMEMBERED:
        by_log_phi = _columns(np.stack([units.size, units.centre, units.gap]).tobytes())
    missing = np.array([each for each in log_phi.tolist() if each not in by_log_phi])
    if missing.size:
        by_log_phi.update(zip(missing.tolist(), _evidence(units, np.exp(missing)).T, strict=True))
    return np.stack([by_log_phi[each] for each in log_phi.tolist()], axis=1)


@lru_cache(maxsize=16)
def _columns(_units: bytes) -> dict[float, FloatArray]:
    """Return a cache from ln φ to the units' evidence, because shuffled labels often reuse it."""
    return {}


def _evidence(units: Sufficient, phi: FloatArray) -> FloatArray:
    m = units.size[:, None]
    outside = -phi * units.gap[:, None] + 0.5 * np.log(phi) - _HALF_LOG_TAU + _stirling_rest(phi)
    inner = np.empty((units.size.size, phi.size))
    for size in np.unique(units.size).tolist():
        of_size = units.size == size
        inner[of_size] = _inner_of_size(size, units.centre[of_size], phi)
    return np.asarray(m * outside + inner)


def _inner_of_size(m: float, centre: FloatArray, phi: FloatArray) -> FloatArray:
    """Return the inner integral of units of one size, interpolated if there are many units."""
    reach = float(np.abs(centre).max()) or 1.0
    half = int(np.ceil(_DENSITY * reach)) + 1
    if half >= centre.size:
        return _inner(m, centre, phi)
    angles = (np.arange(2 * half) + 0.5) * np.pi / (2 * half)
    places = np.cos(angles)
    apart = centre[:, None] / reach - places
    apart = np.where(apart == 0.0, np.finfo(np.float64).tiny, apart)
    shares = np.where(np.arange(2 * half) % 2, -1.0, 1.0) * np.sin(angles) / apart
    shares /= shares.sum(axis=1, keepdims=True)
    # The function is even: points on both sides of 0 have the same values.
    return (shares[:, :half] + shares[:, : half - 1 : -1]) @ _inner(m, reach * places[:half], phi)


def _inner(m: float, centre: FloatArray, phi: FloatArray) -> FloatArray:
    """Return the log of the integral without the gap and factors of φ, [unit, φ]."""
    step = max(1, _BLOCK // (centre.size * _NODES))
    parts = (phi[start : start + step] for start in range(0, phi.size, step))
    return np.hstack([_block(m, centre[:, None], part) for part in parts])


def _block(m: float, centre: FloatArray, phi: FloatArray) -> FloatArray:
    mode, width = _mode(m, centre, phi)
    v = np.linspace(-_REACH, _REACH, _NODES)
    t = mode[..., None] + width[..., None] * np.sinh(v)
    small = np.exp(-np.abs(t))
    shared = np.log1p(small)
    log_mu, log_rest = np.minimum(t, 0.0) - shared, np.minimum(-t, 0.0) - shared
    near, far = 1 / (1 + small), small / (1 + small)
    mu, rest = np.where(t > 0, near, far), np.where(t > 0, far, near)
    log_nu, log_nu_rest = -np.logaddexp(0.0, -centre), -np.logaddexp(0.0, centre)
    kl = mu * (log_mu - log_nu[..., None]) + rest * (log_rest - log_nu_rest[..., None])
    precision = phi[:, None]
    log_integrand = (
        m
        * (
            -precision * kl
            + 0.5 * (log_mu + log_rest)
            - _stirling_rest(mu * precision)
            - _stirling_rest(rest * precision)
        )
        + log_mu
        + log_rest  # dμ = μ(1 − μ) dt
        + np.log(np.cosh(v))
    )
    inner = special.logsumexp(log_integrand, axis=-1) + np.log(width * (v[1] - v[0]))
    return np.asarray(inner)


def _mode(m: float, centre: FloatArray, phi: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a point near the integrand's peak over t = logit μ, and the peak's width, [unit, φ].

    The peak is between 0 and `centre`. Newton steps use an overestimated curvature; a step that
    leaves the bracket is replaced by a bisection. The results need not be exact, because they only
    determine the nodes of the quadrature.
    """
    shape = (centre.shape[0], phi.size)
    low = np.broadcast_to(np.minimum(centre, 0.0), shape).copy()
    high = np.broadcast_to(np.maximum(centre, 0.0), shape).copy()
    t = np.broadcast_to(centre, shape).copy()
    curvature = np.ones(shape)
    for _ in range(_NEWTON):
        mu, rest = special.expit(t), special.expit(-t)
        variance = np.maximum(mu * rest, 1e-300)
        rests = _stirling_slope(mu * phi) - _stirling_slope(rest * phi)
        slope = (m / 2 + 1) * (rest - mu) - m * phi * variance * (t - centre + rests)
        tilt = m * phi * np.abs((t - centre) * (rest - mu))
        curvature = variance * (m * phi + 2 * m + 2 + tilt)
        low, high = np.where(slope > 0, t, low), np.where(slope > 0, high, t)
        step = t + slope / curvature
        t = np.where((step >= low) & (step <= high), step, (low + high) / 2)
    return t, 1.0 / np.sqrt(curvature)


def _stirling_rest(z: FloatArray) -> FloatArray:
    """ρ(z) = ln Γ(z) − ((z − ½) ln z − z + ½ ln 2π), to full precision for any z > 0."""
    large = z > 10.0
    safe = np.where(large, z, 11.0)
    square = 1.0 / (safe * safe)
    rest = np.full_like(safe, _STIRLING[-1])
    for coefficient in _STIRLING[-2::-1]:
        rest *= square
        rest += coefficient
    rest /= safe
    if not large.all():
        small = np.maximum(z[~large], 1e-300)
        rest[~large] = (
            special.gammaln(small) - (small - 0.5) * np.log(small) + small - _HALF_LOG_TAU
        )
    return rest


def _stirling_slope(z: FloatArray) -> FloatArray:
    """ρ'(z) = ψ(z) − ln z + 1/(2z)."""
    z = np.maximum(z, 1e-300)
    return np.where(z > 1e4, -1 / (12 * z * z), special.digamma(z) - np.log(z) + 0.5 / z)
