"""Answers of systems to topics, in sentences that cite docs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.collection.topics import Topic

_TITLE = 200


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer.

    Attributes
    ----------
    text : str
        The sentence.
    citations : tuple of str
        The cited docs in the order of citation, without repetition.
    """

    text: str
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the conversation before an answer: speaker and text."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class SystemAnswer:
    """The answer of a system to a topic.

    Attributes
    ----------
    topic, run : str
        The topic, and the run of the system.
    sentences : tuple of Sentence
        The answer.
    references : tuple of str
        The docs that the system used.
    turns : tuple of Turn
        The turns of the conversation, or one question; may be empty.
    contexts : tuple of str
        Texts of the references, if the file has any.
    expected : str
        The expected answer; empty if the file has none.
    """

    topic: str
    run: str
    sentences: tuple[Sentence, ...]
    references: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    contexts: tuple[str, ...] = ()
    expected: str = ""

    @property
    def text(self) -> str:
        """The whole answer."""
        return " ".join(each.text for each in self.sentences)

    def citations(self) -> Iterator[tuple[int, str]]:
        """Yield the sentence index, from 0, and the doc of every citation."""
        for place, sentence in enumerate(self.sentences):
            for doc in sentence.citations:
                yield place, doc


class SystemAnswers:
    """Answers of systems, at most one per run and topic.

    Parameters
    ----------
    answers : iterable of SystemAnswer
        The answers.

    Raises
    ------
    UsageError
        If a run has two answers to a topic.
    """

    def __init__(self, answers: Iterable[SystemAnswer]) -> None:
        self._by_pair: dict[tuple[str, str], SystemAnswer] = {}
        for each in answers:
            if self._by_pair.setdefault((each.topic, each.run), each) is not each:
                raise UsageError(
                    f"the run {quoted(each.run)} has two answers to the topic {quoted(each.topic)};"
                    " expected one answer"
                )

    def __iter__(self) -> Iterator[SystemAnswer]:
        return iter(self._by_pair.values())

    def __len__(self) -> int:
        return len(self._by_pair)

    def __repr__(self) -> str:
        return f"<SystemAnswers: {len(self)} of {len(self.runs)} runs to {len(self.topics)} topics>"

    def get(self, topic: str, run: str) -> SystemAnswer | None:
        """Return the answer of a run to a topic, or None."""
        return self._by_pair.get((topic, run))

    @cached_property
    def runs(self) -> tuple[str, ...]:
        """The runs, sorted."""
        return tuple(sorted({run for _, run in self._by_pair}))

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics, sorted."""
        return tuple(sorted({topic for topic, _ in self._by_pair}))


def topics_of_answers(answers: Iterable[SystemAnswer]) -> list[Topic]:
    """Return a topic for each answered question, with the conversation before the question."""
    first: dict[str, SystemAnswer] = {}
    for each in answers:
        first.setdefault(each.topic, each)
    topics = []
    for topic, answer in sorted(first.items()):
        asked = answer.turns[-1].text if answer.turns else topic
        before = "\n".join(f"{turn.speaker}: {turn.text}" for turn in answer.turns[:-1])
        description = asked if len(asked) > _TITLE else ""
        topics.append(Topic(topic, asked[:_TITLE], description, before))
    return topics
