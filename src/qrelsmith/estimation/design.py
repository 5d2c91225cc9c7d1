"""Sampling design: inclusion probabilities, systematic sampling and several waves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import digest_key
from qrelsmith.base.scipy_parts import optimize

PILOT = 0.3  # share of the budget
_EVEN = 0.1  # share of every wave that is spread evenly, so that no weight 1/π explodes
_EXACT = 1e-6


def pilot_of(budget: int) -> int:
    """Return the number of docs of the first wave."""
    return max(1, round(PILOT * budget))


def even_sizes(size: FloatArray) -> FloatArray:
    """Scale sizes to the mean 1, after dividing a tenth of the total equally among units [unit].

    If all sizes are 0, all results are 1. The equal part ensures that docs with confident
    predictions are sometimes drawn, so that model errors are found.
    """
    mean = float(size.mean()) if size.size else 0.0
    if mean <= 0:
        return np.ones(size.shape)
    return np.asarray((1 - _EVEN) * size / mean + _EVEN)


def inclusion(size: FloatArray, number: float, *, among: BoolArray | None = None) -> FloatArray:
    """Return the probabilities min(1, c · size) with a given sum [unit].

    Parameters
    ----------
    size : float array [unit]
        Positive.
    number : float
        Number of docs to draw; all docs if there are fewer.
    among : bool array [unit], optional
        The units whose probabilities have this sum: those not yet drawn. By default, all units.
    """
    counted = size if among is None else size[among]
    if number >= counted.size:
        return np.ones(size.shape)
    order = np.sort(counted)[::-1]
    rest = order.sum() - np.append(0.0, np.cumsum(order))[:-1]
    certain = np.arange(order.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = (number - certain) / rest
    # The first count of certain units for which the next one is not certain.
    place = int(np.argmax(factors * order < 1.0))
    return np.asarray(np.minimum(1.0, factors[place] * size))


def draw_units(
    probability: FloatArray, keys: Sequence[tuple[str, str]], *, seed: int, wave: int
) -> BoolArray:
    """Draw units by hashing (SHA-256 of seed, wave, topic, doc); return a mask of drawn units.

    Parameters
    ----------
    probability : float array [unit]
        Inclusion probability of each unit; 0 if already drawn.
    keys : sequence of (str, str)
        Topic and doc of each unit.
    seed, wave : int
        Seed and wave number, which make the draw reproducible.
    """
    uniform = np.fromiter(
        (
            int.from_bytes(digest_key(seed, "sample", wave, topic, doc)[:8], "big")
            for topic, doc in keys
        ),
        np.uint64,
        len(keys),
    )
    start = int.from_bytes(digest_key(seed, "sample start", wave)[:8], "big")
    return systematic_draw(probability, uniform / 2.0**64, start / 2.0**64)


def systematic_draw(probability: FloatArray, uniform: FloatArray, start: float) -> BoolArray:
    """Draw units by systematic sampling from a random order (Goodman and Kish 1950) [unit].

    In the random order, the probabilities are laid end to end as segments of a line. The units
    whose segments contain start, start + 1, … are drawn. Each unit is drawn with exactly its
    probability, and the sample size is the sum of the probabilities. Variances assume Poisson
    sampling, which is slightly conservative.

    Parameters
    ----------
    probability : float array [unit]
        Inclusion probability of each unit.
    uniform : float array [unit]
        Random numbers that determine the order.
    start : float
        A random number from 0 to 1.
    """
    order = np.argsort(uniform, kind="stable")
    reached = np.floor(np.append(0.0, np.cumsum(probability[order])) + start)
    drawn = np.zeros(probability.shape, dtype=bool)
    drawn[order] = np.diff(reached) > 0
    return drawn


def combined(probabilities: Sequence[FloatArray]) -> FloatArray:
    """Return the probability that at least one wave draws a unit: 1 − Π(1 − π_wave) [unit]."""
    missed = np.ones(probabilities[0].shape)
    for probability in probabilities:
        missed = missed * (1.0 - probability)
    return np.asarray(1.0 - missed)


def recover_probabilities(
    sizes: Sequence[FloatArray], rows: np.ndarray, probability: FloatArray
) -> list[FloatArray]:
    """Return the earlier inclusion probabilities of all units, computed from the drawn units.

    A sample file lists only the drawn docs, but the next wave needs the probabilities of all docs.
    Each wave has one unknown factor c, and each drawn doc gives one equation.

    Parameters
    ----------
    sizes : sequence of float array [unit]
        The sampling sizes of each wave.
    rows : int array [row]
        The units in the file.
    probability : float array [row]
        The combined probabilities of these units.

    Raises
    ------
    UsageError
        If no factors give these probabilities, because the runs, measure or labels differ.
    """
    is_uncertain = probability < 1.0
    target = np.log1p(-probability[is_uncertain])
    if not is_uncertain.any():
        return [np.ones(size.shape) for size in sizes]

    def log_misses(logs: FloatArray) -> FloatArray:
        total = np.zeros(int(is_uncertain.sum()))
        for size, log in zip(sizes, logs, strict=True):
            chance = np.minimum(np.exp(log) * size[rows[is_uncertain]], 1 - 1e-12)
            total = total + np.log1p(-chance)
        return total

    share = len(rows) / len(sizes[0]) / len(sizes)
    begin = np.full(len(sizes), np.log(share))

    def wrong(logs: FloatArray) -> FloatArray:
        return np.asarray(np.expm1(log_misses(logs) - target))

    fit = optimize.least_squares(wrong, begin, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    if np.abs(fit.fun).max() > _EXACT:
        raise UsageError(
            "the sample's probabilities do not match these runs, label sets, measure and focus; "
            "expected the inputs that the sample was drawn with"
        )
    return [np.minimum(1.0, np.exp(log) * size) for size, log in zip(sizes, fit.x, strict=True)]
