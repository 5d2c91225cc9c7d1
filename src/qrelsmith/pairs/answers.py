"""Answers to pairs of docs, as in a log.

Answers and undos are in the order in which they were given. `current()` returns the current
answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from qrelsmith.base.arrays import BoolArray, IntArray
from qrelsmith.collection import frames
from qrelsmith.io.content_digest import content_digest
from qrelsmith.io.times import TimeArray, time_texts
from qrelsmith.pairs.outcomes import UNDO
from qrelsmith.pairs.standing import standing


class Preference(NamedTuple):
    """An answer, or its withdrawal.

    Attributes
    ----------
    topic, left, right : str
        The topic and the two docs.
    outcome : int or None
        From −2 (left much better) over 0 (tie) to 2 (right much better); None: withdrawal of the
        assessor's previous answer to the pair.
    assessor : str
        The assessor; empty if unknown.
    round : int
        The round of judging; 0 if unknown.
    revision : int
        The highest revision of an assessor's answers to a pair in a round counts; 0 if only the
        order determines the newest answer.
    judged_at : numpy.datetime64 or None
        Time of the answer in UTC; None if unknown.
    """

    topic: str
    left: str
    right: str
    outcome: int | None
    assessor: str = ""
    round: int = 0
    revision: int = 0
    judged_at: np.datetime64 | None = None


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers as arrays, created by `Preferences`, which documents the arrays."""

    topics: tuple[str, ...]
    docs: tuple[str, ...]
    assessors: tuple[str, ...]
    topic: IntArray
    left: IntArray
    right: IntArray
    outcome: IntArray
    is_undo: BoolArray
    assessor: IntArray
    round: IntArray
    revision: IntArray
    judged_at: TimeArray

    def __len__(self) -> int:
        return len(self.outcome)

    def digest(self) -> str:
        """Return the SHA-256 of all answers in their order."""
        return content_digest(self.columns())

    def rows(self) -> Iterator[Preference]:
        """Yield every answer and undo, in order."""
        columns = (
            *self._names(),
            [None if undo else outcome for outcome, undo in zip(
                self.outcome.tolist(), self.is_undo.tolist(), strict=True)],
            [self.assessors[place] for place in self.assessor.tolist()],
            self.round.tolist(),
            self.revision.tolist(),
            [None if unknown else time for time, unknown in zip(
                self.judged_at, np.isnat(self.judged_at).tolist(), strict=True)],
        )  # fmt: skip
        return map(Preference, *columns)

    def current(self) -> Self:
        """Return the current answers, sorted by topic, left, right, assessor, outcome and round.

        Later answers replace earlier answers, and undos withdraw answers, as described in
        `standing`. If answers have revisions, the highest revision counts as the last answer.
        """
        return self._current

    @cached_property
    def _current(self) -> Self:
        # An answer without a revision is newer than those before it.
        known = np.maximum.accumulate(self.revision) if len(self) else self.revision
        in_time = np.argsort(np.where(self.revision > 0, self.revision, known), kind="stable")
        rows = list(self._take(in_time).rows())
        kept = in_time[np.array(standing(row[:6] for row in rows), dtype=np.int64)]
        order = np.lexsort(
            [column[kept] for column in (
                self.round, self.outcome, self.assessor, self.right, self.left, self.topic)]
        )  # fmt: skip
        return self._take(kept[order])

    @property
    def note(self) -> str:
        """Return a sentence with the number of superseded answers; empty without such answers."""
        undos = int(self.is_undo.sum())
        gone = len(self) - undos - len(self.current())
        if not (gone or undos):
            return ""
        return (
            f"preferences ignored because a later answer replaces them or an undo withdraws them:"
            f" {gone} (undos: {undos})"
        )

    def restricted_to(self, topics: Collection[str]) -> Self:
        """Return the answers of the given topics; topics without answers are ignored."""
        wanted = set(topics)
        kept = np.array([topic in wanted for topic in self.topics], dtype=np.bool_)
        return self._take(np.flatnonzero(kept[self.topic]))

    def to_pandas(self) -> Any:
        """Return a pandas data frame with the columns of a preferences file.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        return frames.pandas_frame(self.columns())

    def to_polars(self) -> Any:
        """Return a polars data frame; see `to_pandas`."""
        return frames.polars_frame(self.columns())

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns of a log; empty columns are left out, except the column assessor."""
        topics, lefts, rights = self._names()
        outcome: list[Any] = self.outcome.tolist()
        for place in np.flatnonzero(self.is_undo).tolist():
            outcome[place] = UNDO
        columns: dict[str, list[Any]] = {
            "topic": topics,
            "left": lefts,
            "right": rights,
            "outcome": outcome if not self.is_undo.any() else list(map(str, outcome)),
            "assessor": [self.assessors[place] for place in self.assessor.tolist()],
        }
        for name, values in (("round", self.round), ("revision", self.revision)):
            if values.any():
                columns[name] = values.tolist()
        if not np.isnat(self.judged_at).all():
            columns["judged_at"] = list(time_texts(self.judged_at))
        return columns

    def _names(self) -> tuple[list[str], list[str], list[str]]:
        return (
            [self.topics[place] for place in self.topic.tolist()],
            [self.docs[place] for place in self.left.tolist()],
            [self.docs[place] for place in self.right.tolist()],
        )

    def _take(self, places: IntArray) -> Self:
        """Return the answers at the given indices, without unused names."""
        topics, topic = _used_names(self.topics, self.topic[places])
        docs, doc = _used_names(self.docs, np.concatenate([self.left[places], self.right[places]]))
        assessors, assessor = _used_names(self.assessors, self.assessor[places])
        return type(self)(
            topics=topics,
            docs=docs,
            assessors=assessors,
            topic=topic,
            left=doc[: len(places)],
            right=doc[len(places) :],
            outcome=self.outcome[places],
            is_undo=self.is_undo[places],
            assessor=assessor,
            round=self.round[places],
            revision=self.revision[places],
            judged_at=self.judged_at[places],
        )


def _used_names(names: Sequence[str], codes: IntArray) -> tuple[tuple[str, ...], IntArray]:
    """Return the used names, and indices into them."""
    used, places = np.unique(codes, return_inverse=True)
    return tuple(names[code] for code in used.tolist()), places.astype(np.int64)
