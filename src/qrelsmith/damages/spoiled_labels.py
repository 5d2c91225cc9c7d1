"""Label sets without the labels spoiled by a damage, so that other tests do not find it again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from qrelsmith.base.arrays import BoolArray
from qrelsmith.damages.label_arrays import LabelArrays

LEAST_LEFT = 0.1


def whole_topics(
    labels: LabelArrays,
    label_set: int,
    culprit: tuple[int, ...],
    detail: float,  # noqa: ARG001
) -> BoolArray:
    """Return all labels of a set in the topics of a finding [topic, doc]."""
    spoiled = np.zeros(labels.grades.shape[1:], dtype=bool)
    spoiled[list(culprit)] = ~np.isnan(labels.grades[label_set, list(culprit)])
    return spoiled


def all_labels(
    labels: LabelArrays,
    label_set: int,
    culprit: tuple[int, ...],  # noqa: ARG001
    detail: float,  # noqa: ARG001
) -> BoolArray:
    """Return whether a set labels each doc [topic, doc]."""
    return np.asarray(~np.isnan(labels.grades[label_set]))


def without(labels: LabelArrays, spoiled: Iterable[tuple[int, BoolArray]]) -> LabelArrays:
    """Return the labels, with the spoiled labels of some sets [topic, doc] treated as missing.

    A set that would keep less than a tenth of its labels keeps all labels, because so few labels
    would show little. If no label would be kept, however, the set has no labels.
    """
    grades = labels.grades.copy()
    for label_set, places in spoiled:
        grades[label_set, places] = np.nan
    kept = (~np.isnan(grades)).sum(axis=(1, 2))
    lost = (kept > 0) & (kept < LEAST_LEFT * (~np.isnan(labels.grades)).sum(axis=(1, 2)))
    grades[lost] = labels.grades[lost]
    if np.array_equal(grades, labels.grades, equal_nan=True):
        return labels
    sessions = tuple(
        None if rows is None else rows.of(~np.isnan(left[rows.topic, rows.doc]))
        for rows, left in zip(labels.sessions, grades, strict=False)
    )
    return replace(labels, grades=grades, sessions=sessions, _made={})
