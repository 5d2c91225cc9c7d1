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
    """The work of single assessors of a label set, a row for each of their grades.

    Attributes
    ----------
    names : tuple of str [assessor]
        Who they are.
    assessor, topic, doc : int array [row]
        Who graded what; topics and docs as in `LabelArrays.grades`.
    grade : float array [row]
        The grades.
    place : float array [row]
        How many docs of the topic the assessor had judged before; nan: not known.
    seconds : float array [row]
        How long the judgment took; nan: not known.
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
    """Label sets and runs of one collection. Topics have their docs side by side, padded.

    Attributes
    ----------
    grades : float array [set, topic, doc]
        The grades; nan where a set has none, and beyond a topic's docs.
    orders : int array [order, topic, doc]
        The place of each doc, from 0, in each order in which any labels may have been stored; −1
        beyond a topic's docs.
    sequence : float array [topic]
        The place of each topic in the order of judging.
    ranks : int array [run, topic, doc]
        The rank of each doc in each run, from 1; 0: not among those that were read.
    team : int array [run]
        The team of each run.
    lowest : float array [set]
        The lowest grade of each set's scale.
    off_scale : int array [set]
        How many grades of each set are off its declared scale.
    person : bool array [set]
        Whether a set is by people, as far as is known.
    family : int array [set]
        The model of each set, −1 where it is not known or by people.
    ranks_with : frozenset of (int, int)
        Sets and teams that rank with the model of the set.
    judged : mapping of int to int array [topic, doc]
        The order in which a set's docs were judged, as in `orders`, of sets where it is known.
    sessions : tuple of AssessorGrades or None [set]
        What the assessors of a set did; None for labels without assessors.
    properties : mapping of str to float array [topic, doc]
        Properties of the docs in standard deviations; nan where a doc has none.
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
        """Return a value made under a key before, else made now: tests share their work."""
        if key not in self._made:
            self._made[key] = make()
        made: T = self._made[key]
        return made

    def topic_ranks(self, of: int) -> FloatArray:
        """Return ranks of a set's grades within each topic, mean 0, [topic, doc]; nan: no grade."""
        return self.once(("ranks", of), lambda: centred_ranks(self.grades[of]))

    def places(self, of: int) -> list[IntArray]:
        """Return the orders in which a set's labels may have been stored, that of judging first."""
        return [*([self.judged[of]] if of in self.judged else []), *self.orders]

    def session_of(self, of: int) -> AssessorGrades | None:
        """Return the work of the assessors of a set, if it is known."""
        return self.sessions[of] if self.sessions else None

    def expected_grades(self, examined: int, other: int) -> FloatArray:
        """Return the mean grade that a set gives where another gives the grade that it does.

        [topic, doc]; nan where one of the two has no grade.
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
        """Return number of each grade among all grades of all sets [topic · doc]; −1: no grade."""

        def make() -> IntArray:
            return level_numbers(self.grades[label_set].ravel(), self._all_levels)

        return self.once(("levels", label_set), make)

    @property
    def _all_levels(self) -> FloatArray:
        grades = self.grades
        return self.once("all levels", lambda: np.unique(grades[~np.isnan(grades)]))

    def level_numbers(self, grades: FloatArray) -> IntArray:
        """Return the number of each of some grades, as `levels` [doc]."""
        return level_numbers(grades, self._all_levels)

    def residual(self, examined: int, other: int) -> FloatArray:
        """Return a set's grades less those expected of another's [topic, doc]."""
        return np.asarray(self.grades[examined] - self.expected_grades(examined, other))


def centred_ranks(grades: FloatArray) -> FloatArray:
    """Ranks within each topic less their mean, ties shared, [..., topic, doc]; nan stays nan."""
    ranks = average_ranks(grades)
    mean = np.nansum(ranks, axis=-1) / np.maximum((~np.isnan(grades)).sum(axis=-1), 1)
    return np.asarray(np.where(np.isnan(grades), np.nan, ranks - mean[..., None]))


def level_numbers(grades: FloatArray, levels: FloatArray) -> IntArray:
    """Get place of each grade among some levels; −1: no grade. Of many levels, slices of them."""
    if len(levels) > _LEVELS:
        levels = np.quantile(levels, np.linspace(0, 1, _LEVELS))
    place = np.minimum(np.searchsorted(levels, grades), len(levels) - 1)
    return np.asarray(np.where(np.isnan(grades), -1, place))


_LEVELS = 12  # of a set with more grades than this, slices


def _coarse(values: FloatArray) -> FloatArray:
    """Grades, or the slice that they are in where there are too many to have a mean each."""
    levels = np.unique(values)
    if len(levels) <= _LEVELS:
        return values
    edges = np.unique(np.quantile(values, np.linspace(0, 1, _LEVELS + 1)[1:-1]))
    return np.asarray(np.searchsorted(edges, values, side="right"), dtype=float)
