"""A set of topics by their ids, to which a command is restricted."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import TYPE_CHECKING

from qrelsmith.base.errors import InputError, InputWarning, quoted
from qrelsmith.collection.qrels import Qrels
from qrelsmith.io.text import FilePath, data_lines, decode_fields, read_bytes

if TYPE_CHECKING:
    from qrelsmith.judgments.judgment_events import Judgments


def read_topic_set(path: FilePath) -> tuple[str, ...]:
    """Return the topics that a file names, one per line; the text after a blank is ignored.

    A file of topics (`topic title`) or of qrels can therefore be used as well.

    Raises
    ------
    InputError
        If the file names no topic.
    """
    topics = read_names(path, what="topic")
    if not topics:
        raise InputError("the file has no topics; expected one per line", path=path)
    return topics


def read_names(path: FilePath, *, what: str = "name") -> tuple[str, ...]:
    """Return the names in a file, one per line, without repeats; text after a blank is ignored."""
    numbers, lines = data_lines(read_bytes(path), path=path)
    names = [line.split(maxsplit=1)[0] for line in lines]
    return tuple(dict.fromkeys(decode_fields(names, numbers, path=path, what=what)))


def restrict_qrels(qrels: Qrels, topics: tuple[str, ...], *, path: FilePath) -> Qrels:
    """Return the qrels of a set of topics.

    Raises
    ------
    InputError
        If none of the topics has a judgment.
    """
    _check_known(topics, qrels.topic_index, f"the qrels {quoted(qrels.name)}", path=path)
    return qrels.restricted_to(topics)


def restricted_judgments(
    judgments: Judgments, topics: tuple[str, ...], *, path: FilePath
) -> Judgments:
    """Return the judgments of a set of topics.

    Raises
    ------
    InputError
        If none of the topics has a judgment.
    """
    _check_known(topics, judgments.topics, "the judgments", path=path)
    return judgments.restricted_to(topics=topics)


def _check_known(
    topics: tuple[str, ...], known: Collection[str], what: str, *, path: FilePath
) -> None:
    """Warn about unknown topics, or raise an error if all topics are unknown."""
    names = set(known)
    lacking = [topic for topic in topics if topic not in names]
    if len(lacking) == len(topics):
        raise InputError(f"none of the topics is in {what}; expected at least one", path=path)
    if lacking:
        warnings.warn(
            f"{path}: {len(lacking)} of {len(topics)} topics are not in {what} (first: "
            f"{quoted(lacking[0])}) and are ignored",
            InputWarning,
            stacklevel=3,
        )
