"""Predicted grades of every unit, learnt from judged units."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray

FOLDS = 5
_RIDGE = 2.0
_TOPIC_RIDGE = 0.5  # how far the human grades of a topic may differ from the labels
_STEPS = 12


def predicted_grades(
    features: FloatArray,
    topic: IntArray,
    rows: IntArray,
    level: IntArray,
    weight: FloatArray,
    fold: IntArray,
    *,
    levels: int,
) -> FloatArray:
    """Return the probability of every level, predicted from human labels of the other folds.

    For each level, a ridge logistic regression predicts whether the grade reaches the level. Every
    topic has a constant, because people may be stricter or more lenient on some topics. Without
    such constants, the ideal DCG is biased, because the number of docs per level varies more than
    under independent grades.

    Parameters
    ----------
    features : float array [unit, feature]
        Standardised.
    topic : int array [unit]
        The topic of each unit.
    rows : int array [label]
        The judged units.
    level : int array [label]
        The human grades as level indices.
    weight : float array [label]
        The weight of each label: its importance divided by its inclusion probability.
    fold : int array [unit]
        The fold of each unit, 0 to 4.
    levels : int
        Number of levels of the scale.

    Returns
    -------
    float array [unit, level]
        Rows sum to 1.
    """
    design = np.column_stack([np.ones(len(features)), features])
    is_of_topic = (topic[:, None] == np.arange(topic.max() + 1)).astype(np.float64)
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
            coefficients, constants = _logistic(
                known, is_of_topic[rows[training]], level[training] >= place, counted
            )
            at_least[inside, place] = _sigmoid(
                design[inside] @ coefficients + constants[topic[inside]]
            )
    at_least = np.minimum.accumulate(at_least, axis=1)
    return np.asarray(at_least[:, :-1] - at_least[:, 1:])


def _logistic(
    design: FloatArray, is_of_topic: FloatArray, outcome: BoolArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Compute the coefficients and the topics' constants by Newton's method.

    The first coefficient, the global constant, is shrunk toward the base rate. The topics' block of
    the Hessian is diagonal and is eliminated.
    """
    total = float(weight.sum())
    rate = (float(weight @ outcome) + 0.5) / (total + 1.0)
    centre = np.zeros(design.shape[1])
    centre[0] = np.log(rate / (1.0 - rate))
    penalty = np.full(design.shape[1], _RIDGE)
    penalty[0] = 0.1
    coefficients, constants = centre.copy(), np.zeros(is_of_topic.shape[1])
    for _ in range(_STEPS):
        expected = _sigmoid(design @ coefficients + is_of_topic @ constants)
        away, bend = weight * (outcome - expected), weight * expected * (1.0 - expected)
        slope = away @ design - penalty * (coefficients - centre)
        slope_of_topic = away @ is_of_topic - _TOPIC_RIDGE * constants
        bent = design.T * bend
        cross = bent @ is_of_topic
        curve_of_topic = bend @ is_of_topic + _TOPIC_RIDGE
        shared = cross / curve_of_topic
        step = np.linalg.solve(
            bent @ design + np.diag(penalty) - shared @ cross.T, slope - shared @ slope_of_topic
        )
        step_of_topic = slope_of_topic / curve_of_topic - step @ shared
        longest = float(max(np.abs(step).max(), np.abs(step_of_topic).max()))
        size = 1.0 / max(1.0, longest / 3.0)
        coefficients, constants = coefficients + size * step, constants + size * step_of_topic
        if longest < 1e-9:
            break
    return np.asarray(coefficients), np.asarray(constants)


def _sigmoid(values: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -35.0, 35.0))))
