"""Significance of differences between systems: the full registries TESTS and INDEPENDENT_TESTS.

A test in TESTS takes `scores[topic, system]`, where every system is scored on the same topics, and
returns a `PairwiseResult`. A test in INDEPENDENT_TESTS takes a list of unrelated samples, such as
the judging times of two groups of assessors, and returns a `GroupResult`. Separate registries and
input types ensure that no unpaired test is run on topic × system scores.

All tests in TESTS accept the same keyword arguments:

>>> from qrelsmith.base.rng import rng_for
>>> scores = [[0.5, 0.4], [0.6, 0.4], [0.9, 0.6], [0.7, 0.6], [0.4, 0.3], [0.8, 0.5]]
>>> test = TESTS.get("randomised-tukey")
>>> bool(test(scores, rng=rng_for(0, "demo"), trials=1000).p[0] < 0.1)
True
"""

from __future__ import annotations

from qrelsmith.stats.bootstrap import bootstrap
from qrelsmith.stats.groups import GroupResult
from qrelsmith.stats.paired_t import paired_t
from qrelsmith.stats.paired_tukey import paired_tukey
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.permutation import permutation
from qrelsmith.stats.randomised_tukey import randomised_tukey
from qrelsmith.stats.registries import INDEPENDENT_TESTS, TESTS
from qrelsmith.stats.two_sample_t import two_sample_t, two_sample_t_summary, welch_t
from qrelsmith.stats.unpaired_tukey import unpaired_tukey, unpaired_tukey_summary

__all__ = [
    "INDEPENDENT_TESTS",
    "TESTS",
    "GroupResult",
    "PairwiseResult",
    "bootstrap",
    "paired_t",
    "paired_tukey",
    "permutation",
    "randomised_tukey",
    "two_sample_t",
    "two_sample_t_summary",
    "unpaired_tukey",
    "unpaired_tukey_summary",
    "welch_t",
]
