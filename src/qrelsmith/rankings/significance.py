"""The question `significance`: which systems differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.scales import Gains, Scale
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.evaluation.common_topics import Common, TopicSets
from qrelsmith.evaluation.compared_sets import compared_sets
from qrelsmith.evaluation.scored_sets import ScoredSets, scored_sets, scores_of
from qrelsmith.evaluation.scoring import OffScale, Scoring
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike
from qrelsmith.judgments.sources import LabelSets
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


@question(command="significance", audit=("significance",), flags={"measures": "-m", "trials": "-B"})
def significance(
    labels: LabelSets | None = None,
    runs: RunsLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    test: str | None = None,
    trials: int | None = None,
    adjust: str | None = None,
    beside: bool = False,
    samples: SamplesLike | None = None,
    summary: SamplesLike | None = None,
    variance: float | None = None,
    common: Common = "pairs",
    label_set: str | Sequence[str] | None = None,
    reference: str | None = None,
    topic_set: TopicSets = None,
    ordering: str | Sequence[str] = (),
    order: str = "trec",
    gains: Gains | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    condensed: bool = False,
    seed: int = 0,
    jobs: int | None = None,
    advance: Callable[[], None] | None = None,
) -> SignificanceTests:
    """Significance tests of every pair of systems for a difference of their means.

    Parameters
    ----------
    labels : qrels, label sets, campaign, or scores, optional
        Of a campaign its reference (with `beside` all), unless `label_set` says otherwise. Scores
        are a `ScoreMatrix`, an `Evaluation`, several matrices, or these by name.
    runs, measures
        As of `evaluate`.
    test : str, optional
        For scores a name in `TESTS` (default: randomised-tukey), for samples one in
        `INDEPENDENT_TESTS` (default: unpaired-tukey).
    trials : int, optional
        Random trials of a test that makes them.
    adjust : str, optional
        `holm` or `bh`: p for all pairs of a measure at once. Tukey's tests do that already.
    beside : bool
        Count instead, for each label set but the first, the pairs that differ at the 5 % level
        under it and under the first, and how many of them point the same way.
    samples : path, data frame, or mapping, optional
        Independent samples in place of scores: a table of `group,value`, or {group: values}.
    summary : path, data frame, or mapping, optional
        Their summaries: a table of `group,mean,n` and, for two-sample-t, `sd`.
    variance : float, optional
        With a summary and unpaired-tukey: the residual variance V_E1 inside the groups.
    common : {'pairs', 'all'}
        A label set is looked at on the topics that it shares with the first one, or on those that
        all have.
    label_set : str or list of str, optional
        These label sets; several have a column `qrels`.
    reference, topic_set, ordering, order, gains, scale, off_scale, condensed, jobs, advance
        As of `evaluate`.
    seed : int
        Seed of the trials.

    Returns
    -------
    SignificanceTests
        measure, run_a, run_b, mean_a, mean_b, difference, p, effect_size for every pair.

    Raises
    ------
    UnknownNameError
        If there is no such test or adjustment.
    UsageError
        If a test does not fit what is tested, or a score is not finite.
    UndefinedError
        If there are fewer than two topics.
    InputError
        As of `evaluate`.

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
        alone = (labels, runs, measures, label_set, reference, topic_set, trials)
        if (samples is not None and summary is not None) or any(x is not None for x in alone):
            raise UsageError(
                "samples or a summary stand alone: without scores, runs and options for them"
            )
        return _independent(samples, summary, test or DEFAULT_TEST, variance, adjust)
    if variance is not None:
        raise UsageError("a variance goes with a summary")
    if labels is None:
        raise UsageError("expected labels and runs, a campaign, scores, samples or a summary")
    chosen = test or PAIRED_TEST
    check_paired([chosen], trials)
    scored = scores_of(labels, measures, topic_set=topic_set, runs=runs) or scored_sets(
        compared_sets(
            labels, runs, measures, Scoring(order, gains, scale, off_scale, condensed),
            which="all" if beside else "reference", label_set=label_set, reference=reference,
            topic_set=topic_set, ordering=ordering, common=common,
        ),
        jobs=jobs,
        advance=advance,
    )  # fmt: skip
    if len(scored.topics.chosen) > 1:
        raise UsageError("there are several sets of topics; expected one")
    tests, on_common = _test(scored, chosen, trials=trials, seed=seed, adjust=adjust)
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
    scored: ScoredSets, test: str, *, trials: int | None, seed: int, adjust: str | None
) -> tuple[tuple[SignificanceTest, ...], _Sides]:
    """The test of every label set on the topics that it shares with the reference."""
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
        adjusted = None if adjust is None else ADJUSTMENTS.get(adjust)(result.p)
        every[key] = SignificanceTest(
            side, matrix.measure, matrix.systems, result, adjusted, matrix
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
    """A paired test of the scores under label sets; of one matrix, and of a campaign, made once.

    Raises
    ------
    UndefinedError
        If no topic of a label set counts.
    """
    for name, matrix in named:
        if not matrix.topics:
            raise UndefinedError(f"no topic of {name} counts; expected two or more")
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
        notes.append("there is one system or group only, and no pair to test")
    registry = TESTS if test in TESTS.names() else INDEPENDENT_TESTS
    if adjust and registry.get(test).entry.about["familywise"]:
        notes.append(f"p of {test} is for all pairs already; p_adjusted adjusts it once more")
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
            f"{test} is for scores of all systems on the same topics, and samples share nothing;"
            f" expected {', '.join(INDEPENDENT_TESTS.names())}"
        )
    if summary is None and variance is not None:
        raise UsageError("a variance goes with a summary; samples have their own")
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
