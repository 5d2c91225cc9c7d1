"""Paired tests of all pairs of systems, with shared random trials."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.significance import INDEPENDENT_TESTS, TESTS

FEWEST_PAIRED = 2  # topics: a single topic has no variation


def paired_tests(
    matrices: Sequence[ScoreMatrix],
    test: str,
    *,
    trials: int | None = None,
    seed: int,
    alpha: float = 0.05,
) -> list[PairwiseResult]:
    """Run a paired test of all pairs of systems on each of several score matrices.

    Random trials depend only on the seed and the topics, so all label sets, measures and tests of
    one kind share the trials.

    Parameters
    ----------
    matrices : sequence of ScoreMatrix
        The scores; systems and topics sorted.
    test : str
        A name in `TESTS`.
    trials : int, optional
        Random trials; the test's own number by default.
    seed : int
        Seed of these trials.
    alpha : float
        The significance level of the results' `critical`.
    """
    named = TESTS.get(test)
    about = named.entry.about
    options = {"alpha": alpha, **({} if trials is None else {"trials": trials})}
    groups: dict[tuple[tuple[str, ...], int], list[int]] = {}
    for place, matrix in enumerate(matrices):
        groups.setdefault((matrix.topics, len(matrix.systems)), []).append(place)
    by_place: dict[int, PairwiseResult] = {}
    for (topics, _), places in groups.items():
        stack = [matrices[place].scores.T for place in places]
        if about["stack"] is not None and len(places) > 1:
            rng = rng_for(seed, *about["draws"], *topics)
            results = about["stack"](np.stack(stack), rng=rng, **options, **named.parameters)
        else:
            results = [
                named(scores, rng=rng_for(seed, *about["draws"], *topics), **options)
                for scores in stack
            ]
        by_place |= dict(zip(places, results, strict=True))
    return [by_place[place] for place in range(len(matrices))]


def check_paired(tests: Sequence[str], trials: int | None) -> None:
    """Raise an error for an unpaired test, or for trials without a randomised test.

    Raises
    ------
    UsageError
        If a test is unpaired, or no test is randomised.
    UnknownNameError
        If there is no such test.
    """
    for test in tests:
        if test in INDEPENDENT_TESTS.names():
            raise UsageError(
                f"{test} is for independent samples, but scores on the same"
                f" topics are paired; expected {', '.join(TESTS.names())}"
            )
        TESTS.get(test)
    if trials is not None and not any("trials" in TESTS.get(test).entry.takes for test in tests):
        raise UsageError(f"trials need a randomised test; found {', '.join(tests)}")
