"""Kendall's τ between two rankings of the same systems."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.comparisons import dominance, rankings
from qrelsmith.stats.registries import CORRELATIONS


@CORRELATIONS.add("tau-a", formula="(C − D) / (n(n−1)/2)", source="Kendall 1938", symmetric=True)
def kendall_tau_a(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Kendall's τ-a: concordant minus discordant pairs, divided by the number of all pairs.

    Kendall's τ-a is the mean of τ over all ways to break the ties of both rankings.

    Returns
    -------
    float array, shape (...)
        τ-a in [−1, 1]; nan for fewer than two systems. With ties even equal rankings stay below 1.

    Notes
    -----
    τ_a = (C − D) / (n(n−1)/2), C and D the concordant and discordant pairs (Kendall 1938).

    Examples
    --------
    >>> float(kendall_tau_a([3, 2, 1, 0], [3, 2, 0, 1]))
    0.6666666666666666
    """
    pair = rankings(first, second)
    n = pair.systems
    if n < 2:
        return np.full(pair.shape, np.nan)
    tau = dominance(pair).balance.sum(axis=-1) / (n * (n - 1))
    return np.asarray(tau).reshape(pair.shape)


@CORRELATIONS.add(
    "tau-b",
    formula="(C − D) / √((N − T₁)(N − T₂))",
    source="Kendall 1945",
    aliases=("tau", "kendall"),
    symmetric=True,
)
def kendall_tau_b(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Kendall's τ-b, which is corrected for ties and usual in papers on test collections.

    Returns
    -------
    float array, shape (...)
        τ-b in [−1, 1]; 1 for equal rankings. nan (0/0) where one ranking ties all systems, and for
        fewer than two systems.

    Notes
    -----
    τ_b = (C − D) / √((N − T_1)(N − T_2)), N = n(n−1)/2 pairs, T_k those tied in ranking k
    (Kendall 1945). Equal to `scipy.stats.kendalltau`.

    Examples
    --------
    >>> float(kendall_tau_b([3, 2, 2, 0], [3, 2, 2, 0]))
    1.0
    """
    pair = rankings(first, second)
    counts = dominance(pair)
    product = counts.untied_first.sum(axis=-1) * counts.untied_second.sum(axis=-1, dtype=float)
    with np.errstate(invalid="ignore"):
        tau = counts.balance.sum(axis=-1) / np.sqrt(product)
    return np.asarray(tau).reshape(pair.shape)
