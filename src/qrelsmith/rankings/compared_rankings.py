"""The question `compare`: do label sets, or sets of topics, rank the systems alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.scales import Gains, Scale
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.evaluation.common_topics import Common, TopicSets
from qrelsmith.evaluation.compared_sets import compared_sets
from qrelsmith.evaluation.scored_sets import ScoredSets, scored_sets, scores_of
from qrelsmith.evaluation.scoring import OffScale, Scoring
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike
from qrelsmith.judgments.sources import LabelSets
from qrelsmith.rankings.ranking_comparison import (
    PAPERS,
    Population,
    RankingComparison,
    compared_rankings,
    comparisons_of_pairs,
)
from qrelsmith.rankings.ranking_comparisons import RankingComparisons
from qrelsmith.rankings.top_comparison import compare_tops
from qrelsmith.stats.population import FEWEST_TOPICS, few_topics_note
from qrelsmith.stats.ranking_intervals import FEWEST_SYSTEMS


@question(command="compare", audit=("rankings", "orderings"), flags={"measures": "-m"})
def compare(
    labels: LabelSets,
    runs: RunsLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    top: bool = False,
    over: Population = "topics",
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
    gmax: float | None = None,
    seed: int = 0,
    jobs: int | None = None,
    advance: Callable[[], None] | None = None,
) -> RankingComparisons:
    """Kendall's τ between the rankings of the systems by every two label sets, with intervals.

    Parameters
    ----------
    labels : label sets, campaign, or scores
        Two label sets or more: {name: qrels}, or a list; qrels are Qrels, paths, data frames or
        {topic: {doc: grade}}. Or a campaign, or scores in place of labels and runs: {name:
        Evaluation}, {name: [ScoreMatrix, …]}. The first is the reference.
    runs, measures
        As of `evaluate`.
    top : bool
        The places of the reference's best systems instead, under each label set among all systems,
        with their intervals over topics, and how far their order is kept (`top_agreement`).
    over : {'topics', 'systems'}
        The population of the interval: topics like these, or systems like these.
    common : {'pairs', 'all'}
        Every two label sets are compared on the topics that these two have, or on those that all
        have, as papers do. Notes say what does not count.
    label_set : str or list of str, optional
        Only these label sets.
    reference : str, optional
        The label set that comes first.
    topic_set : path, collection of str, or mapping of these by name, optional
        Only these topics. With one label set and several: the rankings over these sets of topics.
    ordering : str or list of str
        Of a campaign, the topics that its reference was shown in this ordering; as `topic_set`.
    order, gains, scale, off_scale, condensed, gmax, jobs, advance
        As of `evaluate`.
    seed : int
        Seed of the draws of topics.

    Returns
    -------
    RankingComparisons
        For each measure and pair a row with the interval over the population (of τ-b, `interval`
        is its name) and one for each of the papers' (`fieller`: of τ-b; `consistent`, Long and
        Cliff 1997: of τ-a; both over systems). None, and nan stands there, for fewer than 8 topics,
        fewer than 5 systems, and in the papers' where τ is 1 or −1. Two sets of topics have no
        interval over topics.

    Raises
    ------
    UsageError
        If there are fewer than two rankings, or not the same systems in all scores.
    InputError
        As of `evaluate`; if no two label sets have a topic in common.

    Examples
    --------
    >>> from qrelsmith import compare
    >>> labels = {"gold": {"t1": {"d1": 2, "d2": 1}}, "crowd": {"t1": {"d1": 1, "d2": 2}}}
    >>> runs = {"a": {"t1": {"d1": 1.0}}, "b": {"t1": {"d2": 1.0}}}
    >>> compare(labels, runs, "nDCG@10").comparisons[0].tau_b
    -1.0
    """
    scored = scores_of(labels, measures, topic_set=topic_set, runs=runs)
    if scored is None:
        compared = compared_sets(
            labels, runs, measures, Scoring(order, gains, scale, off_scale, condensed, gmax),
            label_set=label_set, reference=reference, topic_set=topic_set, ordering=ordering,
            common=common,
        )  # fmt: skip
        _check_sides(len(compared.label_sets), len(compared.topics.chosen))
        scored = scored_sets(compared, jobs=jobs, advance=advance)
    _check_sides(len(scored.names), len(scored.topics.chosen))
    notes = list(scored.notes)
    if top:
        return _tops(scored, over, seed, notes)
    if len(scored.topics.chosen) > 1:
        sides, found = _between_topic_sets(scored, notes)
    else:
        sides, found = _between_label_sets(scored, over, seed, notes)
    notes += _undefined_notes(found)
    return RankingComparisons(
        comparisons=tuple(sorted(found, key=lambda one: (one.measure, one.first, one.second))),
        sides=sides,
        over=over,
        notes=tuple(dict.fromkeys(notes)),
    )


def _check_sides(label_sets: int, topic_sets: int) -> None:
    if topic_sets > 1 and label_sets > 1:
        raise UsageError("several orderings or topic sets go with one label set")
    if topic_sets < 2 and label_sets < 2:
        raise UsageError(
            "expected two label sets or more, or one on two sets of topics (or orderings) or more"
        )


def _tops(scored: ScoredSets, over: str, seed: int, notes: list[str]) -> RankingComparisons:
    """The reference's best systems under each label set."""
    if over != "topics" or len(scored.topics.chosen) > 1:
        raise UsageError("the places of the best are over topics; expected one set of them")
    (topic_set,) = scored.topics.set_names
    scored.with_topics()
    tops = tuple(compare_tops(scored, topic_set=topic_set, seed=seed))
    notes += scored.exclusion_notes()
    notes += [top.places.reason for top in tops if top.places.reason]
    return RankingComparisons(
        comparisons=(), sides={}, over=over, tops=tops, notes=tuple(dict.fromkeys(notes))
    )


