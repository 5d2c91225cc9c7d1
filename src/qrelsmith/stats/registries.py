"""The registries of this family, empty: the modules that fill them import them from here.

Ask them where they are full: CORRELATIONS from `correlation`, INTERVALS from `tau_intervals`,
TESTS and INDEPENDENT_TESTS from `significance`, ADJUSTMENTS from `multiplicity`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qrelsmith.base.registry import REQUIRED, Registry

Function = Callable[..., Any]

#: f(first[..., n], second[..., n], *, …) → [...]: how alike two rankings of n systems are
CORRELATIONS: Registry[Function] = Registry(
    "correlation", arguments=("first", "second"), facts={"symmetric": REQUIRED}
)
#: f(first[..., n], second[..., n], *, z) → TauInterval
INTERVALS: Registry[Function] = Registry(
    "interval for Kendall's τ", arguments=("first", "second"), context=("z",)
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
)
#: f([sample, sample, …]) → GroupResult
INDEPENDENT_TESTS: Registry[Function] = Registry(
    "test of independent samples", arguments=("samples",), facts={"familywise": False}
)
#: f(p[...]) → adjusted p[...]
ADJUSTMENTS: Registry[Function] = Registry("adjustment for multiple tests", arguments=("p",))
