"""A set of topics from a file or a collection of ids, and the labels of these topics."""

from __future__ import annotations

from collections.abc import Collection
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from qrelsmith.base.errors import UsageError
from qrelsmith.collection.qrels import Qrels
from qrelsmith.io.text import FilePath

if TYPE_CHECKING:
    from qrelsmith.judgments.judgment_events import Judgments

TopicSet: TypeAlias = FilePath | Collection[str]

Labels = TypeVar("Labels", bound="Qrels | Judgments")


def topics_of(source: TopicSet | None) -> tuple[str, ...] | None:
    """Return a set of topics from a file or a collection of ids; None stands for all topics.

    Raises
    ------
    InputError
        If the file names no topic.
    UsageError
        If a collection is empty, or an id is not text.
    """
    if source is None:
        return None
    if isinstance(source, str | PathLike):
        from qrelsmith.judgments.topic_set import read_topic_set

        return read_topic_set(source)
    from qrelsmith.collection.frames import id_cells

    topics = tuple(dict.fromkeys(id_cells(list(source), "topic_set")))
    if not topics:
        raise UsageError("the topic set is empty; expected topics, or None for all")
    return topics


def of_topics(labels: Labels, topic_set: TopicSet | None) -> Labels:
    """Return labels of a set of topics.

    Raises
    ------
    InputError
        If none of the topics has a label.
    """
    topics = topics_of(topic_set)
    if topics is None:
        return labels
    from qrelsmith.judgments.topic_set import restrict_qrels, restricted_judgments

    path = topic_set if isinstance(topic_set, str | PathLike) else "topic_set"
    if isinstance(labels, Qrels):
        return restrict_qrels(labels, topics, path=path)  # type: ignore[return-value]
    return restricted_judgments(labels, topics, path=path)  # type: ignore[return-value]