_Sides = dict[str, dict[str, ScoreMatrix]]


def _between_label_sets(
    scored: ScoredSets, over: str, seed: int, notes: list[str]
) -> tuple[_Sides, list[RankingComparison]]:
    (topic_set,) = scored.topics.set_names
    pairs = list(combinations(scored.names, 2))
    shared = [pair for pair in pairs if scored.topics.of(*pair, topic_set=topic_set)]
    if not shared:
        raise InputError("no topic is in all label sets; expected at least one in common")
    notes += [
        f"{first} and {second} have no topic in common: not compared"
        for first, second in pairs
        if (first, second) not in shared
    ]
    comparisons: list[RankingComparison] = []
    for measure in scored.measures:
        named = [(pair, scored.pair(*pair, measure, topic_set=topic_set)) for pair in shared]
        comparisons += comparisons_of_pairs(named, intervals=(over, *PAPERS), seed=seed)
    notes += _interval_notes(comparisons, over)
    reference = scored.names[0]
    beside = {name: reference if (reference, name) in shared else name for name in scored.names}
    notes += [
        f"the ranks under {name} are on its own topics, none of which {reference} has"
        for name, other in beside.items()
        if name == other != reference
    ]
    sides = {
        name: {
            measure: scored.pair(other, name, measure, topic_set=topic_set)[1]
            for measure in scored.measures
        }
        for name, other in beside.items()
    }
    return sides, comparisons


def _between_topic_sets(
    scored: ScoredSets, notes: list[str]
) -> tuple[_Sides, list[RankingComparison]]:
    (name,) = scored.names
    topics = {
        topic_set: scored.topics.of(name, topic_set=topic_set)
        for topic_set in scored.topics.set_names
    }
    notes += [
        f"the topic sets {first} and {second} share {shared} topics"
        for first, second in combinations(topics, 2)
        if (shared := len(set(topics[first]) & set(topics[second])))
    ]
    sides = {
        topic_set: {
            measure: scored.matrices[name][measure].restricted_to(set(topics_of))
            for measure in scored.measures
        }
        for topic_set, topics_of in topics.items()
    }
    comparisons: list[RankingComparison] = []
    for measure in scored.measures:
        comparisons += compared_rankings(
            [(topic_set, topics_of[measure]) for topic_set, topics_of in sides.items()]
        )
    return sides, comparisons


def _interval_notes(found: Sequence[RankingComparison], over: str) -> Iterator[str]:
    """Notes on intervals over the population that are missing, each reason once."""
    for comparison in found:
        if (
            comparison.interval != over
            or not math.isnan(comparison.low)
            or math.isnan(comparison.tau_b)
        ):
            continue
        if comparison.systems < FEWEST_SYSTEMS:
            yield (
                f"no interval of tau over {over}: {comparison.systems} systems; expected"
                f" {FEWEST_SYSTEMS} or more"
            )
        elif over == "topics" and comparison.topics < FEWEST_TOPICS:
            yield few_topics_note(comparison.topics)


def _undefined_notes(found: Sequence[RankingComparison]) -> Iterator[str]:
    for one in found:
        if math.isnan(one.tau_b) and one.systems < 2:
            yield f"{one.measure}: there is one system only, and nothing to rank"
        elif math.isnan(one.tau_b):
            yield f"{one.measure}: {one.first} or {one.second} ties all systems; tau_b is undefined"
