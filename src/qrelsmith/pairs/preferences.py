"""Preferences: the better of two docs for a topic, according to an assessor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.collection import frames
from qrelsmith.io.cells import times, whole_numbers
from qrelsmith.io.table_reading import Columns, TextTable, has_control
from qrelsmith.io.times import TimeArray
from qrelsmith.pairs.answers import Answers, Preference
from qrelsmith.pairs.outcomes import Sign, Way, logged_outcomes

__all__ = ["COLUMNS", "TOPIC_NAMES", "Preference", "Preferences", "preferences_of_table"]

COLUMNS = Columns(
    required=("topic", "left", "right", "outcome"),
    optional=("assessor", "round", "revision", "judged_at"),
    ids=("topic", "left", "right", "assessor"),
)
# Possible column names of a data frame, in the order of the text formats.
_WINNER_OF_TWO = ("topic", "winner", "loser")
_WINNER_NAMED = (("topic", "a", "b", "winner"), ("topic", "left", "right", "winner"))
TOPIC_NAMES = frozenset(("topic", "query_id", "qid"))


@dataclass(frozen=True, eq=False)
class Preferences(Answers):
    """Answers to pairs of docs and their withdrawals, in the order given.

    Attributes
    ----------
    topics, docs, assessors : tuple of str
        The distinct names, sorted; an unknown assessor is the empty string.
    topic, left, right, assessor : int array [answer]
        Positions in `topics`, `docs` (for left and right) and `assessors`.
    outcome : int array [answer]
        From −2 (left much better) over 0 (tie) to 2 (right much better); 0 for an undo.
    is_undo : bool array [answer]
        Whether the entry withdraws the assessor's answer to the pair.
    round, revision : int array [answer]
        0 if unknown.
    judged_at : datetime64 array [answer]
        Time in UTC; NaT if unknown.
    """

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[Any]]) -> Preferences:
        """Return preferences from rows with at least the first four fields of a `Preference`.

        Raises
        ------
        UsageError
            If an id is empty or has a control character, a doc is compared with itself, or an
            outcome is not −2, −1, 0, 1, 2 or None (an undo).
        """
        answers = []
        for row in rows:
            if not 4 <= len(row) <= len(Preference._fields):
                raise UsageError(
                    f"{quoted(row)} has {len(row)} cells; expected topic, left, right, "
                    f"outcome and optionally {', '.join(COLUMNS.optional)}"
                )
            answer = Preference(*row)
            names = (answer.topic, answer.left, answer.right)
            if "" in names or any(map(has_control, (*names, answer.assessor))):
                raise UsageError(
                    f"{quoted(row)} contains an empty id or a control character; expected neither"
                )
            if answer.left == answer.right or answer.outcome not in (-2, -1, 0, 1, 2, None):
                raise UsageError(
                    f"found {quoted(row)}; expected two different docs and an outcome from -2 to 2"
                )
            answers.append(answer)
        columns = list(zip(*answers, strict=True)) or [()] * len(Preference._fields)
        return _encode(*columns[:6], revisions=columns[6], judged_at=np.array(columns[7], _TIME))

    @classmethod
    def from_frame(
        cls, frame: Any, *, way: Way | None = None, sign: Sign = "negative-left", assessor: str = ""
    ) -> Preferences:
        """Return preferences from a data frame (pandas, polars, pyarrow) or a mapping of columns.

        The columns are those of a preferences file, or `topic, a, b, winner`, or `topic, winner,
        loser`; a topic may be called `query_id` or `qid`.

        Raises
        ------
        UsageError
            If a column is unknown or missing, or an id is not a string.
        InputError
            As in `read_preferences`, with row numbers instead of line numbers.
        """
        columns, written = _columns_by_name(frames.columns_of(frame))
        cells = {
            name: frames.id_cells(values, name)
            if name in ("topic", "left", "right")
            else [frames.cell_text(value) for value in values]
            for name, values in columns.items()
        }
        table = TextTable("preferences", cells, range(1, len(cells["topic"]) + 1))
        return preferences_of_table(table, way=written or way, sign=sign, assessor=assessor)

    @classmethod
    def from_dict(
        cls, answers: Mapping[str, Iterable[Sequence[Any]]], *, assessor: str = ""
    ) -> Preferences:
        """Return preferences from {topic: answers}, such as (winner, loser) or (a, b, outcome).

        Raises
        ------
        UsageError
            If an answer has another form.

        Examples
        --------
        >>> given = Preferences.from_dict({"t": [("a", "b"), ("c", "a", "tie"), ("b", "c", 1)]})
        >>> [row.outcome for row in given.rows()]
        [-1, 0, 1]
        """
        return cls.from_rows(
            _answer(topic, answer, assessor) for topic, of in answers.items() for answer in of
        )

    @classmethod
    def join(cls, parts: Sequence[Preferences]) -> Preferences:
        """Concatenate several logs."""
        if len(parts) == 1:
            return parts[0]
        return cls.from_rows(chain.from_iterable(part.rows() for part in parts))


_TIME = "datetime64[us]"


def preferences_of_table(
    table: TextTable, *, way: Way | None = None, sign: Sign = "negative-left", assessor: str = ""
) -> Preferences:
    """Return the preferences in the cells of a table; see `read_preferences`."""
    topics, lefts, rights, cells = (table.columns[name] for name in COLUMNS.required)
    pairs = list(zip(lefts, rights, strict=True))
    for (left, right), line in zip(pairs, table.lines, strict=True):
        if left == right:
            raise InputError(
                f"the doc {quoted(left)} is compared with itself; expected two docs",
                path=table.path,
                line=line,
            )
    numbers = {
        name: np.nan_to_num(
            whole_numbers(table.columns[name], table.lines, path=table.path, what=name)
        ).astype(np.int64)
        for name in ("round", "revision")
        if name in table.columns
    }
    outcomes = logged_outcomes(cells, pairs, table.lines, path=table.path, way=way, sign=sign)
    judged_at = table.columns.get("judged_at")
    return _encode(
        topics,
        lefts,
        rights,
        outcomes,
        [name or assessor for name in table.columns.get("assessor", [""] * len(table))],
        numbers.get("round"),
        revisions=numbers.get("revision"),
        judged_at=None
        if judged_at is None
        else times(judged_at, table.lines, path=table.path, what="judged_at"),
    )


def _columns_by_name(
    columns: Mapping[str, list[object]],
) -> tuple[dict[str, list[object]], Way | None]:
    """Return a DataFrame's columns under the names used in files, and the outcome notation."""
    named = {"topic" if name in TOPIC_NAMES else name: cells for name, cells in columns.items()}
    if len(named) < len(columns):
        raise UsageError(f"the columns are {', '.join(columns)}; expected one topic column")
    rest = set(named).difference(COLUMNS.optional)
    if rest == set(_WINNER_OF_TWO):
        better, worse = named.pop("winner"), named.pop("loser")
        return {**named, "left": better, "right": worse, "outcome": better}, "winner"
    for topic, left, right, outcome in _WINNER_NAMED:
        if rest == {topic, left, right, outcome}:
            lefts, rights, winners = named.pop(left), named.pop(right), named.pop(outcome)
            return {**named, "left": lefts, "right": rights, "outcome": winners}, "winner"
    if not set(COLUMNS.required) <= set(named) <= set(COLUMNS.names):
        raise UsageError(
            f"the columns are {', '.join(columns)}; {COLUMNS.expected}; or topic, a, b, winner; or"
            " topic, winner, loser"
        )
    return named, None


