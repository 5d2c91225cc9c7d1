"""Features of units before a person judged them: models' labels, and who retrieved them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray

_FEW_LEVELS = 8


def unit_features(
    labels: Sequence[FloatArray], rank: IntArray, weight: FloatArray, topic: IntArray
) -> FloatArray:
    """Features of the units.

    Every label set brings its grades, on whatever scale: as a step at every level where there are
    few sets and levels, else as the grade and its square; the topic's mean grade; and where it
    lacks grades, which. How many systems return the doc, how high, and with which weight, says
    something without any label.

    Parameters
    ----------
    labels : sequence of float array [unit]
        The grades of each label set; nan where it has none.
    rank : int array [system, unit]
        The rank at which each system has each unit; 0: not at all.
    weight : float array [unit]
        What the measure makes of it on average.
    topic : int array [unit]
        The topic of each unit.

    Returns
    -------
    float array [unit, feature]
        Means 0 and deviations 1.
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
