"""Binary relevance measures and counts.

All measures are defined as in trec_eval 10; `rel` is the lowest grade that counts as relevant. In
the formulas R is the number of relevant docs of the topic, and rel(r) is 1 if the doc at rank r is
relevant, else 0.
"""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.evaluation.measures.registry import (
    MEASURES,
    count_returned,
    is_relevant,
    ranks,
    ratio,
    top,
)

# Keeps infAP's estimate defined before the first judged doc (Yilmaz and Aslam 2006, section 4).
_INFAP_EPSILON = 0.00001


@MEASURES.add(
    "P",
    formula="1/k · Σ_{r≤k} rel(r)",
    source="trec_eval P",
    aliases=("Precision",),
    trec_eval=("P",),
    needs_cutoff=True,
)
def precision(
    grades: FloatArray, ideal: FloatArray, *, cutoff: int | None = None, rel: float = 1
) -> FloatArray:
    """Share of relevant docs among the first k ranks; missing ranks count as non-relevant."""
    width = grades.shape[-1] if cutoff is None else cutoff
    return ratio(is_relevant(top(grades, cutoff), rel).sum(axis=-1), width)


@MEASURES.add("R", formula="1/R · Σ_{r≤k} rel(r)", source="trec_eval recall", aliases=("Recall",),
              trec_eval=("recall",))  # fmt: skip
def recall(
    grades: FloatArray, ideal: FloatArray, *, cutoff: int | None = None, rel: float = 1
) -> FloatArray:
    """Share of the topic's relevant docs in the first k ranks."""
    return ratio(
        is_relevant(top(grades, cutoff), rel).sum(axis=-1), is_relevant(ideal, rel).sum(axis=-1)
    )


@MEASURES.add(
    "Success",
    formula="1 if Σ_{r≤k} rel(r) > 0 else 0",
    source="trec_eval success",
    trec_eval=("success",),
    needs_cutoff=True,
)
def success(
    grades: FloatArray, ideal: FloatArray, *, cutoff: int | None = None, rel: float = 1
) -> FloatArray:
    """Whether the first k ranks contain a relevant doc."""
    return np.asarray(is_relevant(top(grades, cutoff), rel).any(axis=-1), dtype=np.float64)


@MEASURES.add("RR", formula="1/(rank of the first relevant doc)", source="trec_eval recip_rank",
              aliases=("MRR",), trec_eval=("recip_rank",))  # fmt: skip
def reciprocal_rank(
    grades: FloatArray, ideal: FloatArray, *, cutoff: int | None = None, rel: float = 1
) -> FloatArray:
    """One over the rank of the first relevant doc, 0 if there is none (among the first k)."""
    relevant = is_relevant(top(grades, cutoff), rel)
    if relevant.shape[-1] == 0:
        return np.zeros(relevant.shape[:-1])
    first = 1.0 / (relevant.argmax(axis=-1) + 1.0)
    return np.asarray(np.where(relevant.any(axis=-1), first, 0.0))


@MEASURES.add(
    "AP",
    formula="1/R · Σ_{r≤k} rel(r) · P@r; norm='min': 1/min(k, R) in front",
    source="trec_eval map, map_cut; norm='min': NTCIREVAL AP@k",
    aliases=("MAP",),
    trec_eval=("map", "map_cut"),
)
def average_precision(
    grades: FloatArray,
    ideal: FloatArray,
    *,
    cutoff: int | None = None,
    norm: str = "R",
    rel: float = 1,
) -> FloatArray:
    """Mean of the precision at each relevant doc's rank; 0 for docs not returned."""
    if norm not in ("R", "min"):
        raise UsageError(f"AP(norm={quoted(norm)}); expected 'R' or 'min'")
    relevant = is_relevant(top(grades, cutoff), rel)
    at_rank = relevant.cumsum(axis=-1) / ranks(relevant.shape[-1])
    total = is_relevant(ideal, rel).sum(axis=-1)
    if norm == "min" and cutoff is not None:
        total = np.minimum(total, cutoff)
    return ratio((at_rank * relevant).sum(axis=-1), total)


@MEASURES.add("Rprec", formula="1/R · Σ_{r≤R} rel(r)", source="trec_eval Rprec")
def r_precision(grades: FloatArray, ideal: FloatArray, *, rel: float = 1) -> FloatArray:
    """Precision at rank R."""
    total = is_relevant(ideal, rel).sum(axis=-1)
    inside = ranks(grades.shape[-1]) <= total[..., None]
    return ratio((is_relevant(grades, rel) & inside).sum(axis=-1), total)


@MEASURES.add(
    "IPrec",
    formula="max P@r over the ranks r with Σ_{j≤r} rel(j) ≥ ⌊xR + ½⌋",
    source="trec_eval 10 iprec_at_recall (9 and older: ⌊xR + 0.9⌋)",
    needs_cutoff=True,
    cutoff_is_recall=True,
    trec_eval=("iprec_at_recall",),
)
def interpolated_precision(
    grades: FloatArray, ideal: FloatArray, *, cutoff: float | None = None, rel: float = 1
) -> FloatArray:
    """Highest precision from the first rank on that reaches the recall level; 0 if none does."""
    relevant = is_relevant(grades, rel)
    found = relevant.cumsum(axis=-1)
    level = 0.0 if cutoff is None else cutoff
    needed = np.floor(level * is_relevant(ideal, rel).sum(axis=-1) + 0.5)
    at_rank = np.where(found >= needed[..., None], found / ranks(found.shape[-1]), 0.0)
    return np.asarray(at_rank.max(axis=-1, initial=0.0), dtype=np.float64)


