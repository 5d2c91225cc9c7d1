"""Rank correlation of label sets within topics, which does not depend on the sets' scales."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.stats.ties import tied_ranks

Graded = Mapping[str, Mapping[str, float]]
"""topic → doc → grade"""


def mean_topic_correlation(first: Graded, second: Graded) -> float:
    """Spearman's ρ over the docs in both label sets, averaged over topics with a value.

    Parameters
    ----------
    first, second : mapping of str to mapping of str to float
        Grades by topic and doc; codes below 0 are not grades.

    Returns
    -------
    float
        nan if no topic has a value.

    Examples
    --------
    >>> mean_topic_correlation({"t": {"a": 0, "b": 1}}, {"t": {"a": 20, "b": 70}})
    1.0
    """
    return float(mean_topic_correlations([first, second])[0, 1])


def mean_topic_correlations(label_sets: Sequence[Graded]) -> FloatArray:
    """Return `mean_topic_correlation` for all pairs of label sets [set, set]; diagonal: nan.

    Label sets that grade the same docs of a topic are ranked in one array operation.
    """
    total = np.zeros((len(label_sets), len(label_sets)))
    topics = np.zeros_like(total)
    for topic in sorted({topic for graded in label_sets for topic in graded}):
        rhos = _correlations([graded.get(topic, {}) for graded in label_sets])
        defined = ~np.isnan(rhos)
        total[defined] += rhos[defined]
        topics += defined
    np.fill_diagonal(topics, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(topics > 0, total / topics, np.nan))


def _correlations(graded: Sequence[Mapping[str, float]]) -> FloatArray:
    """Return Spearman's ρ of all pairs of label sets on one topic [set, set]."""
    docs = {doc: at for at, doc in enumerate(sorted(set().union(*graded)))}
    grades = np.full((len(graded), len(docs)), np.nan)
    for row, of_set in zip(grades, graded, strict=True):
        row[[docs[doc] for doc in of_set]] = list(of_set.values())
    grades[grades < 0] = np.nan
    covers, group = np.unique(~np.isnan(grades), axis=0, return_inverse=True)
    rhos = np.full((len(graded), len(graded)), np.nan)
    members = [np.flatnonzero(group.ravel() == at) for at in range(len(covers))]
    for one, first in enumerate(members):
        for other, second in enumerate(members[: one + 1]):
            shared = covers[one] & covers[other]
            if shared.sum() < 2:
                continue
            pairs = _rho(grades[first][:, shared], grades[second][:, shared])
            rhos[np.ix_(first, second)] = pairs
            rhos[np.ix_(second, first)] = pairs.T
    return rhos


def _rho(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return Spearman's ρ of all pairs of rows of two arrays; nan if a row has only ties."""
    one, other = _centred_ranks(first), _centred_ranks(second)
    sizes = np.sqrt(np.outer((one**2).sum(axis=1), (other**2).sum(axis=1)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(sizes > 0, one @ other.T / sizes, np.nan))


def _centred_ranks(rows: FloatArray) -> FloatArray:
    """Return, for each doc, the number of docs below minus the number above [row, doc]."""
    dense = tied_ranks(rows, name="grades")
    sizes = np.zeros((len(rows), int(dense.max()) + 1))
    np.add.at(sizes, (np.arange(len(rows))[:, None], dense), 1.0)
    up_to = np.cumsum(sizes, axis=1)
    below = np.take_along_axis(up_to - sizes, dense, axis=1)
    return np.asarray(below + np.take_along_axis(up_to, dense, axis=1) - rows.shape[1])
