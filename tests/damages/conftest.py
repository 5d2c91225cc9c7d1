"""Clean label sets of an artificial collection, into which data problems are planted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.base.arrays import FloatArray
from qrelsmith.damages.label_arrays import AssessorGrades, LabelArrays
from qrelsmith.damages.planting import with_slips

TOPICS, DOCS, RUNS, TEAMS, TOP = 25, 60, 16, 4, 3.0


def collection(seed: int, *, sets: int = 3, slips: float = 0.1) -> LabelArrays:
    """Return label sets with independent errors, and runs that rank by noisy true grades."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(4, p=(0.5, 0.25, 0.15, 0.1), size=(TOPICS, DOCS)).astype(float)
    scores = truth + rng.normal(0, 1.2, (RUNS, TOPICS, DOCS))
    ranks = np.argsort(np.argsort(-scores, axis=-1), axis=-1) + 1
    # An order that is almost unrelated to relevance, such as by docno, or of deep pools.
    order = np.stack([rng.permutation(DOCS) for _ in range(TOPICS)])
    grades = [truth, *(with_slips(truth, slips, top=TOP, rng=rng) for _ in range(sets - 1))]
    return arrays_of(np.stack(grades), ranks, order)


def arrays_of(grades: FloatArray, ranks: np.ndarray, order: np.ndarray) -> LabelArrays:
    sets = len(grades)
    return LabelArrays(
        grades=grades,
        orders=order[None].astype(np.int64),
        sequence=np.arange(grades.shape[1], dtype=float),
        ranks=ranks.astype(np.int64),
        team=np.arange(len(ranks)) % TEAMS,
        lowest=np.zeros(sets),
        off_scale=np.zeros(sets, dtype=np.int64),
        person=np.zeros(sets, dtype=bool),
        family=np.full(sets, -1),
    )


def with_assessors(labels: LabelArrays, *, hasty: int = -1) -> LabelArrays:
    """Return the labels; three people in turn give all sets except the first, in random order."""
    topic, doc = np.divmod(np.arange(TOPICS * DOCS), DOCS)
    sessions = tuple(
        AssessorGrades(
            names=("ann", "bob", "cy"),
            assessor=topic % 3,
            topic=topic,
            doc=doc,
            grade=grades[topic, doc],
            place=labels.orders[0][topic, doc].astype(float),
            seconds=np.where(topic % 3 == hasty, 0.7, 20.0),
            is_random=np.ones(len(topic), dtype=bool),
        )
        for grades in labels.grades[1:]
    )
    return replace(
        labels, sessions=(None, *sessions), person=np.array([True] * len(labels.grades)), _made={}
    )


@pytest.fixture
def clean() -> LabelArrays:
    return collection(0)
