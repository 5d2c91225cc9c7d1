"""Measures of answers: nuggets, rubrics, citations and criteria.

In the formulas, s is the label of an aspect divided by the scale's top: 1, .5 and 0 for full,
partial and no support. Strict variants use 1 for the top level and 0 for all lower levels. A
contradicted nugget counts as 0. An aspect without a label is left out.
"""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.evaluation.measures.registry import MEASURES

NUGGET_VARIANTS = ("V_strict", "V", "W_strict", "W", "A_strict", "A")


@MEASURES.add(
    "NuggetRecall",
    formula="Σ w·s / Σ w; V: vital nuggets, w = 1; W: all, w = 1 if vital, ½ if okay; A: all, w ="
    " 1; V_strict, W_strict, A_strict: s = 1 for full support, else 0",
    source="Pradeep et al. 2024, AutoNuggetizer (TREC RAG)",
    always=("variant",),
    aspects="nugget",
)
def nugget_recall(
    shares: FloatArray, weights: FloatArray, *, variant: str = "V_strict"
) -> FloatArray:
    """Share of a topic's nuggets that the answer supports."""
    if variant not in NUGGET_VARIANTS:
        raise UsageError(
            f"NuggetRecall(variant={quoted(variant)}); expected one of {', '.join(NUGGET_VARIANTS)}"
        )
    which, _, strict = variant.partition("_")
    counted = weights
    if which == "V":
        counted = np.where(weights >= 1, 1.0, np.nan)
    elif which == "A":
        counted = np.where(np.isnan(weights), np.nan, 1.0)
    return _mean(_worth(shares, strict=bool(strict)), counted)


@MEASURES.add(
    "RubricScore",
    formula="Σ_q w(q) · mean of s over the expected answers of q / Σ_q w(q)",
    source="TREC 2025 DRAGUN: w = 4, 2, 1",
    aspects="rubric",
)
def rubric_score(
    shares: FloatArray, weights: FloatArray, *, group: IntArray, strict: bool = False
) -> FloatArray:
    """Share of the expected answers that are given, as a weighted mean over rubric questions."""
    worth = _worth(shares, strict=strict)
    judged = ~np.isnan(worth)
    same = (group[..., :, None] == group[..., None, :]) & judged[..., None, :]
    size = np.where(judged, same.sum(axis=-1), 1)
    return _mean(worth, weights / size)


@MEASURES.add(
    "CitationPrecision",
    formula="mean of s over the sentences' citations",
    source="TREC RAG 2024, weighted precision",
    aspects="citation",
)
def citation_precision(
    shares: FloatArray, weights: FloatArray, *, strict: bool = False
) -> FloatArray:
    """Mean degree to which cited docs support the sentences that cite them."""
    return _mean(_worth(shares, strict=strict), weights)


@MEASURES.add(
    "CitationRecall",
    formula="mean over sentences of max s over their citations (first: s of the first), 0 for a"
    " sentence without any",
    source="TREC RAG 2024, weighted recall",
    aspects="citation",
)
def citation_recall(
    shares: FloatArray,
    weights: FloatArray,
    *,
    group: IntArray,
    cited: BoolArray,
    sentences: IntArray,
    first: bool = False,
    strict: bool = False,
) -> FloatArray:
    """Share of sentences that their citations support."""
    worth = _worth(shares, strict=strict)
    is_pair = ~np.isnan(weights)
    looked_at = np.where(is_pair & (cited if first else True), worth, np.nan)
    same = (group[..., :, None] == group[..., None, :]) & is_pair[..., None, :]
    known = np.where(same, looked_at[..., None, :], np.nan)
    best = np.where(np.isnan(known).all(axis=-1), np.nan, np.fmax.reduce(known, axis=-1))
    is_first = is_pair & cited  # represents its sentence
    with_citations = is_first.sum(axis=-1)
    is_judged = is_first & ~np.isnan(best)
    total = np.where(is_judged, best, 0.0).sum(axis=-1)
    count = np.asarray(is_judged.sum(axis=-1) + sentences - with_citations, dtype=np.float64)
    return _ratio(total, count)


@MEASURES.add(
    "Criterion",
    formula="the grade of the answer on the criterion",
    source="e.g. Katsis et al. 2025, MTRAG",
    placed="name",
    bounded=False,
    aspects="criterion",
)
def criterion(shares: FloatArray, weights: FloatArray, *, name: str = "") -> FloatArray:
    """Grade of the answer on a criterion, such as faithfulness."""
    return _mean(shares, weights)


def _worth(shares: FloatArray, *, strict: bool) -> FloatArray:
    if not strict:
        return shares
    return np.where(np.isnan(shares), np.nan, np.asarray(shares >= 1, dtype=np.float64))


def _mean(worth: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted mean over judged aspects; nan without positive weights."""
    counted = ~np.isnan(worth) & ~np.isnan(weights)
    kept = np.where(counted, weights, 0.0)
    total = np.asarray(kept.sum(axis=-1))
    return _ratio((kept * np.where(counted, worth, 0.0)).sum(axis=-1), total)


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    """Return the quotient; nan where the divisor is 0."""
    out: FloatArray = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=out, where=below > 0)
    return out
