"""α of all labels of a topic: agreement among assessors on the target scale."""

from __future__ import annotations

import numpy as np

from qrelsmith.agreement import coincidences
from qrelsmith.base.arrays import FloatArray
from qrelsmith.cuts.cut_sets import CutSets
from qrelsmith.cuts.merged import is_collapsed, merged_alpha
from qrelsmith.cuts.registry import CUT_METHODS, CutAlphas, of_docs
from qrelsmith.cuts.topic_labels import TopicLabels


@CUT_METHODS.add(
    "topicwide",
    formula="α of the topic's whole matrix of assessors and docs, cut",
    source="Han et al. 2019, 3.3.1: Tw_α¹",
    needs_target=False,
    unit="doc",
    order="at",
    direct=lambda one: one.alpha(one.cuts.apply(one.labels.ratings)),
)
def topicwide(
    labels: TopicLabels,
    sets: CutSets,
    *,
    by: str = "median",  # noqa: ARG001 - nothing is aggregated
    level: str = "ordinal",
    undefined: str = "nan",
) -> CutAlphas:
    """α of all labels of the topic, after cutting each label.

    Coincidences are counted once on the source scale; α of a set of cuts needs only a few entries
    of a table of prefix sums.

    Docs with one label are ignored; `by` has no effect.

    `units` counts the docs with two labels or more.

    References
    ----------
    Han et al. (2019), On transforming relevance scales, section 3.3.1.
    """
    placed = np.where(np.isnan(labels.ratings), np.nan, sets.positions(labels.ratings))
    several = np.count_nonzero(~np.isnan(placed), axis=0) >= 2
    matrix = coincidences(placed[:, several], scale=np.arange(sets.candidates.size + 1.0))
    counted = placed[:, several]
    sizes = np.bincount(
        counted[~np.isnan(counted)].astype(np.int64), minlength=sets.candidates.size + 1
    )
    cumulated = np.cumsum(sizes)[:-1].astype(np.float64)
    table = straddling_table(matrix.counts)
    total = float(sizes.sum())
    alpha, degenerate = np.empty(len(sets)), np.empty(len(sets), dtype=np.bool_)
    for part, some in sets.parts:
        below = [cumulated.take(column) for column in some.columns]
        straddling = {pair: table.take(places) for pair, places in some.pairs.items()}
        alpha[part] = merged_alpha(below, straddling, total, level=level, undefined=undefined)
        degenerate[part] = is_collapsed(below, total)
    return of_docs(alpha, int(several.sum()), degenerate)


def straddling_table(counts: FloatArray) -> FloatArray:
    """Count pairs that straddle candidates c ≤ c' (a label ≤ c and a label > c') [c · C + c'].

    Parameters
    ----------
    counts : ndarray, [position, position]
        Symmetric coincidences of the C + 1 positions between C candidates.
    """
    low = np.cumsum(counts, axis=0)[:-1]
    above = np.cumsum(low[:, ::-1], axis=1)[:, ::-1]
    return np.ascontiguousarray(above[:, 1:]).ravel()
