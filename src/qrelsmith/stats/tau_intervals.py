"""Intervals for Kendall's τ between two rankings of the same systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.comparisons import dominance, rankings
from qrelsmith.stats.kendall import kendall_tau_b
from qrelsmith.stats.registries import INTERVALS

__all__ = ["FEWEST", "INTERVALS", "TauInterval", "consistent", "fieller", "fieller_limits"]

FEWEST = 5  # systems below which no interval is given
_Z = 1.96  # the paper's 95%, two decimals and all


@dataclass(frozen=True, slots=True, eq=False)
class TauInterval:
    """Kendall's τ with an interval.

    Attributes
    ----------
    coefficient : str
        Which τ the interval is for: `tau-a` or `tau-b`.
    tau, low, high : float array, shape (...)
        The coefficient and the ends of its interval; the ends are nan where undefined.
    systems : int
        The number of systems ranked.
    """

    coefficient: str
    tau: FloatArray
    low: FloatArray
    high: FloatArray
    systems: int


def fieller_limits(tau: ArrayLike, systems: int, *, z: float = _Z) -> tuple[FloatArray, FloatArray]:
    """Return Fieller's interval for a given τ.

    Parameters
    ----------
    tau : array_like, shape (...)
        Kendall's τ; nan stays nan.
    systems : int
        The number n of systems ranked.
    z : float
        Quantile of the normal distribution; 1.96 (not 1.959964) gives the paper's 95%.

    Returns
    -------
    low, high : float array, shape (...)
        nan where |τ| ≥ 1 and where n < 5.

    Notes
    -----
    tanh(atanh τ ± z·√(.437/(n−4))) (Fieller, Hartley & Pearson 1957; Long & Cliff 1997).

    Examples
    --------
    >>> [round(float(end), 3) for end in fieller_limits(0.621, 18)]
    [0.363, 0.791]
    """
    value = np.asarray(tau, dtype=np.float64)
    if systems < FEWEST:
        return np.full(value.shape, np.nan), np.full(value.shape, np.nan)
    inside = np.where(np.abs(value) < 1, value, np.nan)
    centre, half = np.arctanh(inside), z * np.sqrt(0.437 / (systems - 4))
    return np.asarray(np.tanh(centre - half)), np.asarray(np.tanh(centre + half))


@INTERVALS.add(
    "fieller",
    formula="tanh(atanh τ ± z·√(.437/(n−4)))",
    source="Fieller, Hartley & Pearson 1957; Long & Cliff 1997",
)
def fieller(first: ArrayLike, second: ArrayLike, *, z: float = _Z) -> TauInterval:
    """Return τ-b with Fieller's interval, as in ordering-gold-bronze.

    Parameters
    ----------
    first, second : array_like, shape (..., n)
        Scores of the same n systems, higher is better.

    Returns
    -------
    TauInterval
        Its ends are nan where |τ| = 1, where τ is undefined and where n < 5.
    """
    tau = kendall_tau_b(first, second)
    systems = np.shape(first)[-1]
    low, high = fieller_limits(tau, systems, z=z)
    return TauInterval("tau-b", tau, low, high, systems)


@INTERVALS.add(
    "consistent",
    formula="τ-a ± z·√((4(n−2)·var(t_i) + 2·var(t_ij)) / (n(n−1)))",
    source="Cliff & Charlin 1991; Long & Cliff 1997",
    aliases=("long-cliff",),
)
def consistent(first: ArrayLike, second: ArrayLike, *, z: float = _Z) -> TauInterval:
    """Return τ-a with the interval from the consistent estimate of its variance.

    Unlike Fieller's interval, this interval uses the rankings and not only τ. The interval is
    narrow if all systems agree about equally well with the other systems, and wide if only a few
    systems cause the disagreement.

    Parameters
    ----------
    first, second : array_like, shape (..., n)
        Scores of the same n systems, higher is better.

    Returns
    -------
    TauInterval
        Its ends lie in [−1, 1]; nan where |τ-a| = 1 and where n < 5.

    Notes
    -----
    t_ij = s_ij·t_ij is 1, −1 or 0 for a concordant, discordant or tied pair, t_i its mean over
    j ≠ i, τ_a its mean over all. With var(t_i) = Σ(t_i − τ_a)²/(n−1) and
    var(t_ij) = (Σ_{i≠j} t_ij² − n(n−1)τ_a²)/(n(n−1)−1), the variance of τ_a is estimated by
    (4(n−2)·var(t_i) + 2·var(t_ij)) / (n(n−1)) (Cliff & Charlin 1991; Long & Cliff 1997).
    """
    pair = rankings(first, second)
    n = pair.systems
    if n < 2:
        empty = np.full(pair.shape, np.nan)
        return TauInterval("tau-a", empty, empty, empty, n)
    counts = dominance(pair)
    ordered_pairs = n * (n - 1)
    tau = counts.balance.sum(axis=-1) / ordered_pairs
    each = counts.balance / (n - 1)
    between = ((each - tau[:, None]) ** 2).sum(axis=-1) / (n - 1)
    single = (counts.untied_both.sum(axis=-1) - ordered_pairs * tau**2) / (ordered_pairs - 1)
    error = np.sqrt(np.maximum(4 * (n - 2) * between + 2 * single, 0) / ordered_pairs)
    known = (np.abs(tau) < 1) & (n >= FEWEST)
    low = np.where(known, np.maximum(tau - z * error, -1.0), np.nan)
    high = np.where(known, np.minimum(tau + z * error, 1.0), np.nan)
    shaped = [np.asarray(values).reshape(pair.shape) for values in (tau, low, high)]
    return TauInterval("tau-a", shaped[0], shaped[1], shaped[2], n)