@MEASURES.add(
    "bpref",
    formula="1/R · Σ_{relevant docs returned} (1 − min(n(r), R)/min(N, R)); n(r): judged"
    " nonrelevant docs above rank r, N: all of them",
    source="Buckley and Voorhees 2004; trec_eval bpref",
)
def binary_preference(grades: FloatArray, ideal: FloatArray, *, rel: float = 1) -> FloatArray:
    """Share of pairs of a relevant and a judged non-relevant doc that are ranked correctly."""
    relevant = is_relevant(grades, rel)
    above = ((grades >= 0) & (grades < rel)).cumsum(axis=-1)
    total = is_relevant(ideal, rel).sum(axis=-1)[..., None]
    nonrelevant = ((ideal >= 0) & (ideal < rel)).sum(axis=-1)[..., None]
    kept = 1.0 - ratio(np.minimum(above, total), np.minimum(nonrelevant, total))
    return ratio((kept * relevant).sum(axis=-1), total[..., 0])


@MEASURES.add(
    "infAP",
    formula="1/R · Σ_{relevant docs returned} (1/r + d(r)/r · (n⁺(r) + ε)/(n(r) + 2ε)); d: docs"
    " of the pool above rank r, n: judged among them, n⁺: relevant among those",
    source="Yilmaz and Aslam 2006; trec_eval infAP",
)
def inferred_average_precision(
    grades: FloatArray, ideal: FloatArray, *, rel: float = 1
) -> FloatArray:
    """Average precision, estimated from a judged sample of the pool (−1 marks unjudged docs)."""
    width = grades.shape[-1]
    relevant = is_relevant(grades, rel)
    position = ranks(width)

    def before(mask: np.ndarray) -> np.ndarray:
        counts: np.ndarray = mask.cumsum(axis=-1) - mask
        return counts

    pooled, judged, good = before(~np.isnan(grades)), before(grades >= 0), before(relevant)
    sampled = (good + _INFAP_EPSILON) / (judged + 2 * _INFAP_EPSILON)
    expected = 1.0 / position + (position - 1) / position * ratio(pooled, position - 1) * sampled
    return ratio((expected * relevant).sum(axis=-1), is_relevant(ideal, rel).sum(axis=-1))


@MEASURES.add(
    "Judged",
    formula="judged docs among the first min(k, returned) ranks, over min(k, returned)",
    source="ir_measures Judged; 1 − trec_eval 10's unj where the run returned k docs",
    grades=True,
)
def judged(
    grades: FloatArray,
    ideal: FloatArray,
    *,
    cutoff: int | None = None,
    retrieved: IntArray | None = None,
) -> FloatArray:
    """Share of judged docs among the (first k) docs returned; codes below 0 count as unjudged."""
    count = count_returned(grades, retrieved)
    if cutoff is not None:
        count = np.minimum(count, cutoff)
    return ratio((top(grades, cutoff) >= 0).sum(axis=-1), count)


@MEASURES.add("SetP", formula="relevant docs returned / docs returned", source="trec_eval set_P",
              trec_eval=("set_P",))  # fmt: skip
def set_precision(
    grades: FloatArray, ideal: FloatArray, *, rel: float = 1, retrieved: IntArray | None = None
) -> FloatArray:
    """Share of relevant docs among all returned docs."""
    return ratio(is_relevant(grades, rel).sum(axis=-1), count_returned(grades, retrieved))


@MEASURES.add("SetR", formula="relevant docs returned / R", source="trec_eval set_recall",
              trec_eval=("set_recall",))  # fmt: skip
def set_recall(grades: FloatArray, ideal: FloatArray, *, rel: float = 1) -> FloatArray:
    """Share of the topic's relevant docs that were returned."""
    return recall(grades, ideal, rel=rel)


@MEASURES.add(
    "SetF",
    formula="(beta + 1) · SetP · SetR / (beta · SetP + SetR)",
    source="trec_eval set_F (its parameter is beta, not beta²)",
    trec_eval=("set_F",),
)
def set_f(
    grades: FloatArray,
    ideal: FloatArray,
    *,
    beta: float = 1,
    rel: float = 1,
    retrieved: IntArray | None = None,
) -> FloatArray:
    """Weighted harmonic mean of SetP and SetR."""
    if beta < 0:
        raise UsageError(f"SetF(beta={beta!r}); expected a beta of 0 or more")
    found = set_precision(grades, ideal, rel=rel, retrieved=retrieved)
    complete = set_recall(grades, ideal, rel=rel)
    return ratio((beta + 1) * found * complete, beta * found + complete)


@MEASURES.add("NumRet", formula="docs returned", source="trec_eval num_ret", grades=True,
              trec_eval=("num_ret",))  # fmt: skip
def number_returned(
    grades: FloatArray, ideal: FloatArray, *, retrieved: IntArray | None = None
) -> FloatArray:
    """Count of docs returned."""
    return count_returned(grades, retrieved).astype(np.float64)


@MEASURES.add("NumRel", formula="R", source="trec_eval num_rel",
              trec_eval=("num_rel",))  # fmt: skip
def number_relevant(grades: FloatArray, ideal: FloatArray, *, rel: float = 1) -> FloatArray:
    """Count of the topic's relevant docs."""
    return np.asarray(is_relevant(ideal, rel).sum(axis=-1), dtype=np.float64)


@MEASURES.add("NumRelRet", formula="relevant docs returned", source="trec_eval num_rel_ret",
              trec_eval=("num_rel_ret",))  # fmt: skip
def number_relevant_returned(
    grades: FloatArray, ideal: FloatArray, *, cutoff: int | None = None, rel: float = 1
) -> FloatArray:
    """Count of relevant docs returned (among the first k)."""
    return np.asarray(is_relevant(top(grades, cutoff), rel).sum(axis=-1), dtype=np.float64)
