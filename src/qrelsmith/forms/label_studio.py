"""Label Studio's exports: annotated tasks in JSON, or a row for each annotation."""

from __future__ import annotations

import json

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.forms.column_names import columns_for, plain
from qrelsmith.forms.label_studio_tasks import NAMES, annotation_rows, other_results
from qrelsmith.forms.records import Records
from qrelsmith.forms.registry import FORMS, FormTable, Looked, form_table
from qrelsmith.forms.tables import records_table

_KINDS = ("qrels", "judgments")
_ABOUT = "https://labelstud.io/guide/task_format.html"
# The columns of JSON-MIN and CSV without information about the label.
_OWN = frozenset({"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"})


@FORMS.add("label-studio", kinds=_KINDS, about=_ABOUT)
def annotated_tasks(looked: Looked) -> FormTable | None:
    """Read a label for each annotation that was not cancelled, from a JSON list of tasks."""
    if not looked.line.lstrip().startswith("["):
        return None
    try:
        tasks = json.loads(looked.text, parse_int=_whole)
    except (json.JSONDecodeError, RecursionError):
        return None
    if not _are_tasks(tasks):
        return None
    if others := other_results(tasks):
        raise InputError(
            f"the tasks of Label Studio have no grades (results: {', '.join(others)}); expected "
            "results of type choices, rating or number",
            path=looked.path,
        )
    rows: list[tuple[str, ...]] = []
    numbers: list[int] = []
    for number, task in enumerate(tasks, start=1):
        try:
            rows += annotation_rows(task)
        except (UsageError, TypeError, AttributeError, KeyError) as error:
            said = str(error) if isinstance(error, UsageError) else "it is not an annotated task"
            raise InputError(f"task {number}: {said}", path=looked.path) from None
        numbers += [number] * (len(rows) - len(numbers))
    kept = [place for place, name in enumerate(NAMES) if place < 4 or name in looked.kept]
    wanted = [place for place in kept if place < 4 or any(row[place] for row in rows)]
    taken = {NAMES[place]: NAMES[place] for place in wanted}
    found = [[row[place] for place in wanted] for row in rows]
    return form_table(looked, found, taken, lines=numbers, unit="task")


@FORMS.add("label-studio-min", kinds=_KINDS, about="https://labelstud.io/guide/export.html")
def annotation_table(looked: Looked) -> FormTable | None:
    """Read the labels of the exports JSON-MIN and CSV, whose rows have a task's data and result."""
    records = looked.records
    if records is None or not {"annotation_id", "annotator"} <= {
        plain(name) for name in records.names
    }:
        return None
    others = [name for name in records.names if plain(name) not in _OWN]
    taken = columns_for(("topic", "doc", "grade"), others, named=looked.named, path=looked.path)
    if not {"topic", "doc"} <= taken.keys():
        return None
    if "grade" not in taken:
        free = [name for name in others if name not in taken.values() and _may_grade(records, name)]
        if len(free) != 1:
            raise InputError(
                f"the columns {quoted(', '.join(others))} include no column of grades; "
                "expected one. Name it with --columns grade=NAME",
                path=looked.path,
            )
        taken["grade"] = free[0]
    named = {plain(name): name for name in records.names}
    taken["assessor"] = named["annotator"]
    if "judged_at" in looked.kept and "created_at" in named:
        taken["judged_at"] = named["created_at"]
    return records_table(records, taken, looked)


def _may_grade(records: Records, name: str) -> bool:
    """Return whether every cell of a column begins with a number, or is empty."""
    cells = [cell for cell in records.texts(name) if cell]
    return bool(cells) and all(cell[:1].isdigit() or cell[:1] in "[{-" for cell in cells)


def _are_tasks(value: object) -> bool:
    """Return whether a JSON list is empty or contains tasks with annotations."""
    if not isinstance(value, list):
        return False
    named = {name for task in value if isinstance(task, dict) for name in task}
    return not value or bool({"annotations", "completions"} & named)


def _whole(digits: str) -> int | float:
    """Parse an integer; return an inexact float if there are 20 digits or more."""
    return int(digits) if len(digits) < 20 else float(digits)
