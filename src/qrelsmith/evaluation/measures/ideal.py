"""Compatibility: similarity of a run to its own ideal ranking."""

from __future__ import annotations

import math

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.evaluation.measures.registry import MEASURES, ratio

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

    A doc at rank r in the run and at rank s in the ideal ranking is in both prefixes from depth
    max(r, s) on. The doc therefore adds Σ_{i ≥ max(r, s)} p^{i−1}/i.
    """
    if norm not in ("ideal", "none"):
        raise UsageError(f"Compat(norm={quoted(norm)}); expected 'ideal' or 'none'")
    if not 0 < p < 1:
        raise UsageError(f"Compat(p={p!r}); expected a p between 0 and 1")
    weights = p ** np.arange(_DEPTH)
    # worth[d]: contribution of a doc in both prefixes from depth d on; 0 beyond the last depth.
    worth = np.zeros(_DEPTH + 2)
    worth[1:-1] = np.cumsum((weights / np.arange(1, _DEPTH + 1))[::-1])[::-1]

    ranked, ideal = (
        values.reshape(math.prod(values.shape[:-1]), values.shape[-1])
        for values in (gains[..., :_DEPTH], ideal)
    )
    (topic, rank), place, relevant = _places(ranked, ideal)
    depth = np.minimum(np.maximum(rank, place), _DEPTH + 1)
    overlap = np.bincount(topic, weights=worth[depth], minlength=len(ranked)) / weights.sum()
    if norm == "ideal":
        best = np.concatenate([[0.0], np.cumsum(worth[1:-1])]) / weights.sum()
        overlap = ratio(overlap, best[np.minimum(relevant, _DEPTH)])
    return np.asarray(overlap.reshape(gains.shape[:-1]))


def _places(
    ranked: FloatArray, ideal: FloatArray
) -> tuple[tuple[IntArray, IntArray], IntArray, IntArray]:
    """Return the ranks, in both rankings, of docs that a run shares with its ideal ranking.

    Returns
    -------
    found : two int arrays [doc]
        Topic and rank in the run of every doc with a value above 0.
    place : int array [doc]
        Rank of each of these docs in the ideal ranking.
    relevant : int array [topic]
        Number of docs in the ideal ranking.
    """
    topic, column = np.nonzero(ranked > 0)
    ideal_topic, ideal_column = np.nonzero(ideal > 0)
    values = np.concatenate([ranked[topic, column], ideal[ideal_topic, ideal_column]])
    levels, level = np.unique(values, return_inverse=True)
    # One number per topic and level, ascending from the best level of the first topic.
    key = np.concatenate([topic, ideal_topic]) * len(levels) + (len(levels) - 1 - level)
    mine, ideals = key[: topic.size], np.sort(key[topic.size :])
    relevant = np.bincount(ideal_topic, minlength=len(ideal))
    begins = np.cumsum(relevant) - relevant
    better = np.searchsorted(ideals, mine) - begins[topic]
    # Docs of the same level keep their order in the run.
    order = np.argsort(mine, kind="stable")
    before = np.empty(topic.size, dtype=np.int64)
    before[order] = np.arange(topic.size) - np.searchsorted(mine[order], mine[order])
    return (topic, column + 1), better + before + 1, relevant
