"""Favour in a ranking: the places that each run of a team owes to it."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.damages.favoured import TOP, team_docs
from qrelsmith.damages.label_arrays import LabelArrays


def corrected_places(
    labels: LabelArrays, label_set: int, team: int, *, effect: float
) -> tuple[IntArray, IntArray]:
    """The place of every run by nDCG@10, as the labels are and without a team's favour.

    Parameters
    ----------
    labels : LabelArrays
        Label sets and runs.
    label_set : int
        The label set.
    team : int
        The favoured team; docs in the top ten of its runs are taken down by the effect.
    effect : float
        How much these are favoured, in standard deviations of the set's grades.

    Returns
    -------
    (ndarray of int, ndarray of int), both [run]
        Places from 1, equal means sharing the first; as they are, and corrected.
    """
    grades = labels.grades[label_set]
    lowest = labels.lowest[label_set]
    favour = effect * float(np.nanstd(grades))
    corrected = np.where(team_docs(labels, team), np.maximum(grades - favour, lowest), grades)
    return places_by_ndcg(labels.ranks, grades), places_by_ndcg(labels.ranks, corrected)


def places_by_ndcg(ranks: IntArray, grades: FloatArray) -> IntArray:
    """The place of every run by nDCG@10 [run], from ranks [run, topic, doc] and grades."""
    gains = np.maximum(np.nan_to_num(grades), 0.0)
    inside = (ranks > 0) & (ranks <= TOP)
    discounts = np.where(inside, 1 / np.log2(np.maximum(ranks, 1) + 1), 0.0)
    ideal = np.sort(gains, axis=1)[:, ::-1][:, :TOP]
    best = ideal @ (1 / np.log2(np.arange(2, ideal.shape[1] + 2)))
    scores = np.einsum("rtd,td->rt", discounts, gains)[:, best > 0] / best[best > 0]
    means = np.round(scores.mean(axis=1), 12) if scores.size else np.zeros(len(ranks))
    return np.asarray(1 + (means[None, :] > means[:, None]).sum(axis=1), dtype=np.int64)
