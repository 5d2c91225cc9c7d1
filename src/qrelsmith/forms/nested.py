"""Grades in one JSON object, {topic: {doc: number}}: BEIR, MTEB, ranx, pytrec_eval."""

from __future__ import annotations

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.forms.registry import FORMS, FormTable, Looked
from qrelsmith.io.json_lines import json_value
from qrelsmith.io.table_reading import TextTable, decoded_text
from qrelsmith.io.text import read_bytes


@FORMS.add("JSON", kinds=("qrels",), about="https://github.com/cvangysel/pytrec_eval")
def nested_grades(looked: Looked) -> FormTable | None:
    """Return the grades of {topic: {doc: number}}; the line of each is that of the first."""
    if not looked.line.lstrip().startswith("{"):
        return None
    if _is_flat(looked):
        return None
    text = decoded_text(read_bytes(looked.path), path=looked.path)
    value = json_value(text, path=looked.path)
    if not isinstance(value, dict) or not all(isinstance(docs, dict) for docs in value.values()):
        return None
    rows = [(topic, doc, grade) for topic, docs in value.items() for doc, grade in docs.items()]
    for topic, doc, grade in rows:
        if not isinstance(grade, str):
            raise InputError(
                f"topic {quoted(topic)} doc {quoted(doc)} has no number; expected"
                " {topic: {doc: number}}",
                path=looked.path,
            )
    columns = {
        name: [row[place] for row in rows] for place, name in enumerate(("topic", "doc", "grade"))
    }
    taken = {"topic": "the keys", "doc": "their keys", "grade": "the numbers"}
    return FormTable(TextTable(looked.path, columns, [1] * len(rows)), taken)


def _is_flat(looked: Looked) -> bool:
    """Whether the first line is an object by itself that is none of grades, as in JSONL."""
    try:
        value = json_value(looked.line, path=looked.path)
    except InputError:
        return False
    return isinstance(value, dict) and not all(isinstance(each, dict) for each in value.values())
