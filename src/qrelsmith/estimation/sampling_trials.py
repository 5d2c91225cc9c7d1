"""Simulated samples from a fully judged pool, with the estimates from each sample."""

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
    """The estimates from one sample.

    Attributes
    ----------
    estimates : ScoreEstimates
        The scores.
    rank_weight : float array [system, unit]
        The weights of the docs in the scores, for ranking the systems.
    judged : float array [system]
        The scores by the model labels.
    labels : int
        Number of judged docs.
    """

    estimates: ScoreEstimates
    rank_weight: FloatArray
    judged: FloatArray
    labels: int

    def reach(self) -> FloatArray:
        """Return the half-widths of the score intervals [system]."""
        deviation, free = self.estimates.errors()
        return np.asarray(quantiles(free, labels=self.labels) * deviation)

    def pairs(self, looks: int | None = None, until: int | None = None) -> Comparison:
        """Return the differences of all pairs of systems, with intervals and decisions."""
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
    """Draw a pilot and a second wave from a pool, and return the estimates.

    Parameters
    ----------
    population : Population
        The units.
    level : int array [unit]
        The human grades of all units as level indices.
    budget : int
        Number of docs to draw.
    rng : Generator
        Random numbers; each wave takes one per unit and one more.
    over_topics : bool
        Population of the errors: similar topics, or this pool.
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
    """Return the estimates from the judged units, given the probabilities of all units."""
    chance = probability[rows]
    grades, influence = population.fit(rows, level[rows], chance)
    estimates = estimate_scores(
        influence, rows, level[rows], chance, population.topic, over_topics=over_topics,
        expected=population.expected_covariance(grades, influence, rows, chance),
    )  # fmt: skip
    return SamplingTrial(
        estimates, influence.rank_weight, population.judged_scores(grades), rows.size
    )
