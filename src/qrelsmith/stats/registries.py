"""The registries of this family, empty: the modules that fill them import them from here.

Ask them where they are full: CORRELATIONS from `correlation`, INTERVALS from `tau_intervals`,
TESTS and INDEPENDENT_TESTS from `significance`, ADJUSTMENTS from `multiplicity`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qrelsmith.registry import Registry

Function = Callable[..., Any]

#: f(first[..., n], second[..., n], *, …) → [...]: how alike two rankings of n systems are
CORRELATIONS: Registry[Function] = Registry("correlation")
#: f(first[..., n], second[..., n], *, z) → TauInterval
INTERVALS: Registry[Function] = Registry("interval for Kendall's τ", context=("z",))
#: f(scores[topic, system], *, alpha, rng, trials, …) → PairwiseResult
TESTS: Registry[Function] = Registry("significance test", context=("alpha", "rng", "trials"))
#: f([sample, sample, …]) → GroupResult
INDEPENDENT_TESTS: Registry[Function] = Registry("test of independent samples")
#: f(p[...]) → adjusted p[...]
ADJUSTMENTS: Registry[Function] = Registry("adjustment for multiple tests")
