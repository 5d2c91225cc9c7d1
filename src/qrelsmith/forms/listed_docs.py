"""A topic with a list of its docs: the runs of rank_llm, `{"query": {…}, "candidates": [{…}]}`."""

from __future__ import annotations

from qrelsmith.forms.records import records_of_objects
from qrelsmith.forms.registry import FORMS, FormTable, Looked
from qrelsmith.forms.tables import records_table, take_columns


@FORMS.add(
    "lists", kinds=("qrels", "judgments", "runs"), general=True,
    about="https://github.com/castorini/rank_llm",
)  # fmt: skip
def listed_docs(looked: Looked) -> FormTable | None:
    """Return a row for each doc in the only list of objects that a record has."""
    records = looked.records
    if records is None or records.form not in ("json", "jsonl"):
        return None
    lists = [name for name, cells in records.cells.items() if all(map(_is_list, cells))]
    if len(lists) != 1 or take_columns(looked, records.names) is not None:
        return None
    objects, lines = [], []
    for place, line in enumerate(records.lines):
        outer: dict[str, object] = {}
        for name, cells in records.cells.items():
            cell = cells[place]
            outer |= cell if isinstance(cell, dict) else {name: cell}
        del outer[lists[0]]
        for doc in records.cells[lists[0]][place]:  # type: ignore[attr-defined]
            objects.append(outer | {name: value for name, value in doc.items() if _is_text(value)})
            lines.append(line)
    rows = records_of_objects(records.form, objects, lines)
    taken = take_columns(looked, rows.names)
    return None if taken is None else records_table(rows, taken, looked)


def _is_list(cell: object) -> bool:
    return isinstance(cell, list) and bool(cell) and all(isinstance(each, dict) for each in cell)


def _is_text(value: object) -> bool:
    return not isinstance(value, list | dict)
