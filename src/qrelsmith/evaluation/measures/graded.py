"""Measures that sum the gains of ranked docs.

g(r) is the gain of the doc at rank r: 0 for unjudged docs and for codes below 0.
"""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.evaluation.measures.registry import MEASURES, is_relevant, ranks, ratio, top

# 2^1024 exceeds the range of 64-bit floats.
_EXPONENT_LIMIT = 1024.0


def plain_gains(gains: FloatArray) -> FloatArray:
    """Return the gains, with 0 for nan and for codes below 0."""
    return np.where(gains > 0, gains, 0.0)


def exponential_gains(gains: FloatArray) -> FloatArray:
    """Return 2^g − 1 for gains of 0 or more.

    Raises
    ------
    UsageError
        If a gain is so high that the result overflows.
    """
    if gains.size and gains.max() >= _EXPONENT_LIMIT:
        raise UsageError(
            f"2^g − 1 of the gain {gains.max():g} is too large; expected gains below "
            f"{_EXPONENT_LIMIT:g}. Set gains with --gains"
        )
    return np.asarray(np.exp2(gains) - 1.0)


def check_top(name: str, gains: FloatArray, gmax: float | None) -> float:
    """Return the gain of the scale's top level, the upper limit of all gains.

    Raises
    ------
    UsageError
        If the top gain is missing, not a finite number of at least 0, or below a doc's gain.
    """
    if gmax is None:
        raise UsageError(f"{name} needs the gain of the scale's top level (gmax)")
    if not (np.isfinite(gmax) and gmax >= 0):
        raise UsageError(f"gmax={gmax!r}; expected the gain of the top level, 0 or more")
    if gains.size and gains.max() > gmax:
        raise UsageError(
            f"{name}: a doc has the gain {gains.max():g}, above the top of the scale ({gmax:g})"
        )
    return gmax


@MEASURES.add(
    "nDCG",
    formula="Σ_{r≤k} g(r)/log2(r+1), over the same of the ideal ranking of all judged docs;"
    " dcg='exp-log2': 2^g − 1 in place of g",
    source="Järvelin and Kekäläinen 2002; Burges et al. 2005; trec_eval ndcg_cut; NTCIREVAL MSnDCG;"
    " dcg='exp-log2': gdeval",
    aliases=("NDCG",),
    trec_eval=("ndcg", "ndcg_cut"),
)
def ndcg(
    gains: FloatArray, ideal: FloatArray, *, cutoff: int | None = None, dcg: str = "log2"
) -> FloatArray:
    """Discounted cumulated gain (DCG), divided by the DCG of the ideal ranking."""
    _check_dcg("nDCG", dcg)
    return ratio(_sum_discounted(gains, cutoff, dcg), _sum_discounted(ideal, cutoff, dcg))


@MEASURES.add(
    "DCG",
    formula="Σ_{r≤k} g(r)/log2(r+1); dcg='exp-log2': 2^g − 1 in place of g",
    source="Järvelin and Kekäläinen 2002; Burges et al. 2005",
    bounded=False,
)
def dcg_sum(
    gains: FloatArray, ideal: FloatArray, *, cutoff: int | None = None, dcg: str = "log2"
) -> FloatArray:
    """Discounted cumulated gain, not normalised."""
    _check_dcg("DCG", dcg)
    return _sum_discounted(gains, cutoff, dcg)


def _check_dcg(name: str, dcg: str) -> None:
    if dcg not in ("log2", "exp-log2"):
        raise UsageError(f"{name}(dcg={quoted(dcg)}); expected 'log2' or 'exp-log2'")


def _sum_discounted(values: FloatArray, cutoff: int | None, dcg: str) -> FloatArray:
    worth = plain_gains(top(values, cutoff))
    if dcg == "exp-log2":
        worth = exponential_gains(worth)
    return np.asarray(worth @ (1.0 / np.log2(ranks(worth.shape[-1]) + 1.0)))


@MEASURES.add(
    "Q",
    formula="1/min(k, R) · Σ_{r≤k} J(r) · (C(r) + β·cg(r))/(r + β·cg*(r)); J(r) = 1 where g(r) > 0,"
    " C and cg: counts of J and sums of g up to rank r, cg*: cg of the ideal ranking",
    source="Sakai 2004; Sakai and Song 2011; NTCIREVAL Q-measure",
)
def q_measure(
    gains: FloatArray, ideal: FloatArray, *, beta: float = 1, cutoff: int | None = None
) -> FloatArray:
    """Average precision with the blended ratio; a doc is relevant if its gain is above 0."""
    if beta < 0:
        raise UsageError(f"Q(beta={beta!r}); expected a beta of 0 or more")
    worth, best = plain_gains(top(gains, cutoff)), plain_gains(ideal)
    width = worth.shape[-1]
    relevant = worth > 0
    total = (best > 0).sum(axis=-1)
    ideal_sum = np.zeros((*best.shape[:-1], width))
    shared = min(width, best.shape[-1])
    ideal_sum[..., :shared] = best[..., :shared]
    blended = (relevant.cumsum(axis=-1) + beta * worth.cumsum(axis=-1)) / (
        ranks(width) + beta * ideal_sum.cumsum(axis=-1)
    )
    if cutoff is not None:
        total = np.minimum(total, cutoff)
    return ratio((blended * relevant).sum(axis=-1), total)


@MEASURES.add(
    "RBP",
    formula="(1 − p) · Σ_{r≤k} g(r)/gmax · p^{r−1}; with rel: 1 from that grade on, not g/gmax",
    source="Moffat and Zobel 2008",
    always=("p",),
)
def rank_biased_precision(
    gains: FloatArray,
    ideal: FloatArray,
    *,
    cutoff: int | None = None,
    gmax: float | None = None,
    p: float = 0.8,
    rel: float | None = None,
) -> FloatArray:
    """Expected gain per step for a user who continues to the next rank with probability p."""
    _check_persistence("RBP", p)
    ranked = top(gains, cutoff)
    if rel is None:
        worth = plain_gains(ranked)
        worth = ratio(worth, check_top("RBP", worth, gmax))
    else:
        worth = is_relevant(ranked, rel).astype(np.float64)
    return np.asarray((1.0 - p) * (worth @ p ** (ranks(worth.shape[-1]) - 1.0)))


@MEASURES.add(
    "RBPresidual",
    formula="(1 − p) · Σ_{unjudged r≤n} p^{r−1} + p^n; n: docs returned, or k if that is less",
    source="Moffat and Zobel 2008, section 4.4",
    always=("p",),
    grades=True,
)
def rank_biased_precision_residual(
    grades: FloatArray, ideal: FloatArray, *, cutoff: int | None = None, p: float = 0.8
) -> FloatArray:
    """Possible rise of RBP if every unjudged or missing doc had the top gain."""
    _check_persistence("RBPresidual", p)
    known = top(grades, cutoff) >= 0
    # The total weight is 1; all weight outside the judged ranks is uncertain.
    settled = (1.0 - p) * (known @ p ** (ranks(known.shape[-1]) - 1.0))
    return np.asarray(1.0 - settled)


def _check_persistence(name: str, p: float) -> None:
    if not 0 <= p < 1:
        raise UsageError(f"{name}(p={p!r}); expected a p of at least 0 and less than 1")
