"""Labels of two sets in the order of the docs' places, without the trend due to the place."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.damages.label_arrays import LabelArrays


def placed_pair(
    labels: LabelArrays, examined: int, other: int, order: int
) -> tuple[FloatArray, FloatArray]:
    """Return the within-topic ranks of two sets, by place among the docs that the first set graded.

    A cubic in log(place) is subtracted from the ranks of each set, because early docs are relevant
    more often.

    Returns
    -------
    (ndarray, ndarray), both [topic, place]
        Residual ranks; nan beyond a topic's docs, and for docs without a grade in the other set.
    """

    def make(of: int) -> FloatArray:
        return without_place_trend(
            np.take_along_axis(labels.topic_ranks(of), _by_place(labels, examined, order), axis=1)
        )

    return (
        labels.once(("placed", examined, examined, order), lambda: make(examined)),
        labels.once(("placed", examined, other, order), lambda: make(other)),
    )


def without_place_trend(values: FloatArray) -> FloatArray:
    """Subtract the least-squares cubic in log(place + 1) from the values of each topic.

    Parameters
    ----------
    values : ndarray, [topic, place]
        The values; nan if missing.
    """
    valid = ~np.isnan(values)
    log = np.log1p(np.arange(values.shape[1]))
    log = (log - log.mean()) / max(log.std(), 1e-9)
    design = np.where(valid[..., None], np.stack([log**power for power in range(4)], axis=-1), 0.0)
    basis, _ = np.linalg.qr(design)
    filled = np.where(valid, values, 0.0)
    fitted = np.einsum("tpk,tk->tp", basis, np.einsum("tpk,tp->tk", basis, filled))
    return np.asarray(np.where(valid, filled - fitted, np.nan))


def _by_place(labels: LabelArrays, examined: int, order: int) -> IntArray:
    """Return each topic's docs: those that a set grades, by place, then others [topic, place]."""

    def make() -> IntArray:
        places = labels.places(examined)[order].astype(float)
        graded = ~np.isnan(labels.grades[examined])
        return np.argsort(np.where(graded, places, np.inf), axis=1, kind="stable")

    return labels.once(("by place", examined, order), make)
