"""Passages of labels and decisions of adjudicators, as exported by the judging app.

The files are `passages.csv`, `adjudications.csv` and `pair_adjudications.csv` in a campaign's
folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.items import item_key
from qrelsmith.io import cells
from qrelsmith.io.table_reading import Columns, read_table
from qrelsmith.io.text import FilePath

PASSAGES, ADJUDICATIONS = "passages.csv", "adjudications.csv"
_OUTCOMES = ("-2", "-1", "0", "1", "2")
PAIR_ADJUDICATIONS = "pair_adjudications.csv"
_PASSAGE = Columns(
    required=("topic", "doc", "assessor", "start", "quote", "text_sha256"),
    optional=("aspect", "group", "round", "grade", "sha256"),
    ids=("topic", "doc", "aspect", "assessor"),
)
_VERDICT = Columns(
    required=("topic", "doc", "grade"),
    optional=("aspect", "by", "blind", "revision", "reason", "decided_at"),
    ids=("topic", "doc", "aspect"),
)


_PAIR_VERDICT = Columns(
    required=("topic", "left", "right", "before", "after", "outcome"),
    optional=("by", "blind", "revision", "reason", "opened_at", "decided_at"),
    ids=("topic", "left", "right"),
)


@dataclass(frozen=True, slots=True)
class MarkedPassage:
    """A passage that an assessor marked in a doc of a topic, or for an aspect of an answer.

    Attributes
    ----------
    topic, doc, assessor, group, text : str
        The location and the author, and the digest of the text that contains the passage. For an
        aspect, `doc` is the key of the run and the aspect (`base.items`).
    start, length : int
        The position in the text and the length, in characters.
    """

    topic: str
    doc: str
    assessor: str
    group: str
    text: str
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A decision on a doc of a topic, or on an aspect of an answer.

    Attributes
    ----------
    topic, doc : str
        The doc; for an aspect, the key of answer and aspect (`base.items`).
    grade : float
        The label of the doc, or a code below 0.
    by : str
        The adjudicator.
    blind : bool
        Whether the adjudicator had not seen the labels.
    """

    topic: str
    doc: str
    grade: float
    by: str
    blind: bool


@dataclass(frozen=True, slots=True)
class PairAdjudication:
    """A pair with contradictory answers of assessors, discussed or decided.

    Attributes
    ----------
    topic, left, right : str
        The pair.
    before, after : tuple of int
        The assessors' answers before the discussion, and now, from −2 (left is much better) to 2,
        ascending.
    outcome : int or None
        The decision; None if there is no decision.
    by : str
        The adjudicator.
    blind : bool
        Whether the adjudicator had not seen the answers.
    discussed : bool
        Whether the assessors were asked to discuss the pair.
    """

    topic: str
    left: str
    right: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    outcome: int | None
    by: str
    blind: bool
    discussed: bool


def read_passages(folder: FilePath) -> tuple[MarkedPassage, ...]:
    """Return the passages of the first round in a campaign's folder; empty without a file.

    Raises
    ------
    InputError
        If the file is malformed.
    """
    path = Path(folder) / PASSAGES
    if not path.is_file():
        return ()
    table = read_table(path, _PASSAGE)
    starts = cells.whole_numbers(table.columns["start"], table.lines, path=path, what="start")
    empty = [""] * len(table)
    names = ("topic", "doc", "aspect", "assessor", "group", "text_sha256", "quote", "round")
    rows = zip(*(table.columns.get(name, empty) for name in names), starts.tolist(), strict=True)
    return tuple(
        MarkedPassage(topic, item_key(doc, aspect), assessor, group, text, int(start), len(quote))
        for topic, doc, aspect, assessor, group, text, quote, round_, start in rows
        if round_ in ("", "1")
    )


def read_adjudications(folder: FilePath) -> tuple[Adjudication, ...]:
    """Return the decisions in a campaign's folder; empty without a file.

    Raises
    ------
    InputError
        If the file is malformed.
    """
    path = Path(folder) / ADJUDICATIONS
    if not path.is_file():
        return ()
    table = read_table(path, _VERDICT)
    grades = cells.grades(table.columns["grade"], table.lines, path=path)
    empty = [""] * len(table)
    names = ("topic", "doc", "aspect", "by", "blind")
    rows = zip(*(table.columns.get(name, empty) for name in names), grades.tolist(), strict=True)
    return tuple(
        Adjudication(topic, item_key(doc, aspect), grade, by, blind == "yes")
        for topic, doc, aspect, by, blind, grade in rows
    )


def read_pair_adjudications(folder: FilePath) -> tuple[PairAdjudication, ...]:
    """Return the pairs that were discussed or decided; empty without a file.

    Raises
    ------
    InputError
        If the file is malformed.
    """
    path = Path(folder) / PAIR_ADJUDICATIONS
    if not path.is_file():
        return ()
    table = read_table(path, _PAIR_VERDICT)
    empty = [""] * len(table)
    names = (*_PAIR_VERDICT.required, "by", "blind", "opened_at")
    rows = zip(*(table.columns.get(name, empty) for name in names), table.lines, strict=True)
    return tuple(
        PairAdjudication(
            topic,
            left,
            right,
            before=_outcomes(before, path, int(line), "before"),
            after=_outcomes(after, path, int(line), "after"),
            outcome=next(iter(_outcomes(outcome, path, int(line), "outcome")), None),
            by=by,
            blind=blind == "yes",
            discussed=bool(opened),
        )
        for topic, left, right, before, after, outcome, by, blind, opened, line in rows
    )


def _outcomes(text: str, path: Path, line: int, column: str) -> tuple[int, ...]:
    """Return the outcomes of a pair, which are separated by blanks."""
    words = text.split()
    if any(word not in _OUTCOMES for word in words):
        raise InputError(
            f"{column} is {quoted(text)}; expected whole numbers from -2 to 2", path=path, line=line
        )
    return tuple(map(int, words))
