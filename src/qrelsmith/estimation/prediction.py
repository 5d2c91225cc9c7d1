"""Predicted grades of every unit, learnt from those that they judged."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray

FOLDS = 5
_RIDGE = 2.0
_TOPIC_RIDGE = 0.5  # how freely a topic's people may differ from the labels
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
    """Return the probability of every level, each unit's from people's labels of the other folds.

    Ridge logistic regressions of grade ≥ level, one for each level, each with a constant of its own
    for every topic: people may be stricter or milder there than the labels are. Without these the
    ideal of nDCG is too low (its counts vary more than independent grades would).

    Parameters
    ----------
    features : float array [unit, feature]
        Standardised.
    topic : int array [unit]
        The topic of each unit.
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
    """Coefficients and the topics' constants, by Newton's method.

    The first coefficient, the constant of all, is drawn to the base rate. The topics' part of the
    curvature is diagonal, and eliminated.
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
