"""Predicted grades of every unit, learnt from those that they judged."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray

FOLDS = 5
_RIDGE = 2.0
_STEPS = 12


def predicted_grades(
    features: FloatArray,
    rows: IntArray,
    level: IntArray,
    weight: FloatArray,
    fold: IntArray,
    *,
    levels: int,
) -> FloatArray:
    """The probability of every level, each unit's from people's labels of the other folds.

    Ridge logistic regressions of grade ≥ level, one for each level.

    Parameters
    ----------
    features : float array [unit, feature]
        Standardised.
    rows : int array [label]
        The units that were judged.
    level : int array [label]
        What people said, as places on the scale.
    weight : float array [label]
        What each label counts: its importance over the probability with which it was drawn.
    fold : int array [unit]
        The part of each unit, 0 to 4.
    levels : int
        How many levels the scale has.

    Returns
    -------
    float array [unit, level]
        Rows sum to 1.
    """
    design = np.column_stack([np.ones(len(features)), features])
    at_least = np.ones((len(features), levels + 1))
    at_least[:, levels] = 0.0
    for part in range(FOLDS):
        inside = fold == part
        training = fold[rows] != part
        if not training.any():
            training = np.ones(len(rows), dtype=bool)
        counted = weight[training] / weight[training].mean()
        known = design[rows[training]]
        for place in range(1, levels):
            coefficients = _logistic(known, level[training] >= place, counted)
            at_least[inside, place] = _sigmoid(design[inside] @ coefficients)
    at_least = np.minimum.accumulate(at_least, axis=1)
    return np.asarray(at_least[:, :-1] - at_least[:, 1:])


def _logistic(design: FloatArray, outcome: BoolArray, weight: FloatArray) -> FloatArray:
    """Coefficients by Newton's method; the constant, the first one, is drawn to the base rate."""
    total = float(weight.sum())
    rate = (float(weight @ outcome) + 0.5) / (total + 1.0)
    centre = np.zeros(design.shape[1])
    centre[0] = np.log(rate / (1.0 - rate))
    penalty = np.full(design.shape[1], _RIDGE)
    penalty[0] = 0.1
    coefficients = centre.copy()
    for _ in range(_STEPS):
        expected = _sigmoid(design @ coefficients)
        slope = design.T @ (weight * (outcome - expected)) - penalty * (coefficients - centre)
        curve = (design.T * (weight * expected * (1.0 - expected))) @ design + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        longest = float(np.abs(step).max())
        coefficients = coefficients + step / max(1.0, longest / 3.0)
        if longest < 1e-9:
            break
    return np.asarray(coefficients)


def _sigmoid(values: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -35.0, 35.0))))
