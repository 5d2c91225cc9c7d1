"""Bias in a ranking: the ranks that each run of a team gains by the bias."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.damages.favoured import TOP, team_docs
from qrelsmith.damages.label_arrays import LabelArrays

# Run, topic, doc and discount of all docs in top tens.
Tops: TypeAlias = tuple[IntArray, IntArray, IntArray, FloatArray]


def corrected_places(
    labels: LabelArrays, label_set: int, team: int, *, effect: float
) -> tuple[IntArray, IntArray]:
    """Return the place of every run by nDCG@10, with the labels and without bias toward a team.

    Parameters
    ----------
    labels : LabelArrays
        Label sets and runs.
    team : int
        The favoured team; the effect is subtracted from docs in the top ten of this team's runs.
    effect : float
        The size of the bias, in standard deviations of the set's grades.

    Returns
    -------
    (ndarray of int, ndarray of int), both [run]
        Places from 1, first with the labels, then corrected; tied runs share the best place.
    """
    grades = labels.grades[label_set]
    lowest = labels.lowest[label_set]
    favour = effect * float(np.nanstd(grades))
    corrected = np.where(team_docs(labels, team), np.maximum(grades - favour, lowest), grades)
    tops = labels.once("tops", lambda: _tops(labels.ranks))
    shape = labels.ranks.shape[:2]
    now = labels.once(("places", label_set), lambda: _places(tops, shape, grades))
    return now, _places(tops, shape, corrected)


def _places(tops: Tops, shape: tuple[int, ...], grades: FloatArray) -> IntArray:
    gains = np.maximum(np.nan_to_num(grades), 0.0)
    run, topic, doc, discount = tops
    ideal = np.sort(gains, axis=1)[:, ::-1][:, :TOP]
    best = ideal @ (1 / np.log2(np.arange(2, ideal.shape[1] + 2)))
    runs, topics = shape
    of = run * topics + topic
    dcg = np.bincount(of, discount * gains[topic, doc], runs * topics).reshape(runs, topics)
    scores = dcg[:, best > 0] / best[best > 0]
    means = np.round(scores.mean(axis=1), 12) if scores.size else np.zeros(runs)
    return np.asarray(1 + (means[None, :] > means[:, None]).sum(axis=1), dtype=np.int64)


def _tops(ranks: IntArray) -> Tops:
    """Return run, topic, doc and discount of each doc in a run's top ten [·]."""
    run, topic, doc = np.nonzero((ranks > 0) & (ranks <= TOP))
    return run, topic, doc, 1 / np.log2(ranks[run, topic, doc] + 1.0)
