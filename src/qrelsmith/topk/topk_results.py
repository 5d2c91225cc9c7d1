"""The best docs of each topic that answers show, and qrels made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.pairs.outcomes import Way
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk import SCHEDULERS, Answer, RankedDoc
from qrelsmith.topk.recorded import recorded_final, tournament_order
from qrelsmith.topk.topk_sessions import (
    TopicPool,
    TopkSetting,
    answers_by_topic,
    list_text,
    stray_notes,
    whole,
)


@dataclass(frozen=True, slots=True)
class TopicResult:
    """The best docs of a topic.

    Attributes
    ----------
    places : tuple of RankedDoc
        As far as they are known; empty where nothing is settled.
    compared : bool
        Whether any pair was judged: the one doc of a topic is its best without that.
    complete : bool
        Whether all of the top k are there.
    set_settled, ranks_settled : bool
        Whether it is certain which docs they are, and their ranks. Only where recorded answers do
        not tell which of them were given in the final, it is not.
    """

    topic: str
    places: tuple[RankedDoc, ...]
    compared: bool
    complete: bool
    set_settled: bool = True
    ranks_settled: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class TopkResults(Result):
    """The results of all topics.

    Attributes
    ----------
    topics : tuple of TopicResult
        Every topic with candidates.
    k : int
        How many docs were looked for.
    graded : Qrels
        The grades that the candidates come from.
    log : Preferences or None
        The answers that it was made of.
    preferences_form, write_outcomes : str
        How the command writes these.
    """

    topics: tuple[TopicResult, ...]
    k: int
    graded: Qrels
    log: Preferences | None = field(default=None, repr=False)
    preferences_form: str = "csv"
    write_outcomes: Way = "numbers"

    def table(self) -> Table:
        """Topic, doc, rank and wins."""
        return Table.of(
            ("topic", "doc", "rank", "wins"),
            [
                (result.topic, place.doc, place.rank, whole(place.wins))
                for result in self.topics
                for place in result.places
            ],
        )

    def top(self, *, name: str = "top") -> Qrels:
        """Qrels of the best docs alone: k for rank 1 down to 1 for rank k, ties sharing one."""
        return Qrels.from_rows(
            (
                (result.topic, place.doc, float(self.k + 1 - place.rank))
                for result in self.topics
                for place in result.places
            ),
            name=name,
        )

    def best(self, *, name: str = "best") -> Qrels:
        """Qrels of the docs at rank 1 alone, with the grade 1."""
        return Qrels.from_rows(
            (
                (result.topic, place.doc, 1.0)
                for result in self.topics
                for place in result.places
                if place.rank == 1
            ),
            name=name,
        )

    def combined(self, graded: Qrels | None = None, *, name: str = "combined") -> Qrels:
        """Return the best docs above all grades, all other docs as they were.

        A doc at rank r gets s·(k + 1 − r), where s is the lowest power of ten above the highest
        grade: 60 − 10·r for k = 5 and grades up to 9, as the authors released. A topic of which no
        pair was judged keeps its grades.

        Parameters
        ----------
        graded : Qrels, optional
            The grades; by default those that the candidates come from.
        name : str
            What to call them.
        """
        qrels = self.graded if graded is None else graded
        step = _step(float(qrels.grade.max(initial=0.0)))
        raised = {
            (result.topic, place.doc): step * (self.k + 1 - place.rank)
            for result in self.topics
            if result.compared
            for place in result.places
        }
        return Qrels.from_rows(
            ((topic, doc, raised.get((topic, doc), grade)) for topic, doc, grade in qrels.rows()),
            name=name,
        )


def topk_results(
    pools: Sequence[TopicPool], log: Preferences, setting: TopkSetting, *, graded: Qrels
) -> TopkResults:
    """Return the best docs of each topic by the answers.

    The log of a session is replayed. Of crowd rounds whose answers name no rounds, the final is
    looked for (see `recorded_final`); of a tournament on another tree, whatever order its answers
    settle from the top (see `tournament_order`).

    Parameters
    ----------
    pools : sequence of TopicPool
        The candidates.
    log : Preferences
        The answers, in the order in which they were given.
    setting : TopkSetting
        How the top is looked for.
    graded : Qrels
        The grades that the candidates come from.

    Raises
    ------
    UsageError
        If the setting is invalid.
    """
    answers = answers_by_topic(log)
    in_rounds = bool(log.round.any())
    topics = tuple(
        _result(pool, answers.get(pool.topic, []), setting, in_rounds=in_rounds)
        for pool in pools
        if pool.candidates
    )
    strays = stray_notes([pool.topic for pool in pools], log)
    replaced = [log.note] if log.note else []
    return TopkResults(
        topics=topics,
        k=setting.k,
        graded=graded,
        notes=(*replaced, *_notes(topics, setting.k), *strays),
    )


def _result(
    pool: TopicPool, answers: list[Answer], setting: TopkSetting, *, in_rounds: bool
) -> TopicResult:
    about, takes = setting.about, SCHEDULERS.get(setting.method).entry.takes
    if about["rounds"] and not in_rounds and len(pool.candidates) > 1:
        # Rounds without finalists are the final alone.
        alone = "finalists" not in takes
        final = recorded_final(
            pool.candidates, answers, k=setting.k,
            finalists=len(pool.candidates) if alone else setting.finalists,
            pairings=setting.pairings, forced=alone or setting.forced,
        )  # fmt: skip
        if final is None:
            return TopicResult(pool.topic, (), compared=bool(answers), complete=False)
        return TopicResult(
            pool.topic, final.places, compared=True, complete=True,
            set_settled=final.set_settled, ranks_settled=final.ranks_settled,
        )  # fmt: skip
    state = setting.scheduler(pool.topic, pool.candidates).replay(answers)
    places = state.result
    if about["any_order"] and not state.done:
        elsewhere = tournament_order(pool.candidates, answers, k=setting.k)
        places = max(places, elsewhere, key=len)
    complete = state.done or len(places) == min(setting.k, len(pool.candidates))
    compared = state.comparisons > 0 or (len(pool.candidates) > 1 and bool(places))
    return TopicResult(pool.topic, places, compared=compared, complete=complete)


def _step(highest: float) -> float:
    """Return the lowest power of ten above a grade, 10 at least."""
    step = 10.0
    while step <= highest:
        step *= 10.0
    return step


def _notes(topics: Sequence[TopicResult], k: int) -> list[str]:
    missing = [one.topic for one in topics if not one.places]
    partly = [one.topic for one in topics if one.places and not one.complete]
    unsure = [one.topic for one in topics if not one.set_settled]
    unranked = [one.topic for one in topics if one.set_settled and not one.ranks_settled]
    notes = []
    if missing:
        notes.append(f"topics without a result: {list_text(missing)} of {len(topics)}")
    if partly:
        notes.append(f"topics of which not all of the top {k} are settled: {list_text(partly)}")
    if unsure:
        notes.append(
            "topics where it depends on which of several answers was given in the final which docs"
            f" are the best: {list_text(unsure)}; there the answers to a pair share its win"
        )
    if unranked:
        notes.append(
            "topics where the best docs are certain, but not all their ranks:"
            f" {list_text(unranked)}"
        )
    return notes
