"""Compatibility: how similar a run is to the best ranking that it could have been."""

from __future__ import annotations

import numpy as np

from qrelsmith.arrays import FloatArray
from qrelsmith.errors import UsageError, quoted
from qrelsmith.measures.registry import MEASURES, ratio

_DEPTH = 1000


@MEASURES.add(
    "Compat",
    formula="Σ_{i=1}^{1000} p^{i−1} |I_{1:i} ∩ R_{1:i}|/i ÷ Σ_{i=1}^{1000} p^{i−1} = RBO(R, I),"
    " over RBO(I, I) unless norm='none'; I: the docs with a value above 0, best level first,"
    " inside a level in the order of the run R, those that it lacks last",
    source="Clarke, Vtyurina and Smucker 2021 (topk-preferences), section 3.2",
    always=("p",),
    aliases=("Compatibility",),
)
def compatibility(
    gains: FloatArray, ideal: FloatArray, *, norm: str = "ideal", p: float = 0.95
) -> FloatArray:
    """Rank-biased overlap of a run with its own ideal ranking, to depth 1000.

    A doc that stands at rank r in the run and at rank s in the ideal belongs to both prefixes from
    depth max(r, s) on, so it adds Σ_{i ≥ max(r, s)} p^{i−1}/i; nothing else has to be compared.
    """
    if norm not in ("ideal", "none"):
        raise UsageError(f"Compat(norm={quoted(norm)}): expected 'ideal' or 'none'")
    if not 0 < p < 1:
        raise UsageError(f"Compat(p={p!r}): expected a p between 0 and 1")
    weights = p ** np.arange(_DEPTH)
    # worth[d]: what a doc adds that both prefixes hold from depth d on; nothing beyond the depth.
    worth = np.zeros(_DEPTH + 2)
    worth[1:-1] = np.cumsum((weights / np.arange(1, _DEPTH + 1))[::-1])[::-1]

    ranked = gains[..., :_DEPTH]
    depth = np.full(ranked.shape, _DEPTH + 1)
    rank = np.arange(1, ranked.shape[-1] + 1)
    above = np.zeros((*ideal.shape[:-1], 1), dtype=np.int64)
    for level in _levels(ideal):
        same = ranked == level
        place = above + same.cumsum(axis=-1)
        depth = np.where(same, np.minimum(np.maximum(rank, place), _DEPTH + 1), depth)
        above = above + (ideal == level).sum(axis=-1, keepdims=True)
    overlap = worth[depth].sum(axis=-1) / weights.sum()
    if norm == "none":
        return np.asarray(overlap)
    best = np.concatenate([[0.0], np.cumsum(worth[1:-1])]) / weights.sum()
    return ratio(overlap, best[np.minimum(above[..., 0], _DEPTH)])


def _levels(ideal: FloatArray) -> list[float]:
    """The distinct values above 0, best first."""
    levels: list[float] = np.unique(ideal[ideal > 0])[::-1].tolist()
    return levels
