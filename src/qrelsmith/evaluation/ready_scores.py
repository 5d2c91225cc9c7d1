"""Ready-made scores: matrices, evaluations, or a mapping of names to either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.evaluation import Evaluation, ScoreMatrix
from qrelsmith.evaluation.common_topics import CommonTopics, Empty, TopicSets, topic_sets_of
from qrelsmith.evaluation.compared_sets import Which, compared_sets
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.evaluation.ranking_options import RankingScope
from qrelsmith.evaluation.scored_sets import ScoredSets, scored_sets
from qrelsmith.judgments.run_sources import MeasuresLike, measures_of


def scores_or_runs(
    labels: Any,
    runs: Any,
    measures: MeasuresLike | None,
    *,
    which: Which = "all",
    empty_topics: Empty = "zero",
    **scope: Unpack[RankingScope],
) -> ScoredSets:
    """Return ready-made scores, or compute the scores of the runs under each label set."""
    there = scores_of(labels, measures, topic_set=scope["topic_set"], runs=runs)
    if there is not None:
        return there
    compared = compared_sets(
        labels, runs, measures, which=which, empty_topics=empty_topics, **scope
    )
    return scored_sets(compared, jobs=scope["jobs"], advance=scope["advance"])


def scores_of(
    source: object,
    measures: MeasuresLike | None = None,
    *,
    topic_set: TopicSets = None,
    runs: object = None,
) -> ScoredSets | None:
    """Return ready-made scores from matrices, evaluations, or a mapping of names to either.

    Parameters
    ----------
    source : ScoreMatrix, Evaluation, list of ScoreMatrix, or mapping of these by name
        Any other type returns None.
    measures : measures, optional
        The measures to use; by default all.
    topic_set
        As in `compared_sets`.
    runs
        The runs argument of the caller; must be empty.

    Raises
    ------
    InputError
        If a measure is missing, the sources have no common measure, or no topic is left.
    UsageError
        If both runs and scores are given.
    """
    named = _scores_by_name(source)
    if named is None:
        return None
    if runs is not None:
        raise UsageError("found scores and runs; expected one of them")
    sides = {name: {m.measure: m.sorted() for m in matrices} for name, matrices in named.items()}
    every = list(dict.fromkeys(measure for side in sides.values() for measure in side))
    wanted = every if measures is None else [_in_scores(m, every) for m in measures_of(measures)]
    for measure in wanted:
        if measure not in every:
            raise InputError(
                f"no scores of {measure} in {', '.join(sides)} (choices: {', '.join(every)})"
            )
    shared = [m for m in dict.fromkeys(wanted) if all(m in side for side in sides.values())]
    if not shared:
        first, side = next(iter(sides.items()))
        raise InputError(
            f"no measure is in all files ({first} has {', '.join(side)}); expected at "
            "least one in common"
        )
    dropped = [measure for measure in wanted if measure not in shared]
    notes = [f"measures ignored because not all files have them: {', '.join(dropped)}"]
    known = {
        name: frozenset(topic for measure in shared for topic in side[measure].topics)
        for name, side in sides.items()
    }
    topics = CommonTopics(known, chosen=topic_sets_of(topic_set))
    return ScoredSets(
        {name: {measure: side[measure] for measure in shared} for name, side in sides.items()},
        topics,
        notes=(*(notes if dropped else ()), *topics.notes(), *topics.check()),
    )


def _scores_by_name(source: object) -> dict[str, list[ScoreMatrix]] | None:
    """Return the score matrices by source name, or None if the source has no scores."""
    if isinstance(source, ScoreMatrix):
        return {"scores": [source]}
    if isinstance(source, Evaluation):
        return {source.label_set or "scores": [source.matrix(m) for m in source.measures]}
    if isinstance(source, list | tuple) and source:
        if all(isinstance(each, ScoreMatrix) for each in source):
            return {"scores": list(source)}
        return None
    if isinstance(source, Mapping) and source:
        sides = {str(name): _scores_by_name(each) for name, each in source.items()}
        known = {name: side for name, side in sides.items() if side is not None}
        if len(known) == len(sides):
            return {name: [m for of in side.values() for m in of] for name, side in known.items()}
        if known:
            raise UsageError(
                f"{quoted(next(iter(known)))} has scores, but other sources have labels; "
                "expected only scores or only labels"
            )
    return None


def _in_scores(name: str, known: Sequence[str]) -> str:
    """Return a measure's name in the source: the requested name or the full name."""
    try:
        return name if name in known else MEASURES.label(name)
    except UsageError:
        # Another program may have measures unknown to qrelsmith.
        return name
