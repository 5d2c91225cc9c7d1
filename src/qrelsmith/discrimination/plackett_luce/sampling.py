"""Rankings drawn from a Plackett–Luce distribution, and entropy estimates from them."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.discrimination.plackett_luce.fit import PlackettLuce

Estimator: TypeAlias = Literal["conditional", "plain"]

_CELLS_AT_ONCE = 1_000_000


def sample_rankings(model: PlackettLuce, *, samples: int, rng: np.random.Generator) -> IntArray:
    """Draw rankings from the model.

    All positions are drawn at once by sorting s_i + g_i, where g_i are independent standard Gumbel
    variables.

    Parameters
    ----------
    model : PlackettLuce
        Scores [..., doc].
    samples : int
        The number of rankings per topic.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    int array [..., sample, doc]
        Docs from the first rank to the last; −1 after the last doc of a topic.

    Raises
    ------
    UsageError
        If `samples` is below 0.

    References
    ----------
    pdp, Eq. 4; Yellott (1977) for the Gumbel distribution.
    """
    if samples < 0:
        raise UsageError(f"samples is {samples}; expected 0 or more")
    *batch, docs = model.scores.shape
    shape = (*batch, samples, docs)
    absent = np.broadcast_to((model.before < 0)[..., None, :], shape)
    noisy = np.where(absent, 0.0, model.scores[..., None, :] + rng.gumbel(size=shape))
    group = np.where(absent, docs, model.before[..., None, :])
    ranking = np.lexsort((-noisy, group), axis=-1)
    return np.where(np.take_along_axis(absent, ranking, axis=-1), -1, ranking)


def estimated_entropy(
    scores: FloatArray, *, samples: int, estimator: Estimator, rng: np.random.Generator
) -> tuple[float, float]:
    """Estimate the entropy of one Plackett–Luce distribution from sampled rankings.

    Parameters
    ----------
    scores : float array [doc]
        Finite scores.
    samples : int
        The number of rankings, 2 or more.
    estimator : {'conditional', 'plain'}
        Average the sum of the entropies of the draws along each ranking (Rao–Blackwell), or −log of
        the ranking's probability (Eq. 6).
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    mean, se : float
        The estimate in nats and its standard error.

    References
    ----------
    pdp, Eq. 6.
    """
    values = np.empty(samples)
    step = max(1, _CELLS_AT_ONCE // scores.size)
    for start in range(0, samples, step):
        part = values[start : start + step]
        order = np.argsort(scores + rng.gumbel(size=(part.size, scores.size)), axis=1)
        part[:] = _ranking_terms(scores[order].T, conditional=estimator == "conditional")
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(samples))


def _ranking_terms(scores: FloatArray, *, conditional: bool) -> FloatArray:
    """Return each ranking's term of the estimate [sample], from scores [reversed rank, sample].

    The term is a sum over ranks, from the last rank upwards. Each rank adds the log of the sum of
    the remaining docs' weights, minus the weighted mean of their scores (or the drawn doc's score).
    """
    log_sum = scores[0].copy()
    mean = scores[0].copy()
    total = np.zeros_like(log_sum)
    for score in scores[1:]:
        log_sum = np.logaddexp(log_sum, score)
        if conditional:
            mean += (score - mean) * np.exp(score - log_sum)
            total += log_sum - mean
        else:
            total += log_sum - score
    return np.asarray(total)
