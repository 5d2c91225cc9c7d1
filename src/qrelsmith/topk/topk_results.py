"""The best docs of each topic by preferences, and qrels derived from them."""

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
        The docs settled so far; empty if none.
    compared : bool
        Whether any pair was judged; a single doc is the best without comparison.
    complete : bool
        Whether the whole top k is known.
    set_settled, ranks_settled : bool
        Whether the set of docs, and their ranks, are certain. They are uncertain only if recorded
        answers do not identify the answers of the final round.
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
        The results of every topic with candidates.
    k : int
        Number of docs to find.
    graded : Qrels
        The grades used to select candidates.
    log : Preferences or None
        The answers from which the results were computed.
    preferences_form, write_outcomes : str
        Output options of the command.
    """

    topics: tuple[TopicResult, ...]
    k: int
    graded: Qrels
    log: Preferences | None = field(default=None, repr=False)
    preferences_form: str = "csv"
    write_outcomes: Way = "numbers"

    def table(self) -> Table:
        """Columns: topic, doc, rank and wins."""
        return Table.of(
            ("topic", "doc", "rank", "wins"),
            [
                (result.topic, place.doc, place.rank, whole(place.wins))
                for result in self.topics
                for place in result.places
            ],
        )

    def top(self, *, name: str = "top") -> Qrels:
        """Return qrels of the best docs, graded from k for rank 1 down to 1 for rank k."""
        return Qrels.from_rows(
            (
                (result.topic, place.doc, float(self.k + 1 - place.rank))
                for result in self.topics
                for place in result.places
            ),
            name=name,
        )

    def best(self, *, name: str = "best") -> Qrels:
        """Return qrels of the docs at rank 1, with grade 1."""
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
        """Return qrels with the best docs above all grades and other docs unchanged.

        A doc at rank r gets the grade s·(k + 1 − r), where s is the lowest power of ten above the
        highest grade. For k = 5 and grades up to 9, the grade is 60 − 10·r, as in the authors'
        release. A topic without a judged pair keeps its grades.

        Parameters
        ----------
        graded : Qrels, optional
            The grades; by default those used to select candidates.
        name : str
            Name of the qrels.

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
    """Return the best docs of each topic according to the answers.

    The log of a session is replayed. If the log of crowd rounds does not contain the rounds, the
    final round is inferred (see `recorded_final`). If the answers come from a tournament with a
    different tree, the docs are ranked from the top as far as possible (see `tournament_order`).

    Parameters
    ----------
    pools : sequence of TopicPool
        The candidates.
    log : Preferences
        The answers, in the order given.
    setting : TopkSetting
        The setting of the task.
    graded : Qrels
        The grades used to select candidates.

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
    """Return the lowest power of ten above a grade, at least 10."""
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
        notes.append(f"topics whose top {k} docs are not all decided: {list_text(partly)}")
    if unsure:
        notes.append(
            "topics whose best docs depend on which of several answers counts in the final:"
            f" {list_text(unsure)}; the answers to a pair share the win"
        )
    if unranked:
        notes.append(f"topics whose best docs are certain but not all ranks: {list_text(unranked)}")
    return notes
