"""Pairs, docs and aspects with known answers, for training and attention checks.

`training_pairs.csv` has the columns `topic,left,right,answer` and optionally `feedback`; the
answer is `left`, `right` or `tie`. `training_docs.csv` and `challenge_docs.csv` have
`topic,doc,lowest,highest` and `feedback`: every grade from the lowest to the highest is correct.
`challenge_aspects.csv` has `topic,run,aspect,lowest,highest`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io import cells
from qrelsmith.io.table_reading import Columns, TextTable, read_table
from qrelsmith.io.text import FilePath

TRAINING_PAIRS = "training_pairs.csv"
TRAINING_DOCS = "training_docs.csv"
CHALLENGE_DOCS = "challenge_docs.csv"
CHALLENGE_ASPECTS = "challenge_aspects.csv"
ANSWERS = ("left", "right", "tie")
_PAIRS = Columns(
    required=("topic", "left", "right", "answer"),
    optional=("feedback",),
    ids=("topic", "left", "right"),
)
_DOCS, _ASPECTS = ("topic", "doc"), ("topic", "run", "aspect")


@dataclass(frozen=True, slots=True)
class KnownPair:
    """A pair with a known better doc.

    Attributes
    ----------
    topic, left, right : str
        The topic, and the docs shown on the left and on the right.
    answer : str
        One of `ANSWERS`.
    feedback : str
        Explanation for trainees.
    """

    topic: str
    left: str
    right: str
    answer: str
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class KnownDoc:
    """A doc with a known range of grades.

    Attributes
    ----------
    lowest, highest : float
        The range of correct grades.
    feedback : str
        Explanation for trainees.
    """

    topic: str
    doc: str
    lowest: float
    highest: float
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class KnownAspect:
    """An aspect of a run's answer with a known range of grades."""

    topic: str
    run: str
    aspect: str
    lowest: float
    highest: float


def read_known_pairs(path: FilePath) -> tuple[KnownPair, ...]:
    """Read pairs with their answers, in the order of the file.

    Raises
    ------
    InputError
        If a column is missing, an answer is invalid, a doc is compared with itself, or a pair
        appears twice.
    """
    table = read_table(path, _PAIRS)
    feedback = table.columns.get("feedback", [""] * len(table))
    names = ("topic", "left", "right", "answer")
    pairs: list[KnownPair] = []
    for *row, words in zip(*(table.columns[name] for name in names), feedback, strict=True):
        topic, left, right, answer = row
        line = table.lines[len(pairs)]
        if answer not in ANSWERS:
            expected = f"expected one of {', '.join(ANSWERS)}"
            raise InputError(f"the answer is {quoted(answer)}; {expected}", path=path, line=line)
        if left == right:
            raise InputError(
                f"the doc {quoted(left)} is compared with itself", path=path, line=line
            )
        pairs.append(KnownPair(topic, left, right, answer, words))
    _check_once([(pair.topic, *sorted((pair.left, pair.right))) for pair in pairs], table)
    return tuple(pairs)


def read_known_docs(path: FilePath) -> tuple[KnownDoc, ...]:
    """Read docs with their grades, in the order of the file.

    Raises
    ------
    InputError
        If a column is missing, a grade is not a number of at least 0, a range is empty, or a doc of
        a topic appears twice.
    """
    return tuple(
        KnownDoc(topic, doc, lowest, highest, feedback)
        for (topic, doc), lowest, highest, feedback in _read_ranges(path, _DOCS)
    )


def read_known_aspects(path: FilePath) -> tuple[KnownAspect, ...]:
    """Read aspects of answers with their grades, in the order of the file.

    Raises
    ------
    InputError
        As for docs.
    """
    return tuple(
        KnownAspect(topic, run, aspect, lowest, highest)
        for (topic, run, aspect), lowest, highest, _ in _read_ranges(path, _ASPECTS)
    )


def _read_ranges(
    path: FilePath, key: tuple[str, ...]
) -> list[tuple[tuple[str, ...], float, float, str]]:
    """Return the key, the lowest and highest grade, and the feedback of each row."""
    columns = Columns(required=(*key, "lowest", "highest"), optional=("feedback",), ids=key)
    table = read_table(path, columns)
    feedback = table.columns.get("feedback", [""] * len(table))
    lowest, highest = (
        cells.grades(table.columns[name], table.lines, path=path, what=name).tolist()
        for name in ("lowest", "highest")
    )
    for line, low, high in zip(table.lines, lowest, highest, strict=True):
        if not 0 <= low <= high:
            problem = f"lowest is {low:g}, highest {high:g}; expected a range of grades"
            raise InputError(problem, path=path, line=line)
    keys = list(zip(*(table.columns[name] for name in key), strict=True))
    _check_once(keys, table)
    return list(zip(keys, lowest, highest, feedback, strict=True))


def _check_once(keys: Sequence[tuple[str, ...]], table: TextTable) -> None:
    seen: dict[tuple[str, ...], int] = {}
    for key, line in zip(keys, table.lines, strict=True):
        first = seen.setdefault(key, line)
        if first != line:
            problem = f"{' '.join(key)} is also on line {first}; expected it once"
            raise InputError(problem, path=table.path, line=line)
