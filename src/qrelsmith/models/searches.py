"""Preference tasks driven by a model's answers: the open pairs, and the answers to pairs."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Protocol

from qrelsmith.topk.answers import Answer, Pair
from qrelsmith.topk.schedulers import Scheduler
from qrelsmith.topk.topk_sessions import TopicPool, TopkSetting


class PairSource(Protocol):
    """A source of pairs to ask: schedulers of `topk`, or the preference tasks of an app."""

    @property
    def docs(self) -> Mapping[str, Sequence[str]]:
        """The candidate docs, by topic."""

    def begin(self, shown: Container[str]) -> None:
        """Restrict the search to docs that can be shown."""

    def open_pairs(self) -> Iterator[tuple[str, Pair]]:
        """Yield the pairs that can be asked now."""

    def answer(self, topic: str, pair: Pair, ways: tuple[int, int]) -> None:
        """Add the two answers to a pair: in the original order and in the swapped order."""

    def answers(self) -> Mapping[str, Sequence[Answer]]:
        """Return the answers of each topic, in the order of the requests."""


class SchedulerSearches:
    """One scheduler per topic; a pair with contradictory answers is a tie.

    Parameters
    ----------
    setting : TopkSetting
        The settings of the search.
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
        """Exclude candidates that cannot be shown."""
        self._schedulers = {
            topic: self.setting.scheduler(topic, [doc for doc in docs if doc in shown])
            for topic, docs in self.docs.items()
        }

    def open_pairs(self) -> Iterator[tuple[str, Pair]]:
        """Yield the open pairs that have not been requested yet."""
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