def _answer(topic: str, answer: Sequence[Any], assessor: str) -> Preference:
    """Parse an answer of a mapping: (better, other), or two docs and an outcome."""
    if len(answer) == 2:
        better, worse = answer
        return Preference(topic, better, worse, -1, assessor)
    if len(answer) == 3:
        left, right, outcome = answer
        if isinstance(outcome, str):
            words = {"tie": 0, left: -1, right: 1}
            if outcome not in words:
                raise UsageError(
                    f"{quoted(answer)} of topic {quoted(topic)}: the winner is {quoted(outcome)};"
                    " expected one of the two docs, or 'tie'"
                )
            outcome = words[outcome]
        return Preference(topic, left, right, outcome, assessor)
    raise UsageError(
        f"{quoted(answer)} of topic {quoted(topic)} has {len(answer)} parts; expected (winner,"
        " loser), (a, b, winner) or (a, b, outcome)"
    )


def _encode(
    topics: Sequence[str],
    lefts: Sequence[str],
    rights: Sequence[str],
    outcomes: Sequence[int | None],
    assessors: Sequence[str],
    rounds: Sequence[int] | IntArray | None,
    *,
    revisions: Sequence[int] | IntArray | None,
    judged_at: TimeArray | None,
) -> Preferences:
    count = len(topics)
    topic_names, topic = _places(topics)
    doc_names, doc = _places([*lefts, *rights])
    assessor_names, assessor = _places(assessors)
    unknown = np.zeros(count, dtype=np.int64)
    return Preferences(
        topics=topic_names,
        docs=doc_names,
        assessors=assessor_names,
        topic=topic,
        left=doc[:count],
        right=doc[count:],
        outcome=np.array([outcome or 0 for outcome in outcomes], dtype=np.int64),
        is_undo=np.array([outcome is None for outcome in outcomes], dtype=np.bool_),
        assessor=assessor,
        round=unknown if rounds is None else np.array(rounds, dtype=np.int64),
        revision=unknown if revisions is None else np.array(revisions, dtype=np.int64),
        judged_at=np.full(count, "NaT", dtype=_TIME) if judged_at is None else judged_at,
    )


def _places(names: Sequence[str]) -> tuple[tuple[str, ...], IntArray]:
    """Return the sorted distinct names, and the index of each name."""
    distinct = tuple(sorted(set(names)))
    place = {name: code for code, name in enumerate(distinct)}
    return distinct, np.fromiter((place[name] for name in names), np.int64, len(names))
