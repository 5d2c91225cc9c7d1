"""Labels and runs as lines of text that are not TREC's: subtopics, LETOR, MS MARCO."""

from __future__ import annotations

import math
import re

from qrelsmith.forms.registry import FORMS, FormTable, Looked, form_table
from qrelsmith.io.numbers import finite_number

_LETOR = re.compile(r"(\S+)\s+qid:(\S+)\s[^#]*#\s*(?:docid\s*=\s*)?(\S+).*", re.IGNORECASE)


@FORMS.add(
    "ndeval", kinds=("qrels", "judgments"), about="https://trec.nist.gov/data/web/09/ndeval.c"
)
def subtopics(looked: Looked) -> FormTable | None:
    """Return `topic subtopic docno grade`; a doc's grade is its highest over the subtopics."""
    if not are_fields(_fields(looked.line)):
        return None
    rows = [_fields(line) for line in looked.text.split("\n")]
    rows = [row for row in rows if row and not row[0].startswith("#")]
    if not are_subtopics(rows):
        return None
    best: dict[tuple[str, str], tuple[float, str]] = {}
    for topic, _, doc, grade in rows:
        value = finite_number(grade.encode())
        best[topic, doc] = max(best.get((topic, doc), (value, grade)), (value, grade))
    found = [(topic, doc, grade) for (topic, doc), (_, grade) in best.items()]
    taken = {"topic": "1st field", "doc": "3rd field", "grade": "highest of the subtopics"}
    return form_table(looked, found, taken)


def _fields(line: str) -> list[str]:
    """The fields between ASCII's blanks, as TREC's readers split a line."""
    return [field.decode() for field in line.encode("utf-8", "replace").split()]


def are_subtopics(rows: list[list[str]]) -> bool:
    """Return whether fields are judgments of subtopics: a doc has several grades by them."""
    if not all(map(are_fields, rows)):
        return False
    first: dict[tuple[str, str], list[str]] = {}
    return any(
        before[1] != row[1] and finite_number(before[3].encode()) != finite_number(row[3].encode())
        for row in rows
        for before in (first.setdefault((row[0], row[2]), row),)
    )


def are_fields(row: list[str]) -> bool:
    """Return whether fields are four, the last a number."""
    return len(row) == 4 and not math.isnan(finite_number(row[3].encode()))


@FORMS.add(
    "letor",
    kinds=("qrels", "judgments"),
    about="https://www.microsoft.com/en-us/research/project/mslr/",
)
def letor(looked: Looked) -> FormTable | None:
    """Return `grade qid:TOPIC … # DOC`, as LETOR and Quepid write it."""
    if _LETOR.fullmatch(looked.line) is None:
        return None
    rows, lines, ignored = [], [], 0
    for number, line in enumerate(looked.text.split("\n"), start=1):
        match = _LETOR.fullmatch(line)
        if match is None:
            ignored += bool(line.strip()) and not line.startswith("#")
            continue
        rows.append((match[2], match[3], match[1]))
        lines.append(number)
    if ignored:
        return None
    taken = {"topic": "qid", "doc": "the comment", "grade": "1st field"}
    return form_table(looked, rows, taken, lines=lines)


@FORMS.add("msmarco", kinds=("runs",), about="https://microsoft.github.io/msmarco/")
def ms_marco_run(looked: Looked) -> FormTable | None:
    """Return `qid pid rank`, separated by tabs; the scores are the ranks below 0."""
    if not _is_ranked(looked.line.split("\t")):
        return None
    rows, lines = [], []
    for number, line in enumerate(looked.text.split("\n"), start=1):
        cells = line.split("\t")
        if not line.strip() or line.startswith("#"):
            continue
        if not _is_ranked(cells):
            return None
        rows.append((cells[0], cells[1], f"-{cells[2].strip()}"))
        lines.append(number)
    taken = {"topic": "1st column", "doc": "2nd column", "score": "the rank, below 0"}
    return form_table(looked, rows, taken, lines=lines)


def _is_ranked(cells: list[str]) -> bool:
    return len(cells) in (3, 4) and cells[2].strip().isdigit() and cells[2].strip().isascii()
