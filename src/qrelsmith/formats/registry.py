"""The formats in which programs hold qrels, runs, topics, docs and judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.registry import REQUIRED, Registry
from qrelsmith.collection.document import Document
from qrelsmith.collection.topics import Topic
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.text import FilePath

# Qrels, a tuple of runs, a tuple of topics, docs one after the other, Judgments, answers, aspects.
Content = Any


@dataclass(frozen=True)
class Texts:
    """Texts of topics and docs, for formats that hold these in place of ids.

    Attributes
    ----------
    topics : mapping of str to Topic
        The topics by id; empty where none were given.
    documents : mapping of str to Document
        The docs by id; empty where none were given.
    """

    topics: Mapping[str, Topic] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)

    @classmethod
    def of(cls, topics: Iterable[Topic], documents: Iterable[Document]) -> Texts:
        """Texts by the ids of what they are of."""
        return cls({topic.topic: topic for topic in topics}, {doc.doc_id: doc for doc in documents})

    def title(self, topic: str) -> str:
        """Return the words of a topic; without topics its id.

        Raises
        ------
        UsageError
            If there are topics, and not this one.
        """
        if not self.topics:
            return topic
        if topic not in self.topics:
            raise UsageError(
                f"the topic {quoted(topic)} has no title; expected one for every topic"
            )
        return self.topics[topic].title

    def ids_of_words(self) -> dict[str, dict[str, str]]:
        """Return the ids of topics and docs by their words, for forms that hold words."""
        titles = [(topic.title, topic.topic) for topic in self.topics.values()]
        texts = [(doc.content, doc.doc_id) for doc in self.documents.values()]
        return {"topic": _by_words(titles), "doc": _by_words(texts)}


class FileFormat(Protocol):
    """A writer."""

    def write(self, content: Content, path: FilePath, kind: Kind, texts: Texts) -> str:
        """Write a file, and say in a sentence what it does not hold; empty if it holds all."""


# Of a format `kinds` says what it can hold; one that cannot hold qrels holds them as judgments of
# one assessor, and the other way round. `about` is its documentation.
FILE_FORMATS: Registry[Callable[[], FileFormat]] = Registry(
    "file format", facts={"kinds": REQUIRED, "about": REQUIRED}
)


def resolve_kind(name: str, kind: Kind) -> Kind:
    """Return the kind as which a format holds a content.

    Raises
    ------
    UsageError
        If it does not hold it at all.
    """
    kinds: tuple[Kind, ...] = FILE_FORMATS.get(name).entry.about["kinds"]
    if kind in kinds:
        return kind
    other: dict[Kind, Kind] = {"qrels": "judgments", "judgments": "qrels"}
    if other.get(kind) in kinds:
        return other[kind]
    raise UsageError(f"{name} contains no {kind}; expected {', '.join(kinds)}")


def _by_words(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Ids by their words; words of several are of none."""
    found: dict[str, str] = {}
    for words, name in pairs:
        found[words] = "" if words in found else name
    return found
