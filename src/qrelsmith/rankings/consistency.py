"""The command `consistency`: correlation of rankings over random halves of the topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Unpack

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.options import Option, Seed
from qrelsmith.base.questions import question
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.evaluation.ranking_options import QRELS, EmptyTopics, RankingScope, ranking_source
from qrelsmith.evaluation.ready_scores import scores_or_runs
from qrelsmith.evaluation.scored_sets import ScoredSets
from qrelsmith.judgments.run_options import Measures, Runs
from qrelsmith.rankings.ranking_consistency import (
    Consistency,
    ConsistencyRow,
    RankedHalves,
    compare_consistencies,
    split_half_taus,
)
from qrelsmith.stats.consistency_intervals import consistency_intervals
from qrelsmith.stats.population import FEWEST_TOPICS, few_topics_note
from qrelsmith.stats.split_halves import half_taus, random_halves


@question(
    command="consistency",
    heading="trust",
    audit=("consistency", "orderings"),
    example="qrelsmith consistency --qrels gold.qrels --qrels bronze.qrels -m nDCG@10 -m Q@10"
    " runs/*.run",
    doing="evaluating",
)
def consistency(
    labels: Annotated[Any, ranking_source("[QRELS] RUN...|CAMPAIGN", qrels=QRELS)],
    runs: Runs = None,
    measures: Measures = None,
    *,
    splits: Annotated[int, Option(
        "Number of random splits.", ("-B", "--splits"), least=2)] = 1000,
    trials: Annotated[int, Option("Number of trials of the randomised Tukey HSD test.", least=1)]
        = 1000,
    alpha: Annotated[float, Option("Significance level of the test.", above=0, below=1)] = 0.05,
    pairs: Annotated[bool, Option("Print tests between the rows instead of the rows.")] = False,
    empty_topics: EmptyTopics = "zero",
    seed: Seed = 0,
    **scope: Unpack[RankingScope],
) -> Consistency:  # fmt: skip
    """Compare the rankings of the systems over random halves of the topics.

    Compute Kendall's tau, or another correlation, between the rankings over random halves of the
    topics.

    `tau` is the mean of Kendall's tau-b between the two rankings over many random splits, and `sd`
    is the standard deviation. Columns: letter, qrels, topic_set, measure, topics, systems, splits,
    tau, sd, outperforms, low, high, over. `outperforms` lists the letters of rows with a
    significantly lower tau, by a randomised Tukey HSD test over splits (as in the paper on
    ordering). Because splits are not an independent sample, more splits make smaller differences
    significant. `low` and `high` are the limits of the 95% interval of tau over similar topics, if
    there are at least 8 topics. Rows are sorted by tau, the highest first. Columns with --pairs:
    letters and names of both rows, difference, p, effect_size (ES_E2) over splits.

    Label sets and measures on the same topics use the same splits, which depend only on the seed
    and the topics' names. A split has no tau if all systems tie in one half; a note reports the
    number of these splits. Each label set uses the topics that it shares with the first label set.
    If you pass a campaign folder, its label sets, runs and measures are used.

    Returns
    -------
    Consistency
        A row per label set, topic set and measure, the highest τ first, also with the difference
        from the first label set.

    Raises
    ------
    UndefinedError
        If a set of topics has fewer than two topics.
    InputError, UsageError
        The same errors as `compare`.

    Examples
    --------
    >>> import numpy as np
    >>> from qrelsmith import ScoreMatrix, consistency
    >>> scores = np.array([[0.5, 0.6, 0.9, 0.7], [0.4, 0.4, 0.6, 0.6]])
    >>> matrix = ScoreMatrix("AP", ("a", "b"), ("t1", "t2", "t3", "t4"), scores)
    >>> consistency(matrix, splits=10).rows[0].tau
    1.0
    """
    scored = scores_or_runs(labels, runs, measures, empty_topics=empty_topics, **scope)
    named = list(_conditions(scored))
    taus = split_half_taus(named, splits=splits, seed=seed)
    conditions = [condition for condition, _ in named]
    found = compare_consistencies(conditions, taus, trials=trials, alpha=alpha, seed=seed)
    known = dict(zip(conditions, np.array(taus).T, strict=True))
    rows = _over_topics(scored, found, known, seed)
    notes = (*scored.notes, *scored.exclusion_notes(_FEWEST), *dict.fromkeys(_notes(found)))
    return replace(found, rows=tuple(rows), pairs=pairs, notes=notes)


_FEWEST = 2  # topics that can be split in half


def _conditions(scored: ScoredSets) -> Iterator[tuple[RankedHalves, ScoreMatrix]]:
    """Yield every combination of label set, topic set and measure."""
    place = 0
    for name in scored.with_topics(_FEWEST):
        for measure in scored.measures:
            for topic_set in scored.topics.set_names:
                matrix = scored.pair_with_reference(name, measure, topic_set=topic_set)
                topics, systems = len(matrix.topics), len(matrix.systems)
                yield RankedHalves(name, topic_set, measure, topics, systems, place), matrix
                place += 1


def _over_topics(
    scored: ScoredSets, result: Consistency, taus: Mapping[RankedHalves, FloatArray], seed: int
) -> Iterator[ConsistencyRow]:
    """Add intervals over topics to each row: for the mean τ, and for the difference in mean τ."""
    reference = scored.names[0]
    groups: dict[tuple[str, str, tuple[str, ...]], list[ConsistencyRow]] = {}
    for row in result.rows:
        one = row.condition
        matrix = scored.pair_with_reference(one.qrels, one.measure, topic_set=one.topic_set)
        groups.setdefault((one.measure, one.topic_set, matrix.topics), []).append(row)
    by_condition: dict[RankedHalves, ConsistencyRow] = {}
    for (measure, _, topics), rows in groups.items():
        names = list(dict.fromkeys([reference, *(row.condition.qrels for row in rows)]))
        matrices = [scored.matrices[name][measure].restricted_to(topics) for name in names]
        halves = random_halves(topics, splits=result.splits, seed=seed)
        means = {row.condition.qrels: float(taus[row.condition].mean()) for row in rows}
        if reference not in means:
            # The reference has topics that these label sets lack, so its row has another mean.
            means[reference] = float(half_taus(matrices[0].scores.T, halves).mean())
        over = consistency_intervals(
            np.stack([matrix.scores.T for matrix in matrices]),
            topics,
            halves,
            seed=seed,
            values=[means[name] for name in names],
        )
        for row in rows:
            at = names.index(row.condition.qrels)
            low, high = (float(ends[at]) for ends in (over.means.low, over.means.high))
            by_condition[row.condition] = replace(row, low=low, high=high)
            if at:
                apart = over.differences
                by_condition[row.condition] = replace(
                    by_condition[row.condition],
                    difference=float(apart.value[at, 0]),
                    difference_low=float(apart.low[at, 0]),
                    difference_high=float(apart.high[at, 0]),
                )
    for row in result.rows:
        yield by_condition[row.condition]


def _notes(result: Consistency) -> Iterator[str]:
    for row in result.rows:
        if row.condition.topics < FEWEST_TOPICS:
            yield few_topics_note(row.condition.topics)
        if row.splits < result.splits:
            yield (
                f"{row.condition.name}: tau is undefined in {result.splits - row.splits} of"
                f" {result.splits} splits:"
                + (
                    " there is only one system"
                    if row.condition.systems < 2
                    else " all systems tie in one half"
                )
            )
    if result.test is not None:
        yield (
            f"randomised Tukey HSD over {result.splits - result.left_out} splits,"
            f" {result.test.trials} trials, alpha {result.test.alpha:g}; residual variance V_E2 ="
            f" {result.test.residual_variance:.4g}; with more splits, smaller differences become"
            " significant, because splits of one topic set are not a sample"
        )
    elif len(result.rows) > 1:
        yield "no test is possible, because fewer than two rows have a tau in the same splits"
