"""Pairs of topics whose lists of labels were exchanged."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.placed_labels import placed_pair
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.row_correlations import row_correlations
from qrelsmith.damages.spoiled_labels import whole_topics

LEAST_CORRELATION = 0.1
LEAST_DOCS = 10


@DAMAGES.add(
    "swapped",
    culprit="topic",
    sentence="the labels of topics {names} fit the other topic's docs better than their own "
    "(correlation by position {value:.2f})",
    otherwise="two similar topics, judged in the same order",
    action="exchange the labels of the two topics, or judge both topics again",
    mirrored="same",
    spoils=whole_topics,
    formula="z = (z_tu + z_ut)/√2 of Fisher's z of both crossed correlations, each above its own",
    source="Fisher 1921",
)
def swapped(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find pairs of topics whose labels fit each other's docs, place by place.

    Null: labels of one topic are independent of another topic's docs. Each list must fit the other
    topic better than its own topic, at the common places. Value: the mean of the two crossed
    correlations of within-topic ranks, after subtracting a cubic in log(place).

    Candidates: each topic, with the partner that fits it best.
    """
    orders, topics = len(labels.places(examined)), labels.grades.shape[1]
    if topics < 2:
        return Evidence.none()
    choices = (topics - 1) * orders  # the best of all other topics, in every order
    least_z = -special.ndtri(1 / choices)  # below this correlation, p is 1
    best_z = np.full((topics, topics), -np.inf)
    best_r = np.zeros((topics, topics))
    for order in range(orders):
        mine, theirs = placed_pair(labels, examined, other, order)
        crossed, count = _crossed_correlations(mine, theirs)
        fisher = np.arctanh(np.clip(crossed, -0.999, 0.999)) * np.sqrt(np.maximum(count - 3, 0))
        z = (fisher + fisher.T) / np.sqrt(2)
        weaker = np.triu(np.minimum(crossed, crossed.T), 1)
        first, second = np.nonzero(
            (weaker > 0) & (z > least_z) & (np.minimum(count, count.T) >= LEAST_DOCS)
        )
        fits = np.zeros(z.shape, dtype=bool)
        fits[first, second] = weaker[first, second] > _own_correlations(mine, theirs, first, second)
        z = np.where(fits | fits.T, z, np.minimum(z, 0.0))
        better = z > best_z
        best_z = np.where(better, z, best_z)
        best_r = np.where(better, (crossed + crossed.T) / 2, best_r)
    np.fill_diagonal(best_z, -np.inf)
    partner = best_z.argmax(axis=1)
    pairs = sorted({(min(t, u), max(t, u)) for t, u in enumerate(partner.tolist())})
    first, second = np.array(pairs).T
    z, r = best_z[first, second], best_r[first, second]
    p = np.minimum(special.ndtr(-z) * choices, 1.0)
    return Evidence.of(pairs, r, p, large=r > LEAST_CORRELATION)


def _own_correlations(
    mine: FloatArray, theirs: FloatArray, first: IntArray, second: IntArray
) -> FloatArray:
    """Return the higher of two topics' own correlations, at their common places [pair].

    At places that the other list lacks, a longer list keeps its own labels.
    """
    shorter = np.isnan(mine + theirs)
    neither = shorter[first] | shorter[second]
    own = [
        row_correlations(np.where(neither, np.nan, mine[of]), theirs[of])[0]
        for of in (first, second)
    ]
    return np.asarray(np.nan_to_num(np.maximum(*own)))


def _crossed_correlations(mine: FloatArray, theirs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return correlations of topic t of one set with topic u of the other set by place, and counts.

    Both arrays are [t, u].
    """
    x, y = np.nan_to_num(mine), np.nan_to_num(theirs)
    is_x, is_y = (~np.isnan(mine)).astype(float), (~np.isnan(theirs)).astype(float)
    # einsum, because the threads of a matrix product cost too much for such a small product.
    count = _cross(is_x, is_y)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_x, mean_y = _cross(x, is_y) / count, _cross(is_x, y) / count
        covariance = _cross(x, y) / count - mean_x * mean_y
        variance_x = _cross(x**2, is_y) / count - mean_x**2
        variance_y = _cross(is_x, y**2) / count - mean_y**2
        crossed = covariance / np.sqrt(variance_x * variance_y)
    return np.where(np.isfinite(crossed), crossed, 0.0), count


def _cross(x: FloatArray, y: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("tp,up->tu", x, y))
