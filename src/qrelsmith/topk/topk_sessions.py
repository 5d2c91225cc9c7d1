"""States of a top-k task by topic: candidates and open pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.collection.qrels import Qrels
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk import SCHEDULERS, Answer, Scheduler, State, thin
from qrelsmith.topk.culling import Keep
from qrelsmith.topk.drawn import DrawnPairs
from qrelsmith.topk.schedulers import expected_pairs

_LISTED = 5


@dataclass(frozen=True, slots=True)
class TopkSetting:
    """The setting of a top-k task.

    Attributes
    ----------
    k : int
        Number of docs to find.
    method : str
        The name of a scheduler, with optional parameters.
    finalists, pairings : int
        F and P of crowd rounds.
    keep : {'majority', 'half'}
        Rule for the candidates that stay after a round.
    forced : bool
        Whether F > P > k may be violated.
    seed : int
        Determines pairings, leaves and sides.
    pairs : mapping of str to sequence of (str, str), optional
        The drawn pairs by topic, for the scheduler `drawn`.
    """

    k: int = 5
    method: str = "rounds"
    finalists: int = 9
    pairings: int = 7
    keep: Keep = "majority"
    forced: bool = False
    seed: int = 0
    pairs: DrawnPairs | None = None

    def scheduler(self, topic: str, candidates: Sequence[str]) -> Scheduler:
        """Return the scheduler of a topic.

        Raises
        ------
        UsageError
            If the setting is invalid.
        """
        if self.pairs is None and "pairs" in SCHEDULERS.get(self.method).entry.takes:
            raise UsageError(f"the scheduler {self.name} needs a list of pairs, but found none")
        found: Scheduler = SCHEDULERS.get(self.method)(
            candidates, topic=topic, k=self.k, seed=self.seed, finalists=self.finalists,
            pairings=self.pairings, keep=self.keep, forced=self.forced, pairs=self.pairs,
        )  # fmt: skip
        return found

    def expected_pairs(self, candidates: int) -> int:
        """Return the approximate number of pairs needed for a number of candidates."""
        return expected_pairs(
            self.method, candidates, k=self.k, finalists=self.finalists, pairings=self.pairings,
            keep=self.keep, forced=self.forced,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The scheduler's name without parameters."""
        return SCHEDULERS.get(self.method).entry.name

    @property
    def is_bounded(self) -> bool:
        """Whether the number of pairs is bounded in advance."""
        return bool(self.about["bounded"])

    @property
    def about(self) -> Mapping[str, Any]:
        """The scheduler's entry in the registry; see `topk.schedulers`."""
        return SCHEDULERS.get(self.method).entry.about


@dataclass(frozen=True, slots=True, eq=False)
class TopicPool:
    """The candidates of a topic.

    Attributes
    ----------
    candidates : tuple of str
        Docs, sorted by name.
    grades : float array [candidate]
        Their grades.
    nonrelevant : tuple of str
        Docs of the topic with the grade 0, sorted.
    """

    topic: str
    candidates: tuple[str, ...]
    grades: FloatArray
    nonrelevant: tuple[str, ...]


def topic_pools(qrels: Qrels, *, k: int) -> tuple[TopicPool, ...]:
    """Return the candidates of every topic of the qrels, selected by grade (see `thin`).

    Raises
    ------
    UsageError
        If k is below 1.
    UndefinedError
        If no doc has a grade above 0.
    """
    starts = np.searchsorted(qrels.topic, np.arange(len(qrels.topics) + 1))
    pools = []
    for place, topic in enumerate(qrels.topics):
        part = slice(starts[place], starts[place + 1])
        grades = qrels.grade[part]
        docs = [qrels.docs[doc] for doc in qrels.doc[part].tolist()]
        kept = thin(grades, k=k).kept
        pools.append(
            TopicPool(
                topic=topic,
                candidates=tuple(docs[at] for at in np.flatnonzero(kept).tolist()),
                grades=grades[kept],
                nonrelevant=tuple(docs[at] for at in np.flatnonzero(grades == 0).tolist()),
            )
        )
    if not any(pool.candidates for pool in pools):
        raise UndefinedError(
            f"no doc of {qrels.name} has a grade above 0; expected at least one candidate"
        )
    return tuple(pools)


def drawn_pools(pairs: DrawnPairs) -> tuple[TopicPool, ...]:
    """Return the docs of drawn pairs as ungraded candidates."""
    pools = []
    for topic, drawn in sorted(pairs.items()):
        docs = tuple(sorted({doc for pair in drawn for doc in pair}))
        pools.append(TopicPool(topic, docs, np.zeros(len(docs)), ()))
    return tuple(pools)


def answers_by_topic(log: Preferences) -> dict[str, list[Answer]]:
    """Return the answers to each topic's pairs, in the order given."""
    found: dict[str, list[Answer]] = {}
    for row in log.rows():
        answer = Answer(row.left, row.right, row.outcome, row.assessor, row.round)
        found.setdefault(row.topic, []).append(answer)
    return found


def states(pools: Iterable[TopicPool], log: Preferences, setting: TopkSetting) -> dict[str, State]:
    """Return the state of each topic after all answers.

    Raises
    ------
    UsageError
        If the setting is invalid.
    """
    answers = answers_by_topic(log)
    return {
        pool.topic: setting.scheduler(pool.topic, pool.candidates).replay(
            answers.get(pool.topic, ())
        )
        for pool in pools
    }


def progress_notes(states: Mapping[str, State], log: Preferences) -> list[str]:
    """Return notes on the progress of topics, and on answers to topics that are not included."""
    done = sum(state.done for state in states.values())
    judged = sum(state.comparisons for state in states.values())
    pairs = sum(len(state.open_pairs) for state in states.values())
    unused = sum(state.unused for state in states.values())
    notes = [f"topics done: {done} of {len(states)}; pairs judged: {judged}, open now: {pairs}"]
    if unused:
        notes.append(
            f"answers to pairs that are not asked: {unused} (docs that are not candidates, or pairs"
            " closed by another answer)"
        )
    notes += [log.note] if log.note else []
    return [*notes, *stray_notes(states, log)]


def stray_notes(topics: Iterable[str], log: Preferences) -> list[str]:
    """Return a sentence about answers to topics that are not included, if there are any."""
    strays = sorted(set(log.topics).difference(topics))
    if not strays:
        return []
    return [
        f"topics with preferences that have no judgments or were not requested: {list_text(strays)}"
    ]


def list_text(names: Sequence[str]) -> str:
    """Return a text with the number of names, and the first few names."""
    more = ", …" if len(names) > _LISTED else ""
    return f"{len(names)} ({', '.join(names[:_LISTED])}{more})"


def whole(value: float) -> int | float:
    """Format a number for a table cell; whole numbers have no decimal point."""
    return int(value) if value.is_integer() else value
