"""The registries of statistics, empty until other modules fill them.

Import the filled registries from these modules: CORRELATIONS from `correlation`, INTERVALS from
`tau_intervals`, TESTS and INDEPENDENT_TESTS from `significance`, ADJUSTMENTS from `multiplicity`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qrelsmith.base.registry import REQUIRED, Registry

Function = Callable[..., Any]


def _of_rankings() -> None:
    """Document the parameters of every coefficient and interval.

    Parameters
    ----------
    first, second : array_like, shape (..., n)
        Scores of the same n systems, higher is better. Scores equal within 1e-12 are tied.
    reference : array_like, shape (..., n)
        Scores that give the true ranking of n systems, higher is better.
    estimate : array_like, shape (..., n)
        Scores that give the ranking to be judged: its ranks carry the weights.
    z : float
        Quantile of the normal distribution; 1.96 gives 95%.

    Raises
    ------
    ShapeError
        If a score is nan or infinite, or the lists do not fit together.
    """


def _of_scores() -> None:
    """Document the parameters of every test on the same topics.

    Parameters
    ----------
    scores : array_like, shape (topics, systems)
        One score per topic and system.
    rng : Generator
        The source of the random numbers.
    trials : int
        The number B of trials; all pairs share them.
    alpha : float
        The level of the result's `critical`.

    Raises
    ------
    ShapeError
        If the scores do not have two dimensions, or one is nan or infinite.
    UndefinedError
        If there are fewer than two topics.
    UsageError
        If trials or alpha is out of range.
    """


def _of_samples() -> None:
    """Document the parameters of every test of independent samples.

    Parameters
    ----------
    samples : sequence of array_like, each of shape (n_i,)
        One sample per group, without nan.

    Raises
    ------
    ShapeError
        If a matrix is given, or a sample is empty or contains nan.
    """


def _of_p_values() -> None:
    """Document the parameters of every adjustment.

    Parameters
    ----------
    p : array_like, shape (...)
        p-values of one family of tests, in any shape; nan for a test that was not run.

    Raises
    ------
    ShapeError
        If a p-value is outside [0, 1].
    """


#: f(first[..., n], second[..., n], *, …) → [...]: how alike two rankings of n systems are
CORRELATIONS: Registry[Function] = Registry(
    "correlation",
    arguments=("first", "second"),
    facts={"symmetric": REQUIRED},
    contract=_of_rankings,
)
#: f(first[..., n], second[..., n], *, z) → TauInterval
INTERVALS: Registry[Function] = Registry(
    "interval for Kendall's τ", arguments=("first", "second"), context=("z",), contract=_of_rankings
)
#: f(scores[topic, system], *, alpha, rng, trials, …) → PairwiseResult. `draws`: the kind of what is
#: random, by which its stream is keyed, so that tests of one kind share it; `familywise`: p is for
#: all pairs at once; `stack`: the same of scores[matrix, topic, system], random draws shared;
#: `scatter`: with what `critical` grows, a pair's differences (`pairs`), all residuals, or rows of
#: scores (`rows`).
TESTS: Registry[Function] = Registry(
    "significance test",
    arguments=("scores",),
    context=("alpha", "rng", "trials"),
    facts={"draws": ("trials",), "familywise": False, "stack": None, "scatter": "pairs"},
    contract=_of_scores,
)
#: f([sample, sample, …]) → GroupResult
INDEPENDENT_TESTS: Registry[Function] = Registry(
    "test of independent samples",
    arguments=("samples",),
    facts={"familywise": False},
    contract=_of_samples,
)
#: f(p[...]) → adjusted p[...]
ADJUSTMENTS: Registry[Function] = Registry(
    "adjustment for multiple tests", arguments=("p",), contract=_of_p_values
)
