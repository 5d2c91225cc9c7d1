"""The command `significance`: significant differences between systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Unpack

import numpy as np

from qrelsmith.base.errors import UndefinedError, UnknownNameError, UsageError
from qrelsmith.base.options import Option, Seed
from qrelsmith.base.questions import question
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.evaluation.compared_sets import Which
from qrelsmith.evaluation.ranking_options import (
    SCORES,
    RankingScope,
    ranking_source,
    says_how_scored,
)
from qrelsmith.evaluation.ready_scores import scores_or_runs
from qrelsmith.evaluation.scored_sets import ScoredSets
from qrelsmith.judgments.run_options import Measures, Runs
from qrelsmith.rankings.independent_samples import (
    DEFAULT_TEST,
    SamplesLike,
    tested_samples,
    tested_summary,
)
from qrelsmith.rankings.paired_tests import FEWEST_PAIRED, check_paired, paired_tests
from qrelsmith.rankings.significance_tests import ALPHA, SignificanceTest, SignificanceTests
from qrelsmith.stats.multiplicity import ADJUSTMENTS
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.significance import INDEPENDENT_TESTS, TESTS

PAIRED_TEST = "randomised-tukey"
# Options of runs' scores, which do not apply to samples.
_OF_SCORES = ("label_set", "reference", "topic_set", "ordering")


Trials = Annotated[
    int | None, Option("Number of random trials of the test.", ("-B", "--trials"), least=1)
]


def _tests() -> list[str]:
    return [*TESTS.names(), *INDEPENDENT_TESTS.names()]


@question(
    command="significance",
    heading="score",
    everyday=True,
    audit=("significance",),
    example="qrelsmith significance nist.qrels runs/*.run -m nDCG@10 --test paired-t --adjust holm",
    doing="evaluating",
)
def significance(
    labels: Annotated[
        Any,
        ranking_source(
            "[QRELS RUN...|CAMPAIGN]",
            needed=False,
            scores=replace(
                SCORES,
                help="Scores instead of qrels and runs: csv with topics in the first column and"
                    " one column per system, or the output of `evaluate --per-topic`.",
            ),
        ),
    ] = None,
    runs: Runs = None,
    measures: Measures = None,
    *,
    test: Annotated[
        str | None,
        Option(
            f"For scores: {', '.join(TESTS.names())} (default: {PAIRED_TEST}). For samples:"
            f" {', '.join(INDEPENDENT_TESTS.names())} (default: {DEFAULT_TEST}).",
            choices=_tests,
        ),
    ] = None,
    trials: Trials = None,
    adjust: Annotated[str | None, Option(
        "Add the column p_adjusted, with p-values that are adjusted over all pairs of a measure.",
        choices=ADJUSTMENTS.names)] = None,
    beside: Annotated[bool, Option(
        "Compare each label set with the first set: count significant pairs, and pairs with the"
        " same direction.")] = False,
    against: Annotated[str | None, Option(
        "Test only differences from this run.", metavar="RUN")] = None,
    samples: Annotated[SamplesLike | None, Option(
        "Independent samples, not scores: csv with the columns group,value.", file=True)] = None,
    summary: Annotated[SamplesLike | None, Option(
        "Summaries of independent samples: csv with the columns group,mean,n and, for two-sample-t,"
        " sd.", file=True)] = None,
    variance: Annotated[float | None, Option(
        "With --summary and unpaired-tukey: the residual variance V_E1 inside the groups.")] = None,
    seed: Seed = 0,
    **scope: Unpack[RankingScope],
) -> SignificanceTests:  # fmt: skip
    """Test the differences between systems for significance.

    Columns: measure, run_a, run_b, mean_a, mean_b, difference, p, effect_size. The tests need
    scores of all systems on at least two common topics. Only the Tukey tests adjust p for the
    number of pairs. For identical systems, p is 1. If two systems have the same difference on every
    topic, p is 0 with paired-t and bootstrap, and the effect size is infinite. The effect size is
    the difference divided by a standard deviation. Tukey tests use the residual standard deviation
    (ES_E2), and all other tests use the standard deviation of the topics' differences. In tests
    with random trials, p is a share of B trials; 0 means less than 1/B. If you pass a campaign
    folder, its reference, runs and measures are used. With several --label-set options, there is a
    column qrels. With --against RUN, only this run's pairs are listed, and p_adjusted is computed
    for these pairs.

    Independent samples (--samples, --summary) have separate tests. For independent samples, `run_a`
    and `run_b` are groups, the measure is `value`, and the effect size is ES_E1 (Tukey) or Cohen's
    d (t-tests).

    Returns
    -------
    SignificanceTests
        measure, run_a, run_b, mean_a, mean_b, difference, p, effect_size for every pair.

    Raises
    ------
    UnknownNameError
        If a test or adjustment is unknown.
    UsageError
        If a test does not fit the data, or a score is not finite.
    UndefinedError
        If there are fewer than two topics.
    InputError
        The same errors as `evaluate`.

    Examples
    --------
    >>> import numpy as np
    >>> from qrelsmith import ScoreMatrix, significance
    >>> scores = np.array([[0.5, 0.6, 0.9, 0.7], [0.4, 0.4, 0.6, 0.6]])
    >>> matrix = ScoreMatrix("AP", ("a", "b"), ("t1", "t2", "t3", "t4"), scores)
    >>> print(significance(matrix, test="paired-t"))
    measure  run A  run B  mean A  mean B  difference  p-value  effect size
    ───────  ─────  ─────  ──────  ──────  ──────────  ───────  ───────────
    AP       a      b      0.6750  0.5000      0.1750   0.0354       1.8278
    """
    if samples is not None or summary is not None:
        beside_them = (labels, runs, measures, trials, against, *map(scope.get, _OF_SCORES))
        if (
            (samples is not None and summary is not None)
            or any(beside_them)
            or says_how_scored(scope)
        ):
            raise UsageError("samples and summary cannot be used with scores, runs or run options")
        return _independent(samples, summary, test or DEFAULT_TEST, variance, adjust)
    if variance is not None:
        raise UsageError("a variance can be used only with a summary")
    if labels is None:
        raise UsageError("expected labels and runs, a campaign, scores, samples or a summary")
    chosen = test or PAIRED_TEST
    check_paired([chosen], trials)
    which: Which = "all" if beside else "reference"
    scored = scores_or_runs(labels, runs, measures, which=which, **scope)
    if len(scored.topics.chosen) > 1:
        raise UsageError("found several sets of topics; expected one")
    tests, on_common = _test(
        scored, chosen, trials=trials, seed=seed, adjust=adjust, against=against
    )
    notes = [*scored.notes, *scored.exclusion_notes(FEWEST_PAIRED)]
    return SignificanceTests(
        test=chosen,
        tests=tests,
        adjust=adjust,
        beside=beside,
        on_common=on_common,
        seed=seed,
        notes=(*notes, *_p_value_notes(tests, chosen, adjust)),
    )


_Sides = dict[tuple[str, str], tuple[SignificanceTest, SignificanceTest]]


def _test(
    scored: ScoredSets,
    test: str,
    *,
    trials: int | None,
    seed: int,
    adjust: str | None,
    against: str | None,
) -> tuple[tuple[SignificanceTest, ...], _Sides]:
    """Return the test of every label set on the topics that it shares with the reference."""
    (topic_set,) = scored.topics.set_names
    reference = scored.names[0]

    keys: list[tuple[str, str, str]] = []  # label set, measure, and whose scores on common topics
    named: list[tuple[str, ScoreMatrix]] = []
    for name in scored.with_topics(FEWEST_PAIRED):
        for measure in scored.measures:
            pair = scored.pair(reference, name, measure, topic_set=topic_set)
            for side, matrix in zip((reference, name), pair, strict=True):
                keys.append((name, measure, side))
                named.append((side, matrix))
    results = cached_tests(scored, named, test, trials=trials, seed=seed, alpha=ALPHA)
    every: dict[tuple[str, str, str], SignificanceTest] = {}
    for key, (side, matrix), result in zip(keys, named, results, strict=True):
        if against is not None and against not in matrix.systems:
            raise UnknownNameError("run", against, matrix.systems)
        place = None if against is None else matrix.systems.index(against)
        counts = np.array(
            [place in (None, *pair) for pair in zip(result.first, result.second, strict=True)],
            dtype=bool,
        )
        adjusted = None
        if adjust is not None:
            adjusted = np.full(len(result.p), np.nan)
            adjusted[counts] = ADJUSTMENTS.get(adjust)(result.p[counts])
        every[key] = SignificanceTest(
            side, matrix.measure, matrix.systems, result, adjusted, matrix, against
        )
    tests = tuple(one for (name, _, side), one in every.items() if name == side)
    on_common = {
        (name, measure): (every[name, measure, reference], one)
        for (name, measure, side), one in every.items()
        if name == side != reference
    }
    return tests, on_common


def cached_tests(
    scored: ScoredSets,
    named: Sequence[tuple[str, ScoreMatrix]],
    test: str,
    *,
    trials: int | None,
    seed: int,
    alpha: float,
) -> list[PairwiseResult]:
    """Run a paired test of the scores under each label set, or return cached results.

    Raises
    ------
    UndefinedError
        If a label set has no usable topic.
    """
    for name, matrix in named:
        if not matrix.topics:
            raise UndefinedError(f"no topic of {name} has scores; expected at least two")
    digests = [matrix.digest() for _, matrix in named]
    distinct = dict(zip(digests, (matrix for _, matrix in named), strict=True))
    held: dict[str, PairwiseResult] = scored.once(("tests", test, trials, seed, alpha), dict)
    missing = [digest for digest in distinct if digest not in held]
    found = paired_tests(
        [distinct[digest] for digest in missing], test, trials=trials, seed=seed, alpha=alpha
    )
    held.update(zip(missing, found, strict=True))
    return [held[digest] for digest in digests]


def _p_value_notes(
    tests: Sequence[SignificanceTest], test: str, adjust: str | None
) -> tuple[str, ...]:
    notes = []
    if not any(len(one.result.p) for one in tests):
        notes.append("there is only one system or group, so there is no pair to test")
    registry = TESTS if test in TESTS.names() else INDEPENDENT_TESTS
    if adjust and registry.get(test).entry.about["familywise"]:
        notes.append(f"p of {test} is already adjusted for all pairs; p_adjusted adjusts p again")
    return tuple(notes)


def _independent(
    samples: SamplesLike | None,
    summary: SamplesLike | None,
    test: str,
    variance: float | None,
    adjust: str | None,
) -> SignificanceTests:
    if test not in INDEPENDENT_TESTS.names():
        raise UsageError(
            f"{test} is for scores of all systems on the same topics, but samples have "
            f"no common topics; expected {', '.join(INDEPENDENT_TESTS.names())}"
        )
    if summary is None and variance is not None:
        raise UsageError("found a variance with samples; expected it only with a summary")
    samples_tested = (
        tested_samples(samples, test)
        if summary is None
        else tested_summary(summary, test, variance)
    )
    adjusted = None if adjust is None else ADJUSTMENTS.get(adjust)(samples_tested.result.p)
    tested = SignificanceTest("", "value", samples_tested.groups, samples_tested.result, adjusted)
    return SignificanceTests(
        test=test, tests=(tested,), adjust=adjust, notes=_p_value_notes([tested], test, adjust)
    )
