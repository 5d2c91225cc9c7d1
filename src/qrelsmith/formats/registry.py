"""The registry of formats for qrels, runs, topics, docs and judgments."""

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

# Qrels, a tuple of runs, a tuple of topics, an iterable of docs, Judgments, answers, aspects.
Content = Any


@dataclass(frozen=True)
class Texts:
    """Texts of topics and docs, for formats that have texts in place of ids.

    Attributes
    ----------
    topics : mapping of str to Topic
        The topics by id; empty if none were given.
    documents : mapping of str to Document
        The docs by id; empty if none were given.
    """

    topics: Mapping[str, Topic] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)

    @classmethod
    def of(cls, topics: Iterable[Topic], documents: Iterable[Document]) -> Texts:
        """Collect texts of topics and docs by their ids."""
        return cls({topic.topic: topic for topic in topics}, {doc.doc_id: doc for doc in documents})

    def title(self, topic: str) -> str:
        """Return the text of a topic, or its id if no topics were given.

        Raises
        ------
        UsageError
            If topics were given, but not this one.
        """
        if not self.topics:
            return topic
        if topic not in self.topics:
            raise UsageError(
                f"the topic {quoted(topic)} has no title; expected one for every topic"
            )
        return self.topics[topic].title

    def ids_of_words(self) -> dict[str, dict[str, str]]:
        """Return the ids of topics and docs by their texts, for formats without ids."""
        titles = [(topic.title, topic.topic) for topic in self.topics.values()]
        texts = [(doc.content, doc.doc_id) for doc in self.documents.values()]
        return {"topic": _by_words(titles), "doc": _by_words(texts)}


class FileFormat(Protocol):
    """A writer."""

    def write(self, content: Content, path: FilePath, kind: Kind, texts: Texts) -> str:
        """Write a file, and return a note on omitted content; empty if nothing is omitted."""


# The attribute `kinds` lists the supported contents. A format that does not support qrels writes
# them as judgments by one assessor, and vice versa. `about` is its documentation.
FILE_FORMATS: Registry[Callable[[], FileFormat]] = Registry(
    "file format", facts={"kinds": REQUIRED, "about": REQUIRED}
)


def resolve_kind(name: str, kind: Kind) -> Kind:
    """Return the given kind if a format supports it; otherwise swap qrels and judgments.

    Raises
    ------
    UsageError
        If the format does not support the content.
    """
    kinds: tuple[Kind, ...] = FILE_FORMATS.get(name).entry.about["kinds"]
    if kind in kinds:
        return kind
    other: dict[Kind, Kind] = {"qrels": "judgments", "judgments": "qrels"}
    if other.get(kind) in kinds:
        return other[kind]
    raise UsageError(f"{name} does not support {kind}; expected {', '.join(kinds)}")


def _by_words(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return ids by their texts, leaving out texts that belong to several ids."""
    found: dict[str, str] = {}
    for words, name in pairs:
        found[words] = "" if words in found else name
    return found
