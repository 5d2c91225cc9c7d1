"""Influence of every unit's grade on every system's score.

For a measure that is a sum over docs, the influence is the doc's weight. nDCG is D/I, the DCG
divided by the DCG of the topic's ideal ranking, which depends on all grades. nDCG is therefore
expanded at the predicted grades (the functional delta method): D/I ≈ E D/E I + Σ_u [c_u (v(y_u) − E
v(y_u))/E I − E D/(E I)² (ΔI_u(y_u) − E ΔI_u)]. c_u is the weight of unit u, v is the worth of a
grade, and ΔI_u(g) is the contribution of grade g to the expected ideal. The ideal is a sum over
levels, I = Σ_l (v_l − v_{l−1}) C(min(N_l, k)). N_l is the number of docs of level l or better, and
C(n) is the sum of the first n discounts. The expected ideal therefore follows from counts of
independent events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.estimation.ideals import expected_ideals
from qrelsmith.estimation.linear_measures import LinearMeasure


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """The expansion of the systems' scores at the predicted grades.

    The score of system s changes by rank_weight[s, u] · a − ideal_weight[s, topic of u] · b. a is
    the deviation of unit u's worth from its expectation. b is the deviation of unit u's
    contribution to the ideal from its expectation.

    Attributes
    ----------
    expected : float array [system, topic]
        The predicted components of the score, whose sum is the predicted score.
    rank_weight : float array [system, unit]
        Weights by the unit's rank in the system.
    ideal_weight : float array [system, topic]
        Weights by the topic's ideal; 0 for a measure that is a plain sum.
    worth, ideal : float array [unit, level]
        a and b for each level.
    """

    expected: FloatArray
    rank_weight: FloatArray
    ideal_weight: FloatArray
    worth: FloatArray
    ideal: FloatArray

    def of_labels(self, rows: IntArray, level: IntArray, topic: IntArray) -> FloatArray:
        """Return how much each human grade changes each score [system, label]."""
        moved = self.rank_weight[:, rows] * self.worth[rows, level]
        if self.ideal_weight.any():
            moved = moved - self.ideal_weight[:, topic[rows]] * self.ideal[rows, level]
        return np.asarray(moved)

    def influence_deviation(
        self, probability: FloatArray, topic: IntArray, focus: Sequence[int] = ()
    ) -> FloatArray:
        """Return √Σ_s E[(influence on s minus the mean influence)²] [unit].

        Parameters
        ----------
        probability : float array [unit, level]
            The predicted grades.
        topic : int array [unit]
            The topic of each unit.
        focus : sequence of int
            As in `set_apart`, which defines s and the mean.
        """
        rank, ideal = (set_apart(of, focus) for of in (self.rank_weight, self.ideal_weight))
        variance = (rank**2).sum(axis=0) * (probability * self.worth**2).sum(axis=1)
        if ideal.any():
            by_unit = ideal[:, topic]
            both = (rank * by_unit).sum(axis=0)
            variance = (
                variance
                - 2.0 * both * (probability * self.worth * self.ideal).sum(axis=1)
                + (by_unit**2).sum(axis=0) * (probability * self.ideal**2).sum(axis=1)
            )
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)))

    def expected_covariance(
        self, probability: FloatArray, topic: IntArray, missed: FloatArray
    ) -> FloatArray:
        """Return Σ_u missed_u · E[influence influence'] under predicted grades [system, system].

        Parameters
        ----------
        probability : float array [unit, level]
            The predicted grades.
        topic : int array [unit]
            The topic of each unit.
        missed : float array [unit]
            The weight of each unit: (1 − π)/π gives the covariance of the sampling errors.
        """
        rank = self.rank_weight
        total = (rank * (missed * (probability * self.worth**2).sum(axis=1))) @ rank.T
        if self.ideal_weight.any():
            ideal = self.ideal_weight[:, topic]
            both = (rank * (missed * (probability * self.worth * self.ideal).sum(axis=1))) @ ideal.T
            squares = missed * (probability * self.ideal**2).sum(axis=1)
            total += (ideal * squares) @ ideal.T - both - both.T
        return np.asarray(total)


def set_apart(values: FloatArray, focus: Sequence[int] = ()) -> FloatArray:
    """Return values of systems minus their mean [system, ...].

    With a focus, only the systems in focus are used, minus their mean; a single system in focus is
    compared with the mean of all others. If there is only one system, its values are unchanged.

    Parameters
    ----------
    values : float array [system, ...]
        The values of all systems.
    focus : sequence of int
        Systems to separate; by default all.
    """
    if len(values) == 1:
        return values
    if len(focus) == 1:
        others = np.delete(np.arange(len(values)), focus)
        return np.asarray(values[list(focus)] - values[others].mean(axis=0))
    chosen = values[list(focus)] if focus else values
    return np.asarray(chosen - chosen.mean(axis=0))


def influence_of(
    measure: LinearMeasure,
    rank: IntArray,
    topic: IntArray,
    probability: FloatArray,
    *,
    topics: int,
    centre: FloatArray | None = None,
) -> Influence:
    """Expand a measure at the known or predicted grades.

    Parameters
    ----------
    rank : int array [system, unit]
        The rank of each unit in each system; 0 if missing or beyond the cutoff.
    topic : int array [unit]
        The topic of each unit, ascending.
    probability : float array [unit, level]
        Grade probabilities: 1 at the human grade, otherwise predicted.
    topics : int
        Number of topics, including topics without units.
    centre : float array [unit, level], optional
        The grade probabilities that `worth` and `ideal` are centred on; by default `probability`.
        If `probability` includes human grades, pass the prediction without human grades.
    """
    worth = np.broadcast_to(measure.worth, probability.shape)
    mean = (probability * worth).sum(axis=1)
    weight = measure.weights(rank) / topics
    sums = _by_topic(weight * mean, topic, topics)
    away = worth - mean[:, None]
    start = probability if centre is None else centre
    from_start = worth - (start * worth).sum(axis=1, keepdims=True)
    if not measure.normalised:
        nothing = np.zeros(probability.shape)
        return Influence(sums, weight, np.zeros(sums.shape), from_start, nothing)
    expected, added = expected_ideals(measure, topic, probability, topics)
    share = added - (probability * added).sum(axis=1, keepdims=True)
    inverse = np.divide(1.0, expected, out=np.zeros(topics), where=expected > 1e-12)
    # The ratio's second order, under the predicted grades: E[D/I] is not E D/E I.
    together = (probability * away * share).sum(axis=1)
    spread = np.bincount(topic, (probability * share**2).sum(axis=1), minlength=topics)
    ratio = sums * inverse
    second = ratio * spread * inverse**2 - _by_topic(weight * together, topic, topics) * inverse**2
    return Influence(
        expected=ratio + second,
        rank_weight=weight * inverse[topic],
        ideal_weight=ratio * inverse,
        worth=from_start,
        ideal=added - (start * added).sum(axis=1, keepdims=True),
    )


def _by_topic(values: FloatArray, topic: IntArray, topics: int) -> FloatArray:
    """Sum values [system, unit] by topic [system, topic]."""
    sums = np.zeros((len(values), topics))
    if topic.size:
        first = np.flatnonzero(np.append(True, topic[1:] != topic[:-1]))
        sums[:, topic[first]] = np.add.reduceat(values, first, axis=1)
    return sums
