"""Samples drawn from a pool whose grades are all known: what `estimate` would have said of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.estimation.boundaries import quantiles
from qrelsmith.estimation.decisions import Comparison, compare_systems
from qrelsmith.estimation.design import PILOT, combined, inclusion
from qrelsmith.estimation.estimator import ScoreEstimates, degrees, estimate_scores
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

    def reach(self, noise: FloatArray) -> FloatArray:
        """How far intervals reach to either side [...] for parts of errors [..., part]."""
        free = degrees(noise, over_topics=self.estimates.over_topics)
        factor = quantiles(free, labels=self.labels)
        return np.asarray(factor * np.sqrt((noise**2).sum(axis=-1)))

    def pairs(self, looks: int | None = None, until: int | None = None) -> Comparison:
        """The differences of every two systems, with intervals and decisions."""
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
    """A pilot and a second wave from a pool, and the estimates.

    Parameters
    ----------
    population : Population
        The units.
    level : int array [unit]
        What people say of all of them, as places on the scale.
    budget : int
        How many docs are drawn in the mean.
    rng : Generator
        One number a unit and wave is taken from it.
    over_topics : bool
        For whom the errors are: topics like these, or this pool.
    """
    first = inclusion(population.importance, PILOT * budget)
    pilot = rng.random(level.size) < first
    if not pilot.any():
        pilot[int(np.argmax(first))] = True
    rows = np.flatnonzero(pilot)
    size = population.wave_size(rows, level[rows])
    second = inclusion(size, max(budget - rows.size, 1), among=~pilot)
    rows = np.flatnonzero(pilot | (rng.random(level.size) < second))
    return estimated_trial(
        population, level, combined([first, second]), rows, over_topics=over_topics
    )


def estimated_trial(
    population: Population,
    level: IntArray,
    probability: FloatArray,
    rows: IntArray,
    *,
    over_topics: bool = False,
) -> SamplingTrial:
    """The estimates from some judged units, with the probabilities of all."""
    chance = probability[rows]
    grades, influence = population.fit(rows, level[rows], chance)
    estimates = estimate_scores(
        influence, rows, level[rows], chance, population.topic, over_topics=over_topics
    )
    return SamplingTrial(
        estimates, influence.rank_weight, population.judged_scores(grades), rows.size
    )
