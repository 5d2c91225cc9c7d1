"""The fit to a sample's labels: predicted grades and the expansion of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.estimation.design import PILOT, even_sizes, inclusion
from qrelsmith.estimation.features import unit_features
from qrelsmith.estimation.influence import Influence, influence_of
from qrelsmith.estimation.linear_measures import LinearMeasure
from qrelsmith.estimation.prediction import predicted_grades


@dataclass(frozen=True, eq=False)
class Population:
    """The units of a measure as arrays.

    Attributes
    ----------
    measure : LinearMeasure
        The estimated measure.
    rank : int array [system, unit]
        The rank of each unit in each system; 0 if missing.
    topic : int array [unit]
        The topic of each unit, ascending.
    topics : int
        Number of topics, including topics without units.
    labels : sequence of float array [unit]
        The grades of the model label sets; nan where missing.
    fold : int array [unit]
        The cross-fitting fold of each unit.
    focus : tuple of int
        The systems that waves after the pilot should separate, or one system to separate from all
        others. By default, all systems. Estimates do not depend on the focus.
    """

    measure: LinearMeasure
    rank: IntArray
    topic: IntArray
    topics: int
    labels: Sequence[FloatArray]
    fold: IntArray
    focus: tuple[int, ...] = ()

    @cached_property
    def importance(self) -> FloatArray:
        """Return the root mean square of the systems' weights, scaled by `even_sizes` [unit]."""
        weight = self.measure.weights(self.rank)
        return even_sizes(np.sqrt((weight**2).mean(axis=0)))

    @cached_property
    def features(self) -> FloatArray:
        """Features of every unit before human judging [unit, feature]."""
        weight = self.measure.weights(self.rank).mean(axis=0)
        return unit_features(self.labels, self.rank, weight, self.topic)

    def fit(
        self, rows: IntArray, level: IntArray, probability: FloatArray | None = None
    ) -> tuple[FloatArray, Influence]:
        """Return the predicted grades of all units [unit, level], and the expansion of the scores.

        Parameters
        ----------
        rows, level : int array [label]
            The units that people judged, and the human grades as level indices.
        probability : float array [label], optional
            The inclusion probability of each judged unit. Without it, labels have equal weights and
            the expansion is at the predictions.
        """
        counted = np.ones(len(rows))
        if probability is not None:
            counted = self.importance[rows] / probability
        grades = predicted_grades(
            self.features,
            self.topic,
            rows,
            level,
            counted,
            self.fold,
            levels=len(self.measure.worth),
        )
        point = grades
        if probability is not None:
            # Known grades are not predicted: if all docs are judged, the expansion is the score.
            point = grades.copy()
            point[rows] = np.eye(grades.shape[1])[level]
        return grades, influence_of(
            self.measure, self.rank, self.topic, point, topics=self.topics, centre=grades
        )

    def expected_covariance(
        self, grades: FloatArray, influence: Influence, rows: IntArray, probability: FloatArray
    ) -> FloatArray:
        """Return the expected covariance of sampling errors under the predictions.

        The probabilities of undrawn docs are not stored. Undrawn docs are assumed to have the
        probabilities of a pilot and one further wave for these systems and this measure.

        Parameters
        ----------
        grades : float array [unit, level]
            The predicted grades.
        influence : Influence
            The expansion of the scores.
        rows : int array [label]
            The units that people judged.
        probability : float array [label]
            The probability with which each unit was drawn.
        """
        size = even_sizes(influence.influence_deviation(grades, self.topic, self.focus))
        chance = inclusion(PILOT * self.importance + (1 - PILOT) * size, len(rows))
        chance[rows] = probability
        return influence.expected_covariance(grades, self.topic, 1.0 / chance - 1.0)

    def judged_scores(self, grades: FloatArray) -> FloatArray:
        """Return system scores from model labels, or from `grades` without model labels [system].

        A label set's highest grade maps to the scale's highest level. Other grades are scaled in
        proportion and map to the nearest level; missing grades map to the lowest level. The scores
        under several label sets are averaged. The result does not depend on human labels, so its
        errors are independent of the sample.

        Parameters
        ----------
        grades : float array [unit, level]
            The predicted grades.
        """
        return self._scores([grades]) if self._judged is None else self._judged

    @cached_property
    def _judged(self) -> FloatArray | None:
        sure = np.eye(len(self.measure.worth))
        said = [sure[_places(labels, len(sure))] for labels in self.labels]
        return self._scores(said) if said else None

    def _scores(self, said: Sequence[FloatArray]) -> FloatArray:
        """Return the scores, averaged over several sets of grades for all units [system]."""
        scores = [
            influence_of(
                self.measure, self.rank, self.topic, each, topics=self.topics
            ).expected.sum(axis=1)
            for each in said
        ]
        return np.asarray(np.mean(scores, axis=0))

    def wave_size(self, rows: IntArray, level: IntArray) -> FloatArray:
        """Return size measures for drawing a further wave, by effect on system differences [unit].

        The sizes do not depend on probabilities, so earlier probabilities can be recovered from a
        sample file.
        """
        grades, expanded = self.fit(rows, level)
        return even_sizes(expanded.influence_deviation(grades, self.topic, self.focus))


def _places(labels: FloatArray, levels: int) -> IntArray:
    """Return grades as level indices; a label set's highest grade becomes the top level [unit]."""
    filled = np.nan_to_num(labels)
    highest = float(filled.max(initial=0.0)) or 1.0
    return np.rint(filled / highest * (levels - 1)).astype(np.int64)
