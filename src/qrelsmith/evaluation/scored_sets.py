"""Scores of the systems under each label set; each run is read once.

All commands about rankings take scores from this module, so that they report the same scores.
Earlier results are cached with the campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from qrelsmith.base.errors import InputError
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation import Evaluation, MissingTopics, ScoreMatrix, score_runs
from qrelsmith.evaluation.common_topics import ALL, CommonTopics
from qrelsmith.evaluation.compared_sets import ComparedSets
from qrelsmith.io.text import FilePath

if TYPE_CHECKING:
    from qrelsmith.judgments.label_sets import CampaignLabels
    from qrelsmith.sweep import Sweep
from qrelsmith.evaluation.held_runs import runs_in_memory

T = TypeVar("T")
Advance = Callable[[], None]


@dataclass(frozen=True, eq=False, slots=True)
class ScoredSets:
    """Scores by label set and measure.

    Attributes
    ----------
    matrices : mapping of str to mapping of str to ScoreMatrix
        Scores by label set (the reference first) and measure, with systems and topics sorted by
        name.
    topics : CommonTopics
        The topics used when label sets are compared.
    campaign : CampaignLabels or None
        The campaign of the label sets.
    notes : tuple of str
        Notes for readers of the scores.
    """

    matrices: Mapping[str, Mapping[str, ScoreMatrix]]
    topics: CommonTopics
    campaign: CampaignLabels | None = None
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the label sets, starting with the reference."""
        return tuple(self.matrices)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures."""
        return tuple(next(iter(self.matrices.values())))

    def pair(
        self, first: str, second: str, measure: str, *, topic_set: str = ALL
    ) -> tuple[ScoreMatrix, ScoreMatrix]:
        """Return scores under two label sets on their common topics, if there are any."""
        one, other = self.matrices[first][measure], self.matrices[second][measure]
        counted = set(self.topics.of(first, second, topic_set=topic_set))
        # In files of scores, each measure may have different topics.
        topics = tuple(t for t in one.topics if t in counted.intersection(other.topics))
        return _restrict(one, topics), _restrict(other, topics)

    def pair_with_reference(self, name: str, measure: str, *, topic_set: str = ALL) -> ScoreMatrix:
        """Return the scores under a label set on the topics shared with the reference."""
        return self.pair(self.names[0], name, measure, topic_set=topic_set)[1]

    def with_topics(self, fewest: int = 1) -> list[str]:
        """Return the label sets that share enough topics with the reference.

        Parameters
        ----------
        fewest : int
            Minimum number of shared topics.

        Raises
        ------
        InputError
            If no other label set shares enough topics.
        """
        reference, *others = self.names
        left = self._scant_sets(fewest)
        if others and len(left) == len(others):
            most = max(left, key=lambda name: left[name])
            have = f"no topic is in {reference} and another label set"
            if left[most]:
                have = f"{most} has the most topics in common with {reference}: {left[most]}"
            raise InputError(
                f"{have}; expected {fewest} or more. Judge more topics, or choose other label sets"
            )
        return [reference, *(name for name in others if name not in left)]

    def exclusion_notes(self, fewest: int = 1) -> list[str]:
        """Return notes on label sets that share too few topics with the reference."""
        return [
            f"{name} has {'one' if shared else 'no'} topic in common with {self.names[0]} and is"
            " left out"
            for name, shared in self._scant_sets(fewest).items()
        ]

    def _scant_sets(self, fewest: int) -> dict[str, int]:
        """Return the counts of topics shared with the reference, for label sets with too few."""
        reference, *others = self.names
        shared = {name: len(self.topics.of(reference, name)) for name in others}
        return {name: number for name, number in shared.items() if number < fewest}

    def once(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return a value computed from the scores, cached with the campaign."""
        return make() if self.campaign is None else self.campaign.once(key, make)


