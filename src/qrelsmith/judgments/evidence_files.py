"""Passages of labels and verdicts of adjudicators, as the judging app exports them.

They are `passages.csv` and `adjudications.csv` in a campaign's folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qrelsmith.io import cells
from qrelsmith.io.table_reading import Columns, read_table
from qrelsmith.io.text import FilePath

PASSAGES, ADJUDICATIONS = "passages.csv", "adjudications.csv"
_PASSAGE = Columns(
    required=("topic", "doc", "assessor", "start", "quote", "text_sha256"),
    optional=("group", "round", "grade", "sha256"),
    ids=("topic", "doc", "assessor"),
)
_VERDICT = Columns(
    required=("topic", "doc", "grade"),
    optional=("by", "blind", "revision", "reason", "decided_at"),
    ids=("topic", "doc"),
)


@dataclass(frozen=True, slots=True)
class MarkedPassage:
    """A passage that an assessor marked in a doc of a topic.

    Attributes
    ----------
    topic, doc, assessor, group, text : str
        Where, by whom, and the digest of the text in which it stands.
    start, length : int
        Its place in the text and its length, in characters.
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
    """A verdict on a doc of a topic.

    Attributes
    ----------
    topic, doc : str
        The doc.
    grade : float
        Its label, or a code below 0.
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


def read_passages(folder: FilePath) -> tuple[MarkedPassage, ...]:
    """The passages of the first round in a campaign's folder; none where there is no file.

    Raises
    ------
    InputError
        If the file is not as it should be.
    """
    path = Path(folder) / PASSAGES
    if not path.is_file():
        return ()
    table = read_table(path, _PASSAGE)
    starts = cells.whole_numbers(table.columns["start"], table.lines, path=path, what="start")
    empty = [""] * len(table)
    names = ("topic", "doc", "assessor", "group", "text_sha256", "quote", "round")
    rows = zip(*(table.columns.get(name, empty) for name in names), starts.tolist(), strict=True)
    return tuple(
        MarkedPassage(topic, doc, assessor, group, text, int(start), len(quote))
        for topic, doc, assessor, group, text, quote, round_, start in rows
        if round_ in ("", "1")
    )


def read_adjudications(folder: FilePath) -> tuple[Adjudication, ...]:
    """The verdicts in a campaign's folder; none where there is no file.

    Raises
    ------
    InputError
        If the file is not as it should be.
    """
    path = Path(folder) / ADJUDICATIONS
    if not path.is_file():
        return ()
    table = read_table(path, _VERDICT)
    grades = cells.grades(table.columns["grade"], table.lines, path=path)
    empty = [""] * len(table)
    names = ("topic", "doc", "by", "blind")
    rows = zip(*(table.columns.get(name, empty) for name in names), grades.tolist(), strict=True)
    return tuple(
        Adjudication(topic, doc, grade, by, blind == "yes") for topic, doc, by, blind, grade in rows
    )
