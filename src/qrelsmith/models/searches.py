"""Searches for the best docs that a model's answers drive: whose pairs are open, what was said."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Protocol

from qrelsmith.topk.answers import Answer, Pair
from qrelsmith.topk.schedulers import Scheduler
from qrelsmith.topk.topk_sessions import TopicPool, TopkSetting


class PairSource(Protocol):
    """Whoever says which pairs are asked: schedulers of `topk`, or the contests of an app."""

    @property
    def docs(self) -> Mapping[str, Sequence[str]]:
        """The docs that may be compared, by topic."""

    def begin(self, shown: Container[str]) -> None:
        """Only docs that can be shown are asked for."""

    def open_pairs(self) -> Iterator[tuple[str, Pair]]:
        """Pairs that can be asked now."""

    def answer(self, topic: str, pair: Pair, ways: tuple[int, int]) -> None:
        """Take what was said of a pair, as it was shown and with the sides changed."""

    def answers(self) -> Mapping[str, Sequence[Answer]]:
        """Return the answers of each topic, in the order in which they were asked for."""


class SchedulerSearches:
    """One scheduler a topic; a pair whose two answers contradict each other is a tie.

    Parameters
    ----------
    setting : TopkSetting
        How the best docs are looked for.
    pools : sequence of TopicPool
        The candidates.
    """

    def __init__(self, setting: TopkSetting, pools: Sequence[TopicPool]) -> None:
        self.setting = setting
        self.docs = {pool.topic: pool.candidates for pool in pools if pool.candidates}
        self._answers: dict[str, list[Answer]] = {topic: [] for topic in sorted(self.docs)}
        self._schedulers: dict[str, Scheduler] = {}
        self._asked: set[tuple[str, Pair]] = set()

    def begin(self, shown: Container[str]) -> None:
        """Candidates that cannot be shown take no part."""
        self._schedulers = {
            topic: self.setting.scheduler(topic, [doc for doc in docs if doc in shown])
            for topic, docs in self.docs.items()
        }

    def open_pairs(self) -> Iterator[tuple[str, Pair]]:
        """Return the pairs that are open and were not asked for yet."""
        for topic, answers in self._answers.items():
            for pair in self._schedulers[topic].replay(answers).open_pairs:
                if (topic, pair) not in self._asked:
                    self._asked.add((topic, pair))
                    yield topic, pair

    def answer(self, topic: str, pair: Pair, ways: tuple[int, int]) -> None:
        """Add an answer."""
        first, second = ways
        outcome = first if first == -second else 0
        self._answers[topic].append(Answer(pair.left, pair.right, outcome, "", pair.round))

    def answers(self) -> Mapping[str, Sequence[Answer]]:
        """Return the answers of each topic."""
        return self._answers
