"""The command `compare`: correlation of rankings under label sets or topic sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Annotated, Any, Unpack

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.base.options import Option, Seed
from qrelsmith.base.questions import question
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.evaluation.compared_sets import compared_sets
from qrelsmith.evaluation.ranking_options import (
    POPULATION,
    QRELS,
    SCORES,
    Gmax,
    RankingScope,
    ranking_source,
)
from qrelsmith.evaluation.ready_scores import scores_of
from qrelsmith.evaluation.scored_sets import ScoredSets, scored_sets
from qrelsmith.judgments.run_options import Measures, Runs
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


@question(
    command="compare",
    heading="trust",
    everyday=True,
    audit=("rankings", "orderings"),
    example="qrelsmith compare --qrels nist.qrels --qrels llm.qrels -m nDCG@10 runs/*.run",
    doing="evaluating",
)
def compare(
    labels: Annotated[
        Any, ranking_source("[RUN...|CAMPAIGN]", qrels=QRELS, scores=replace(SCORES, many=True))
    ],
    runs: Runs = None,
    measures: Measures = None,
    *,
    top: Annotated[bool, Option(
        "Show the ranks of the reference's best systems under each label set, with intervals."
    )] = False,
    over: Annotated[Population, Option(POPULATION)] = "topics",
    gmax: Gmax = None,
    seed: Seed = 0,
    **scope: Unpack[RankingScope],
) -> RankingComparisons:  # fmt: skip
    """Compare the rankings of the systems under several label sets.

    Compute Kendall's tau, or another correlation, between the rankings under each pair of label
    sets.

    Columns: measure, qrels_a, qrels_b, systems, tau_a, tau_b, tau_ap, tau_low, tau_high, interval,
    over. There is one row per kind of interval. The interval `topics` of tau_b generalises to
    similar topics. Two intervals over systems are from published papers: `fieller` for tau_b, and
    `consistent` for tau_a (Long and Cliff 1997). An interval is nan with fewer than 8 topics or 5
    systems; the two intervals over systems are also nan if tau is 1 or -1. `tau_b` is nan if all
    systems tie under one of the two label sets. Two label sets are compared on their common topics.
    The reference for `tau_ap` is `qrels_a`. Files of scores must contain the same systems. If you
    pass a campaign folder, its runs, measures and label sets are used, with the reference first.
    With one --label-set and several --ordering options, the rankings over the topics of each
    ordering are compared.

    With --top, there is one row per label set and system in the reference's best third (8 to 20
    systems). Columns: measure, qrels, system, place, place_low, place_high, systems, kept, low,
    high, over. `place_low` and `place_high` are the limits of the rank's interval. `kept` is 1 if
    the label set orders the best systems as the reference does (weighted by score differences), and
    -1 if the order is reversed.

    Returns
    -------
    RankingComparisons
        For each measure and pair, a row per kind of interval. For two sets of topics, there is no
        interval over topics.

    Raises
    ------
    UsageError
        If there are fewer than two rankings, or the systems differ between scores.
    InputError
        The same errors as `evaluate`, and if no two label sets have a topic in common.

    Examples
    --------
    >>> from qrelsmith import compare
    >>> labels = {"gold": {"t1": {"d1": 2, "d2": 1}}, "crowd": {"t1": {"d1": 1, "d2": 2}}}
    >>> runs = {"a": {"t1": {"d1": 1.0}}, "b": {"t1": {"d2": 1.0}}}
    >>> compare(labels, runs, "nDCG@10").comparisons[0].tau_b
    -1.0
    """
    scored = scores_of(labels, measures, topic_set=scope["topic_set"], runs=runs)
    if scored is None:
        compared = compared_sets(labels, runs, measures, gmax=gmax, **scope)
        _check_sides(len(compared.label_sets), len(compared.topics.chosen))
        scored = scored_sets(compared, jobs=scope["jobs"], advance=scope["advance"])
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
        raise UsageError(
            "found several orderings or topic sets with several label sets; expected one label set"
        )
    if topic_sets < 2 and label_sets < 2:
        raise UsageError(
            "expected at least two label sets, or one label set with at least two "
            "topic sets or orderings"
        )


def _tops(scored: ScoredSets, over: str, seed: int, notes: list[str]) -> RankingComparisons:
    """Return the reference's best systems under each label set."""
    if over != "topics" or len(scored.topics.chosen) > 1:
        raise UsageError("found several topic sets; expected one for the ranks of the best systems")
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
        f"{first} and {second} have no topic in common and are not compared"
        for first, second in pairs
        if (first, second) not in shared
    ]
    comparisons: list[RankingComparison] = []
    for measure in scored.measures:
        named = []
        for pair in shared:
            matrices = scored.pair(*pair, measure, topic_set=topic_set)
            if matrices[0].topics:
                named.append((pair, matrices))
            else:
                notes.append(f"{measure}: {' and '.join(pair)} have no scored topic in common")
        comparisons += comparisons_of_pairs(named, intervals=(over, *PAPERS), seed=seed)
    notes += _interval_notes(comparisons, over)
    reference = scored.names[0]
    beside = {name: reference if (reference, name) in shared else name for name in scored.names}
    notes += [
        f"the ranks under {name} use its own topics, because {reference} has none of these topics"
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
        f"the topic sets {first} and {second} have {shared} topics in common"
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
    """Return notes on missing intervals over the population, one per reason."""
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
            yield f"{one.measure}: there is only one system, so there is no ranking"
        elif math.isnan(one.tau_b):
            yield (
                f"{one.measure}: tau_b is undefined, because {one.first} or {one.second} ties all"
                " systems"
            )
