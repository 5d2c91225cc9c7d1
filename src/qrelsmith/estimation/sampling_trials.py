"""Samples drawn from a pool whose grades are all known: what `estimate` would have said of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.estimation.boundaries import quantiles
from qrelsmith.estimation.decisions import Comparison, compare_systems
from qrelsmith.estimation.design import combined, inclusion, pilot_of, systematic_draw
from qrelsmith.estimation.estimator import ScoreEstimates, estimate_scores
from qrelsmith.estimation.fit import Population


@dataclass(frozen=True, slots=True, eq=False)
class SamplingTrial:
    """One sample's estimates.

    Attributes
    ----------
    estimates : ScoreEstimates
        The scores.
    rank_weight : float array [system, unit]
        The weights of the docs in the scores, for an order of the systems.
    judged : float array [system]
        The scores by the models' own labels.
    labels : int
        How many docs were judged.
    """

    estimates: ScoreEstimates
    rank_weight: FloatArray
    judged: FloatArray
    labels: int

    def reach(self) -> FloatArray:
        """Return how far the intervals of the scores reach to either side [system]."""
        deviation, free = self.estimates.errors()
        return np.asarray(quantiles(free, labels=self.labels) * deviation)

    def pairs(self, looks: int | None = None, until: int | None = None) -> Comparison:
        """Return the differences of every two systems, with intervals and decisions."""
        first, second = np.triu_indices(self.estimates.score.size, 1)
        return compare_systems(
            self.estimates, first, second, labels=self.labels, looks=looks, until=until
        )


def sampling_trial(
    population: Population,
    level: IntArray,
    budget: int,
    rng: np.random.Generator,
    *,
    over_topics: bool = False,
) -> SamplingTrial:
    """Return a pilot and a second wave from a pool, and the estimates.

    Parameters
    ----------
    population : Population
        The units.
    level : int array [unit]
        What people say of all of them, as places on the scale.
    budget : int
        How many docs are drawn.
    rng : Generator
        One number a unit and one more is taken from it for each wave.
    over_topics : bool
        For whom the errors are: topics like these, or this pool.
    """
    first = inclusion(population.importance, pilot_of(budget))
    pilot = systematic_draw(first, rng.random(level.size), rng.random())
    rows = np.flatnonzero(pilot)
    chances, left = [first], budget - rows.size
    if left > 0 and not pilot.all():
        size = population.wave_size(rows, level[rows])
        chances.append(inclusion(size, left, among=~pilot))
        rest = np.where(pilot, 0.0, chances[-1])
        pilot |= systematic_draw(rest, rng.random(level.size), rng.random())
        rows = np.flatnonzero(pilot)
    return estimated_trial(population, level, combined(chances), rows, over_topics=over_topics)


def estimated_trial(
    population: Population,
    level: IntArray,
    probability: FloatArray,
    rows: IntArray,
    *,
    over_topics: bool = False,
) -> SamplingTrial:
    """Return the estimates from some judged units, with the probabilities of all."""
    chance = probability[rows]
    grades, influence = population.fit(rows, level[rows], chance)
    estimates = estimate_scores(
        influence, rows, level[rows], chance, population.topic, over_topics=over_topics,
        expected=population.expected_covariance(grades, influence, rows, chance),
    )  # fmt: skip
    return SamplingTrial(
        estimates, influence.rank_weight, population.judged_scores(grades), rows.size
    )
