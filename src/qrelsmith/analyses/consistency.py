"""The question `consistency`: do random halves of the topics rank the systems alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from qrelsmith.analyses.common_topics import Common, Empty, TopicSets
from qrelsmith.analyses.compared_sets import compared_sets
from qrelsmith.analyses.ranking_consistency import (
    Consistency,
    RankedHalves,
    compare_consistencies,
    split_half_taus,
)
from qrelsmith.analyses.scored_sets import ScoredSets, scored_sets, scores_of
from qrelsmith.analyses.scoring import OffScale, Scoring
from qrelsmith.analyses.sources import LabelSets, MeasuresLike, RunsLike
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.questions import question
from qrelsmith.scales import Gains, Scale


@question(
    command="consistency",
    audit=("consistency", "orderings"),
    flags={"measures": "-m", "splits": "-B"},
)
def consistency(
    labels: LabelSets,
    runs: RunsLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    splits: int = 1000,
    trials: int = 1000,
    alpha: float = 0.05,
    pairs: bool = False,
    empty_topics: Empty = "zero",
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
) -> Consistency:
    """Ranking consistency: Kendall's τ between the rankings over random halves of the topics.

    Parameters
    ----------
    labels : qrels, label sets, campaign, or scores
        As of `compare`; of a campaign all its label sets.
    runs, measures
        As of `evaluate`.
    splits : int
        How many times the topics are split in half; label sets and measures on one set of topics
        share their splits.
    trials : int
        Trials of the randomised Tukey HSD test over the splits, which the paper makes.
    alpha : float
        Its level.
    pairs : bool
        Whether the table is of the test of every two rows.
    empty_topics : {'zero', 'drop'}
        Whether a topic without relevant docs under a label set counts there, with score 0.
    common : {'pairs', 'all'}
        Each label set is looked at on the topics that it shares with the first one, or on those
        that all have.
    label_set, reference, order, gains, scale, off_scale, condensed, jobs, advance
        As of `compare`.
    topic_set, ordering
        As of `compare`; each set of topics is looked at by itself.
    seed : int
        Seed of the splits and trials.

    Returns
    -------
    Consistency
        letter, qrels, topic_set, measure, topics, systems, splits, tau, sd, outperforms, over: mean
        τ-b and its standard deviation over the splits, the highest first, and who is significantly
        lower. The population is that of the splits of these topics, not other topics: with more
        splits smaller differences are significant.

    Raises
    ------
    UndefinedError
        If a set has fewer than two topics.
    InputError, UsageError
        As of `compare`.

    Examples
    --------
    >>> import numpy as np
    >>> from qrelsmith import ScoreMatrix, consistency
    >>> scores = np.array([[0.5, 0.6, 0.9, 0.7], [0.4, 0.4, 0.6, 0.6]])
    >>> matrix = ScoreMatrix("AP", ("a", "b"), ("t1", "t2", "t3", "t4"), scores)
    >>> consistency(matrix, splits=10).rows[0].tau
    1.0
    """
    scored = scores_of(labels, measures, topic_set=topic_set, runs=runs) or scored_sets(
        compared_sets(
            labels, runs, measures, Scoring(order, gains, scale, off_scale, condensed),
            label_set=label_set, reference=reference, topic_set=topic_set, ordering=ordering,
            common=common, empty_topics=empty_topics,
        ),
        jobs=jobs,
        advance=advance,
    )  # fmt: skip
    named = list(_conditions(scored))
    taus = split_half_taus(named, splits=splits, seed=seed)
    conditions = [condition for condition, _ in named]
    found = compare_consistencies(conditions, taus, trials=trials, alpha=alpha, seed=seed)
    notes = (*scored.notes, *scored.left_out(), *_notes(found))
    return replace(found, pairs=pairs, notes=notes)


def _conditions(scored: ScoredSets) -> Iterator[tuple[RankedHalves, ScoreMatrix]]:
    """Every label set, set of topics and measure."""
    place = 0
    for name in scored.with_topics():
        for measure in scored.measures:
            for topic_set in scored.topics.set_names:
                matrix = scored.beside_reference(name, measure, topic_set=topic_set)
                topics, systems = len(matrix.topics), len(matrix.systems)
                yield RankedHalves(name, topic_set, measure, topics, systems, place), matrix
                place += 1


def _notes(found: Consistency) -> Iterator[str]:
    for row in found.rows:
        if row.splits < found.splits:
            yield (
                f"{row.condition.name}: tau is undefined in {found.splits - row.splits} of"
                f" {found.splits} splits:"
                + (" one system only" if row.condition.systems < 2 else " a half ties all systems")
            )
    if found.test is not None:
        yield (
            f"randomised Tukey HSD over {found.splits - found.left_out} splits, {found.test.trials}"
            f" trials, alpha {found.test.alpha:g}; residual variance V_E2 ="
            f" {found.test.residual_variance:.4g}; splits of one set of topics are no sample: the"
            " more of them, the smaller the differences that are significant"
        )
    elif len(found.rows) > 1:
        yield "fewer than two rows have a tau in the same splits: there is no test"
