"""Simulated human grades, drawn from model labels and runs."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.estimation.fit import Population

# With it systems' scores spread as by people on TREC 2021 Deep Learning (passages): with four
# label sets and two pools .99 and 1.04 times as far for P(rel=2)@10, 1.07 times for nDCG@10.
_WITH_RUNS = 0.44
_OF_TOPICS = 0.2  # share of the remaining variance that the docs of a topic share


def simulate_people(population: Population, agreement: float, rng: np.random.Generator) -> IntArray:
    """Simulate human grades correlated with the models and with good runs [unit].

    A latent normal variable has the correlation `agreement` with the models' labels and .44 with
    the docs' weights in runs that are good by the model labels. The rest is noise; a fifth of the
    noise is shared by the docs of a topic. Simulated people thus differ from the models, and
    systems differ by their grades as they do by real human grades. Half of the docs reach the
    second level of the scale, a quarter the third, and so on.

    Parameters
    ----------
    population : Population
        The units; at least one label set.
    agreement : float
        From 0 to 1, where 1 means that people agree completely with the models.
    rng : Generator
        Random numbers; one per unit and one per topic are taken.

    Returns
    -------
    int array [unit]
        Level indices.
    """
    topic, weight = population.topic, population.measure.weights(population.rank)
    everywhere = np.zeros_like(topic)
    models = np.mean(
        [_normal_scores(np.nan_to_num(labels), everywhere) for labels in population.labels], axis=0
    )
    models = _normal_scores(models, everywhere)
    skill = weight @ models
    ranked = np.flatnonzero(weight.any(axis=0))
    runs = np.zeros(topic.size)
    runs[ranked] = _normal_scores((skill - skill.mean()) @ weight[:, ranked], topic[ranked])
    noise = np.sqrt(_OF_TOPICS) * rng.normal(size=population.topics)[topic]
    noise += np.sqrt(1.0 - _OF_TOPICS) * rng.normal(size=topic.size)
    shared = float((models * runs)[ranked].mean())
    with_runs = (_WITH_RUNS - agreement * shared) / max(1.0 - shared**2, 1e-9)
    with_runs = min(max(with_runs, 0.0), 1.0 - agreement)
    latent = (agreement - with_runs * shared) * models + with_runs * runs
    latent += np.sqrt(max(1.0 - float(latent.var()), 0.0)) * (agreement < 1.0) * noise
    shares = 0.5 ** np.arange(1, len(population.measure.worth))
    return np.asarray((latent[:, None] >= np.quantile(latent, 1.0 - shares)).sum(axis=1))


def _normal_scores(values: FloatArray, group: IntArray) -> FloatArray:
    """Return normal quantiles of the ranks in each group, with overall variance 1."""
    scores = np.zeros(values.shape)
    for number in np.unique(group):
        inside = np.flatnonzero(group == number)
        _, place, count = np.unique(values[inside], return_inverse=True, return_counts=True)
        middle = np.cumsum(count) - 0.5 * count
        scores[inside] = special.ndtri(middle / inside.size)[place]
    scores -= scores.mean()
    deviation = float(scores.std())
    return scores / deviation if deviation > 0 else scores
