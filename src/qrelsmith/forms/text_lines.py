"""Labels and runs in text formats other than TREC's: subtopics, LETOR, MS MARCO."""

from __future__ import annotations

import math
import re

from qrelsmith.base.items import subtopic_aspect
from qrelsmith.forms.registry import FORMS, FormTable, Looked, form_table
from qrelsmith.io.numbers import finite_number

_LETOR = re.compile(r"(\S+)\s+qid:(\S+)\s[^#]*#\s*(?:docid\s*=\s*)?(\S+).*", re.IGNORECASE)


@FORMS.add(
    "ndeval", kinds=("qrels", "judgments"), about="https://trec.nist.gov/data/web/09/ndeval.c"
)
def subtopics(looked: Looked) -> FormTable | None:
    """Read `topic subtopic docno grade`, with each subtopic as an aspect of the doc."""
    if not are_fields(_fields(looked.line)):
        return None
    lines = [(number, _fields(line)) for number, line in enumerate(looked.text.split("\n"), 1)]
    lines = [(number, row) for number, row in lines if row and not row[0].startswith("#")]
    if not are_subtopics([row for _, row in lines]):
        return None
    found = [(topic, doc, subtopic_aspect(name), grade) for _, (topic, name, doc, grade) in lines]
    taken = {
        "topic": "1st field", "doc": "3rd field", "aspect": "the subtopic, 2nd field",
        "grade": "4th field",
    }  # fmt: skip
    return form_table(looked, found, taken, lines=[number for number, _ in lines])


def _fields(line: str) -> list[str]:
    """Split a line into fields at ASCII blanks, like the readers of TREC files."""
    return [field.decode() for field in line.encode("utf-8", "replace").split()]


def are_subtopics(rows: list[list[str]]) -> bool:
    """Return whether rows are judgments of subtopics, with several grades for some doc."""
    if not all(map(are_fields, rows)):
        return False
    first: dict[tuple[str, str], list[str]] = {}
    return any(
        before[1] != row[1] and finite_number(before[3].encode()) != finite_number(row[3].encode())
        for row in rows
        for before in (first.setdefault((row[0], row[2]), row),)
    )


def are_fields(row: list[str]) -> bool:
    """Return whether a row has four fields, the last of which is a number."""
    return len(row) == 4 and not math.isnan(finite_number(row[3].encode()))


@FORMS.add(
    "letor",
    kinds=("qrels", "judgments"),
    about="https://www.microsoft.com/en-us/research/project/mslr/",
)
def letor(looked: Looked) -> FormTable | None:
    """Read `grade qid:TOPIC … # DOC`, the format of LETOR and Quepid."""
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
    """Read `qid pid rank`, separated by tabs; the negative ranks become the scores."""
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
