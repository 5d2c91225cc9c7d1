"""The topics on which label sets are compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.base.scales import Gains
from qrelsmith.collection.qrels import Qrels, stem
from qrelsmith.io.given_values import id_text
from qrelsmith.judgments.topic_set import read_topic_set

Common = Literal["pair", "all"]
Empty = Literal["zero", "drop"]
# A file, topics, or several of these by name.
TopicSets: TypeAlias = Any

ALL = "all"
"""The name of all topics among the sets of topics."""
_CHOSEN = "chosen"  # name of an unnamed set of topics
_SHOWN = 20  # most topics that a note lists


@dataclass(frozen=True, slots=True)
class TopicSet:
    """A named set of topics.

    Attributes
    ----------
    name : str
        The name of the set, as tables show it.
    topics : frozenset of str
        The topics.
    path : path or None
        The file of the set, for errors.
    """

    name: str
    topics: frozenset[str]
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class CommonTopics:
    """The topics used when label sets are compared.

    Attributes
    ----------
    known : mapping of str to frozenset of str
        The topics used in each label set.
    common : {'pairs', 'all'}
        `pairs`: two compared label sets use their common topics. `all`: every comparison uses the
        topics that all label sets have.
    chosen : tuple of TopicSet
        The topic sets to analyse separately; empty: all topics.
    """

    known: Mapping[str, frozenset[str]]
    common: Common = "pair"
    chosen: tuple[TopicSet, ...] = ()

    @property
    def set_names(self) -> tuple[str, ...]:
        """The names of the topic sets."""
        return tuple(each.name for each in self.chosen) or (ALL,)

    def of(self, *names: str, topic_set: str = ALL) -> tuple[str, ...]:
        """Return the sorted topics on which the label sets are compared; there may be none."""
        compared = self.known if self.common == "all" else names
        shared = frozenset.intersection(*(self.known[name] for name in compared))
        for each in self.chosen:
            if each.name == topic_set:
                shared &= each.topics
        return tuple(sorted(shared))

    def notes(self) -> list[str]:
        """Return notes on unused topics: one sentence per label set, or one for all label sets."""
        every = frozenset().union(*self.known.values())
        if self.common == "all":
            dropped = sorted(every - frozenset.intersection(*self.known.values()))
            notes = [f"topics left out because not all label sets have them: {topic_list(dropped)}"]
            return notes if dropped else []
        return [
            f"topics left out of comparisons with {name}, which lacks them: {topic_list(lacking)}"
            for name, topics in self.known.items()
            if (lacking := sorted(every - topics))
        ]

    def check(self) -> list[str]:
        """Check the topic sets, and return notes on their unused topics.

        Raises
        ------
        InputError
            If a topic set has no usable topic, or no topic is in all label sets.
        """
        if self.common == "all" and not self.of(*self.known):
            raise InputError("no topic is in all label sets; expected at least one in common")
        every = frozenset().union(*self.known.values())
        if self.common == "all":
            every = frozenset.intersection(*self.known.values())
        notes = []
        for each in self.chosen:
            if not each.topics & every:
                problem = "none of the set's topics is in two label sets"
                raise InputError(problem, path=each.path or "topic_set")
            if lacking := sorted(each.topics - every):
                notes.append(f"topics of {each.name} that are left out: {topic_list(lacking)}")
        return notes


def topic_sets_of(source: TopicSets) -> tuple[TopicSet, ...]:
    """Return topic sets from None, a file, topics, or a mapping of names to files or topics.

    Raises
    ------
    InputError
        If a file names no topic.
    UsageError
        If there is no topic, or a topic id is not a string.
    """
    if source is None:
        return ()
    if isinstance(source, Mapping):
        return tuple(_topic_set(str(name), each) for name, each in source.items())
    name = stem(source) if isinstance(source, str | PathLike) else _CHOSEN
    return (_topic_set(name, source),)


def _topic_set(name: str, source: str | PathLike[str] | Collection[str]) -> TopicSet:
    if isinstance(source, str | PathLike):
        return TopicSet(name, frozenset(read_topic_set(source)), Path(source))
    topics = tuple(id_text(topic, "topic") for topic in source)
    if not topics:
        raise UsageError("the topic set is empty; expected topics, or None for all")
    return TopicSet(name, frozenset(topics))


def without_relevant(
    label_sets: Mapping[str, Qrels], topics: Collection[str], gains: Gains | None = None
) -> dict[str, tuple[str, ...]]:
    """Return, for each label set, the topics in which no doc has a gain above 0."""
    by_label_set = {}
    for name, qrels in label_sets.items():
        worth = qrels.grade if gains is None else gains.of(qrels.grade)
        relevant = {qrels.topics[place] for place in set(qrels.topic[worth > 0].tolist())}
        lacking = tuple(sorted(set(topics) - relevant))
        if lacking:
            by_label_set[name] = lacking
    return by_label_set


def topic_list(topics: Sequence[str]) -> str:
    """Return the number of topics, and the names of the first few."""
    more = ", …" if len(topics) > _SHOWN else ""
    return f"{len(topics)} ({', '.join(topics[:_SHOWN])}{more})"
