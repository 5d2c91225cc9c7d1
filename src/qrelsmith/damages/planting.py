"""Simulated data problems in labels, for tests of their detection.

Every function takes grades [topic, doc] (nan if missing) and returns grades with the damage; `rng`
is the generator of random numbers. Places are positions in an order of judging [topic, doc], −1
beyond its end.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray


def with_slips(
    grades: FloatArray, share: float, *, top: float, rng: np.random.Generator, lowest: float = 0.0
) -> FloatArray:
    """Change a share of grades to one level higher or lower, within the scale."""
    slip = rng.random(grades.shape) < share
    step = np.where(rng.random(grades.shape) < 0.5, -1.0, 1.0)
    step = np.where(grades <= lowest, 1.0, np.where(grades >= top, -1.0, step))
    return np.asarray(np.where(slip, grades + step, grades))


def shift(grades: FloatArray, topic: int, lag: int, *, places: IntArray) -> FloatArray:
    """Store a topic's labels `lag` places later; the first or last label fills the gap."""
    by_place = _by_place(grades, topic, places)
    moved = np.clip(np.arange(len(by_place)) - lag, 0, len(by_place) - 1)
    damaged = grades.copy()
    damaged[topic, by_place] = grades[topic, by_place[moved]]
    return damaged


def swap(grades: FloatArray, first: int, second: int, *, places: IntArray) -> FloatArray:
    """Exchange the labels of two topics place by place, up to the shorter list's length."""
    one, two = _by_place(grades, first, places), _by_place(grades, second, places)
    count = min(len(one), len(two))
    damaged = grades.copy()
    damaged[first, one[:count]] = grades[second, two[:count]]
    damaged[second, two[:count]] = grades[first, one[:count]]
    return damaged


def reverse(grades: FloatArray, topic: int, *, top: float, lowest: float = 0.0) -> FloatArray:
    """Reverse the scale for a topic's grades."""
    damaged = grades.copy()
    damaged[topic] = top + lowest - grades[topic]
    return damaged


def make_constant(grades: FloatArray, topic: int, grade: float) -> FloatArray:
    """Give all docs of a topic one grade."""
    damaged = grades.copy()
    damaged[topic] = np.where(np.isnan(grades[topic]), np.nan, grade)
    return damaged


def repeat_grade(
    grades: FloatArray, share: float, grade: float, *, rng: np.random.Generator
) -> FloatArray:
    """Give the same grade to a share of all docs."""
    repeated = (rng.random(grades.shape) < share) & ~np.isnan(grades)
    return np.asarray(np.where(repeated, grade, grades))


def favour(
    grades: FloatArray, docs: BoolArray, share: float, *, top: float, rng: np.random.Generator
) -> FloatArray:
    """Raise a share of some docs [topic, doc], such as a team's docs, by one level."""
    up = docs & (rng.random(grades.shape) < share)
    return np.asarray(np.where(up, np.minimum(grades + 1, top), grades))


def drift(
    grades: FloatArray,
    size: float,
    *,
    sequence: FloatArray,
    top: float,
    rng: np.random.Generator,
    lowest: float = 0.0,
) -> FloatArray:
    """Raise grades by up to `size` from the first topic to the last, rounded at random."""
    count = max(len(sequence) - 1, 1)
    rise = size * (np.argsort(np.argsort(sequence)) / count)[:, None]
    return _raise_grades(grades, rise, top, lowest, rng)


def place_effect(
    grades: FloatArray,
    size: float,
    *,
    places: IntArray,
    top: float,
    rng: np.random.Generator,
    lowest: float = 0.0,
) -> FloatArray:
    """Raise grades by up to `size` from the first doc of a topic to the last, rounded at random."""
    count = np.maximum((places >= 0).sum(axis=1, keepdims=True) - 1, 1)
    return _raise_grades(grades, size * np.maximum(places, 0) / count, top, lowest, rng)


def anchor(
    grades: FloatArray, weight: float, *, places: IntArray, rng: np.random.Generator
) -> FloatArray:
    """Replace a share `weight` of the grades by the previous grade."""
    damaged = grades.copy()
    repeats = rng.random(grades.shape) < weight
    for topic in range(len(grades)):
        by_place = _by_place(grades, topic, places)
        for before, at in pairwise(by_place.tolist()):
            if repeats[topic, at]:
                damaged[topic, at] = damaged[topic, before]
    return damaged


def copy_from(
    grades: FloatArray, source: FloatArray, share: float, *, rng: np.random.Generator
) -> FloatArray:
    """Replace a share of the grades by another assessor's grades."""
    copied = (rng.random(grades.shape) < share) & ~np.isnan(source) & ~np.isnan(grades)
    return np.asarray(np.where(copied, source, grades))


def randomise(grades: FloatArray, topics: BoolArray, *, rng: np.random.Generator) -> FloatArray:
    """Shuffle the grades of some topics [topic], like an assessor who does not read the docs."""
    damaged = grades.copy()
    for topic in np.flatnonzero(topics):
        graded = np.flatnonzero(~np.isnan(grades[topic]))
        damaged[topic, graded] = rng.permutation(grades[topic, graded])
    return damaged


def lazy_tail(
    grades: FloatArray, start: int, *, places: IntArray, lowest: float = 0.0
) -> FloatArray:
    """Give the lowest grade to every doc of a topic from a given place to the end."""
    late = (places >= start) & ~np.isnan(grades)
    return np.asarray(np.where(late, lowest, grades))


def _by_place(grades: FloatArray, topic: int, places: IntArray) -> IntArray:
    """Return the graded docs of a topic in the order of their places."""
    graded = np.flatnonzero(~np.isnan(grades[topic]))
    return np.asarray(graded[np.argsort(places[topic, graded], kind="stable")])


def _raise_grades(
    grades: FloatArray, rise: FloatArray, top: float, lowest: float, rng: np.random.Generator
) -> FloatArray:
    raised = np.floor(grades + rise + rng.random(grades.shape))
    return np.asarray(np.clip(raised, lowest, top))
