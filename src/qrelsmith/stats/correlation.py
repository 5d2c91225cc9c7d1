"""Correlation of two rankings of the same systems: the full registry CORRELATIONS.

Every coefficient takes `(first[..., n], second[..., n])`, which are scores of the same n systems; a
higher score is better. A coefficient returns one value per pair of rankings, and accepts stacks of
rankings. If the order of the lists matters (τ_AP, τ_AP,a), the first list is the reference, and the
second list is the estimate.
"""

from __future__ import annotations

from qrelsmith.stats.ap_correlation import tau_ap, tau_ap_a, tau_ap_b
from qrelsmith.stats.kendall import kendall_tau_a, kendall_tau_b
from qrelsmith.stats.rank_overlap import rank_biased_overlap
from qrelsmith.stats.registries import CORRELATIONS
from qrelsmith.stats.spearman import spearman_rho

__all__ = [
    "CORRELATIONS",
    "kendall_tau_a",
    "kendall_tau_b",
    "rank_biased_overlap",
    "spearman_rho",
    "tau_ap",
    "tau_ap_a",
    "tau_ap_b",
]
