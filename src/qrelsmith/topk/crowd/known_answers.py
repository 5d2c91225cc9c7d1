"""Pairs and docs with known answers, for training and attention checks.

`training_pairs.csv` has the columns `topic,left,right,answer` and optionally `feedback`; the
answer is `left`, `right` or `tie`. `training_docs.csv` and `challenge_docs.csv` have
`topic,doc,lowest,highest` and `feedback`: every grade from the lowest to the highest is correct.
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
ANSWERS = ("left", "right", "tie")
_PAIRS = Columns(
    required=("topic", "left", "right", "answer"),
    optional=("feedback",),
    ids=("topic", "left", "right"),
)
_DOCS = Columns(
    required=("topic", "doc", "lowest", "highest"), optional=("feedback",), ids=("topic", "doc")
)


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
    table = read_table(path, _DOCS)
    feedback = table.columns.get("feedback", [""] * len(table))
    lowest, highest = (
        cells.grades(table.columns[name], table.lines, path=path, what=name).tolist()
        for name in ("lowest", "highest")
    )
    docs: list[KnownDoc] = []
    rows = zip(table.columns["topic"], table.columns["doc"], lowest, highest, feedback, strict=True)
    for row in rows:
        doc = KnownDoc(*row)
        if not 0 <= doc.lowest <= doc.highest:
            problem = (
                f"lowest is {doc.lowest:g}, highest {doc.highest:g}; expected a range of grades"
            )
            raise InputError(problem, path=path, line=table.lines[len(docs)])
        docs.append(doc)
    _check_once([(doc.topic, doc.doc) for doc in docs], table)
    return tuple(docs)


def _check_once(keys: Sequence[tuple[str, ...]], table: TextTable) -> None:
    seen: dict[tuple[str, ...], int] = {}
    for key, line in zip(keys, table.lines, strict=True):
        first = seen.setdefault(key, line)
        if first != line:
            problem = f"{' '.join(key)} is also on line {first}; expected it once"
            raise InputError(problem, path=table.path, line=line)
