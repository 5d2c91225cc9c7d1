"""Features of units known before judging: model labels and retrieval ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray

_FEW_LEVELS = 8


def unit_features(
    labels: Sequence[FloatArray], rank: IntArray, weight: FloatArray, topic: IntArray
) -> FloatArray:
    """Return the features of the units.

    Each label set contributes its grades, the topic's mean grade, and an indicator of missing
    grades. Grades are encoded as one indicator per level if there are few label sets and levels,
    and otherwise as the grade and its square. Further features are the number of systems that
    return the doc, its ranks and its weights.

    Parameters
    ----------
    labels : sequence of float array [unit]
        The grades of each label set; nan where missing.
    rank : int array [system, unit]
        The rank of each unit in each system; 0 if missing.
    weight : float array [unit]
        Mean weight of the unit in the measure.
    topic : int array [unit]
        The topic of each unit.

    Returns
    -------
    float array [unit, feature]
        Standardised to mean 0 and standard deviation 1.
    """
    is_ranked = rank > 0
    reciprocal = np.where(is_ranked, 1.0 / np.maximum(rank, 1), 0.0).sum(axis=0)
    columns = [
        np.log(weight + 1e-3 * max(float(weight.mean()), 1e-12)),
        np.log1p(is_ranked.sum(axis=0)),
        np.log1p(reciprocal),
    ]
    for grades in labels:
        missing = np.isnan(grades)
        filled = np.where(missing, np.nanmean(grades) if not missing.all() else 0.0, grades)
        levels = np.unique(filled[~missing])
        if len(labels) <= 3 and 2 <= len(levels) <= _FEW_LEVELS:
            columns += [np.where(missing, 0.0, filled >= level) for level in levels[1:]]
        else:
            centred = _standardise(filled)
            columns += [centred, centred**2]
        counts = np.bincount(topic)
        columns.append((np.bincount(topic, filled) / np.maximum(counts, 1))[topic])
        if missing.any():
            columns.append(missing.astype(np.float64))
    kept = [_standardise(column) for column in columns if np.ptp(column) > 0]
    return np.column_stack(kept) if kept else np.zeros((topic.size, 0))


def _standardise(column: FloatArray) -> FloatArray:
    deviation = float(column.std())
    return np.asarray((column - column.mean()) / (deviation if deviation > 0 else 1.0))