def scored_sets(
    compared: ComparedSets, *, jobs: int | None = None, advance: Advance | None = None
) -> ScoredSets:
    """Score the runs under every label set.

    Parameters
    ----------
    compared : ComparedSets
        The label sets, runs and measures.
    jobs : int, optional
        Threads; by default one per processor.
    advance : callable, optional
        Called after each run under each label set, to show progress.

    Raises
    ------
    InputError
        At the first malformed line of a run.
    UsageError
        As in `score_runs`.
    """
    runs = runs_in_memory(compared, jobs=jobs)
    notes = list(compared.notes)
    matrices: dict[str, dict[str, ScoreMatrix]] = {}
    several = len(compared.label_sets) > 1
    for name in compared.label_sets:
        found = _evaluations(compared, name, runs, jobs, advance)
        matrices[name] = {label: one.matrix(label).sorted() for label, one in found.items()}
        if compared.answers is not None:
            notes += _leave_out_undefined(matrices[name], name if several else "")
        told = dict.fromkeys(note for one in found.values() for note in one.notes)
        notes += [f"{name}: {note}" if several else note for note in told]
    return ScoredSets(matrices, compared.topics, compared.campaign, tuple(notes))


def _leave_out_undefined(matrices: dict[str, ScoreMatrix], name: str) -> list[str]:
    """Leave out the topics in which an answer has no score, and return notes."""
    notes = []
    for label, matrix in matrices.items():
        scored_topics = [
            topic
            for topic, scores in zip(matrix.topics, matrix.scores.T, strict=True)
            if not np.isnan(scores).any()
        ]
        if len(scored_topics) < len(matrix.topics):
            matrices[label] = matrix.restricted_to(scored_topics)
            left_out = len(matrix.topics) - len(scored_topics)
            where = f"{name}: " if name else ""
            notes.append(
                f"{where}{label}: {left_out} topics are left out, because not every run has a score"
            )
    return notes


def _evaluations(
    compared: ComparedSets,
    name: str,
    runs: Sequence[Run | FilePath],
    jobs: int | None,
    advance: Advance | None,
) -> dict[str, Evaluation]:
    """Return the evaluation that contains each measure; a campaign's evaluations are reused."""
    campaign = compared.campaign
    if campaign is None or list(compared.runs) != list(campaign.campaign.runs):
        evaluation = evaluation_of(compared, name, runs, jobs=jobs, advance=advance)
        return dict.fromkeys(compared.measures, evaluation)
    key = ("scores", name, campaign.reference, compared.scoring)
    held: dict[str, Evaluation] = campaign.once(key, dict)
    missing = [measure for measure in compared.measures if measure not in held]
    if missing:
        # Scored on all topics, so that the next question can reuse them.
        asked = replace(compared, measures=tuple(missing), topics=CommonTopics({}))
        evaluation = evaluation_of(asked, name, runs, jobs=jobs, advance=advance)
        held.update(dict.fromkeys(missing, evaluation))
    return {measure: held[measure] for measure in compared.measures}


def evaluation_of(
    compared: ComparedSets,
    name: str,
    runs: Sequence[Run | FilePath],
    *,
    missing_topics: MissingTopics = "zero",
    jobs: int | None = None,
    sweep: Sweep | None = None,
    advance: Advance | None = None,
) -> Evaluation:
    """Score the runs or answers under one label set, on the selected topics."""
    if compared.answers is not None:
        from qrelsmith.evaluation.answer_scores import score_answers

        return score_answers(
            _label_set_on_topics(compared, name), compared.measures, compared.answers,
            zero_missing=missing_topics == "zero",
        )  # fmt: skip
    return score_runs(
        _label_set_on_topics(compared, name),
        runs,
        compared.measures,
        order=compared.scoring.order,
        missing_topics=missing_topics,
        gains=compared.scoring.gains,
        gmax=compared.gmax(name),
        highest=_highest(compared.label_sets[name]),
        condensed=compared.scoring.condensed,
        jobs=jobs,
        sweep=sweep,
        advance=advance,
    )


def _label_set_on_topics(compared: ComparedSets, name: str) -> Qrels:
    """Return a label set restricted to the union of the topic sets."""
    qrels, chosen = compared.label_sets[name], compared.topics.chosen
    wanted = frozenset().union(*(each.topics for each in chosen))
    if not chosen or wanted.issuperset(qrels.topics):
        return qrels
    kept = qrels.restricted_to(wanted)
    return kept if len(kept) else qrels


def _highest(qrels: Qrels) -> float:
    return float(max(qrels.grade.max(), 0.0))


def _restrict(matrix: ScoreMatrix, topics: tuple[str, ...]) -> ScoreMatrix:
    return matrix if matrix.topics == topics else matrix.restricted_to(set(topics))
