"""Label sets and runs laid out for the tests of damage: arrays over sets, topics and docs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.stats.ties import average_ranks

T = TypeVar("T")


@dataclass(frozen=True, eq=False, slots=True)
class AssessorGrades:
    """The grades of the individual assessors of a label set, in one row per grade.

    Attributes
    ----------
    names : tuple of str [assessor]
        The assessors' names.
    assessor, topic, doc : int array [row]
        The assessor and the graded doc of each row; topics and docs as in `LabelArrays.grades`.
    grade : float array [row]
        The grades.
    place : float array [row]
        The number of docs of the topic that the assessor judged before; nan if unknown.
    seconds : float array [row]
        The duration of the judgment; nan if unknown.
    is_random : bool array [row]
        Whether the docs of this topic were shown to the assessor in a random order.
    """

    names: tuple[str, ...]
    assessor: IntArray
    topic: IntArray
    doc: IntArray
    grade: FloatArray
    place: FloatArray
    seconds: FloatArray
    is_random: BoolArray

    def of(self, rows: BoolArray) -> AssessorGrades:
        """Return some of the rows."""
        names = [field.name for field in fields(self) if field.name != "names"]
        return replace(self, **{name: getattr(self, name)[rows] for name in names})


@dataclass(frozen=True, eq=False)
class LabelArrays:
    """Label sets and runs of one collection. The docs of each topic are in one row, padded.

    Attributes
    ----------
    grades : float array [set, topic, doc]
        The grades; nan for a doc without a grade, and beyond a topic's docs.
    orders : int array [order, topic, doc]
        The place of each doc, from 0, in each order in which labels may have been stored; −1 beyond
        a topic's docs.
    sequence : float array [topic]
        The place of each topic in the order of judging.
    ranks : int array [run, topic, doc]
        The rank of each doc in each run, from 1; 0 if the doc is below the depth read.
    team : int array [run]
        The team of each run.
    lowest : float array [set]
        The lowest grade of each set's scale.
    off_scale : int array [set]
        The number of grades of each set outside its declared scale.
    person : bool array [set]
        Whether a set is known to be by people.
    family : int array [set]
        The model of each set; −1 if unknown or by people.
    ranks_with : frozenset of (int, int)
        Pairs of a set and a team that ranks with the model of the set.
    judged : mapping of int to int array [topic, doc]
        The order in which a set's docs were judged, as in `orders`, for sets with a known order.
    sessions : tuple of AssessorGrades or None [set]
        The work of the assessors of each set; None for labels without assessors.
    properties : mapping of str to float array [topic, doc]
        Properties of the docs in standard deviations; nan for a doc without the property.
    """

    grades: FloatArray
    orders: IntArray
    sequence: FloatArray
    ranks: IntArray
    team: IntArray
    lowest: FloatArray
    off_scale: IntArray
    person: BoolArray
    family: IntArray
    ranks_with: frozenset[tuple[int, int]] = frozenset()
    judged: Mapping[int, IntArray] = field(default_factory=dict)
    sessions: tuple[AssessorGrades | None, ...] = ()
    properties: Mapping[str, FloatArray] = field(default_factory=dict)
    _made: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value stored for a key, computed on first use; tests share these values."""
        if key not in self._made:
            self._made[key] = make()
        made: T = self._made[key]
        return made

    def topic_ranks(self, of: int) -> FloatArray:
        """Return ranks of a set's grades within topics, with mean 0 [topic, doc]; nan: no grade."""
        return self.once(("ranks", of), lambda: centred_ranks(self.grades[of]))

    def places(self, of: int) -> list[IntArray]:
        """Return the possible storage orders of a set's labels; the order of judging is first."""
        return [*([self.judged[of]] if of in self.judged else []), *self.orders]

    def session_of(self, of: int) -> AssessorGrades | None:
        """Return the grades of a set's individual assessors, or None if unknown."""
        return self.sessions[of] if self.sessions else None

    def expected_grades(self, examined: int, other: int) -> FloatArray:
        """Return the set's mean grade for docs with the same grade in another set [topic, doc].

        The result is nan if a doc has no grade in one of the two sets.
        """

        def make() -> FloatArray:
            mine, theirs = self.grades[examined], self.grades[other]
            both = ~(np.isnan(mine) | np.isnan(theirs))
            means = np.full(mine.shape, np.nan)
            levels, level = np.unique(_coarse(theirs[both]), return_inverse=True)
            sums = np.bincount(level, weights=mine[both], minlength=len(levels))
            means[both] = (sums / np.bincount(level, minlength=len(levels)))[level]
            return means

        return self.once(("expected", examined, other), make)

    def levels(self, label_set: int) -> IntArray:
        """Return each grade's index among all grades of all sets [topic · doc]; −1: no grade."""

        def make() -> IntArray:
            return level_numbers(self.grades[label_set].ravel(), self._all_levels)

        return self.once(("levels", label_set), make)

    @property
    def _all_levels(self) -> FloatArray:
        grades = self.grades
        return self.once("all levels", lambda: np.unique(grades[~np.isnan(grades)]))

    def level_numbers(self, grades: FloatArray) -> IntArray:
        """Return the index of each given grade, as in `levels` [doc]."""
        return level_numbers(grades, self._all_levels)

    def residual(self, examined: int, other: int) -> FloatArray:
        """Return a set's grades minus the grades expected from another set [topic, doc]."""
        return np.asarray(self.grades[examined] - self.expected_grades(examined, other))


def centred_ranks(grades: FloatArray) -> FloatArray:
    """Return average ranks within each topic, minus their mean [..., topic, doc]; nan stays nan."""
    ranks = average_ranks(grades)
    mean = np.nansum(ranks, axis=-1) / np.maximum((~np.isnan(grades)).sum(axis=-1), 1)
    return np.asarray(np.where(np.isnan(grades), np.nan, ranks - mean[..., None]))


def level_numbers(grades: FloatArray, levels: FloatArray) -> IntArray:
    """Return each grade's index among the levels, or among slices of many levels; −1: no grade."""
    if len(levels) > _LEVELS:
        levels = np.quantile(levels, np.linspace(0, 1, _LEVELS))
    place = np.minimum(np.searchsorted(levels, grades), len(levels) - 1)
    return np.asarray(np.where(np.isnan(grades), -1, place))


_LEVELS = 12  # number of slices for a set with more distinct grades


def _coarse(values: FloatArray) -> FloatArray:
    """Return the grades; if there are many distinct grades, return slice numbers instead."""
    levels = np.unique(values)
    if len(levels) <= _LEVELS:
        return values
    edges = np.unique(np.quantile(values, np.linspace(0, 1, _LEVELS + 1)[1:-1]))
    return np.asarray(np.searchsorted(edges, values, side="right"), dtype=float)
