"""Wide tables of labels: a row per doc, and a column for each judge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qrelsmith.forms.column_names import columns_for, plain, synonyms_of
from qrelsmith.forms.grades import grades_of
from qrelsmith.forms.records import Records
from qrelsmith.forms.registry import FORMS, FormTable, Looked, form_table
from qrelsmith.forms.word_grades import is_number, word_grades

# Columns of whole numbers that are not a judge's grades, and columns of texts.
_NUMBERS = {
    "clicks", "count", "fold", "id", "impressions", "index", "iter", "iteration", "length", "page",
    "revision", "round", "views", "year",
    *(name for role in ("grade", "score", "rank") for name in synonyms_of(role)),
}  # fmt: skip
_TEXTS = {
    name for role in ("topic", "doc", "text", "html", "title", "url") for name in synonyms_of(role)
}
_HIGHEST = 10


@FORMS.add(
    "wide", kinds=("qrels", "judgments"), general=True,
    about="https://www.jstatsoft.org/article/view/v059i10",
)  # fmt: skip
def wide_table(looked: Looked) -> FormTable | None:
    """Read topic, doc and a column of grades for each of several judges.

    All other columns except texts must contain whole-number grades up to 10, or words of one scale.
    """
    records = looked.records
    if records is None or "grade" in looked.named:
        return None
    taken = columns_for(("topic", "doc"), records.names, named=looked.named, path=looked.path)
    free = [name for name in records.names if name not in taken.values()]
    judges = [name for name in free if plain(name) not in _TEXTS]
    if len(taken) < 2 or len(judges) < 2 or any(map(_is_other_number, judges)):
        return None
    if not _are_grades(records.texts(judge) for judge in judges):
        return None
    return labels_of_columns(looked, records, taken["topic"], taken["doc"], judges)


def labels_of_columns(
    looked: Looked, records: Records, topic: str, doc: str, judges: Sequence[str]
) -> FormTable:
    """Return a label for each non-empty cell of the judges' columns."""
    topics, docs = records.texts(topic), records.texts(doc)
    rows, lines, unrated = [], [], 0
    for judge in judges:
        grades = grades_of(records.cells[judge], records.lines, looked)
        for name, of, grade, line in zip(topics, docs, grades, records.lines, strict=True):
            unrated += not grade
            if grade:
                rows.append((name, of, grade, judge))
                lines.append(line)
    columns = f"the columns {', '.join(judges)}"
    taken = {"topic": topic, "doc": doc, "grade": "the cells", "assessor": columns}
    ignored = [name for name in records.names if name not in (topic, doc, *judges)]
    notes = [f"docs without a rating are ignored: {unrated}"] if unrated else []
    return form_table(looked, rows, taken, lines=lines, ignored=ignored, notes=notes)


def _is_other_number(name: str) -> bool:
    return plain(name) in _NUMBERS or plain(name).endswith("_id")


def _are_grades(columns: Iterable[Sequence[str]]) -> bool:
    """Return whether each column contains only grades."""
    found = [{cell for cell in column if cell} for column in columns]
    cells = set().union(*found)
    if not all(found):
        return False
    if all(cell.isascii() and cell.isdigit() and int(cell) <= _HIGHEST for cell in cells):
        return True
    return not any(map(is_number, cells)) and bool(word_grades(cells))
