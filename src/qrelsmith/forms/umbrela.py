"""The output of UMBRELA: a JSON object for each passage judged by a model."""

from __future__ import annotations

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.forms.records import Records, cell_text
from qrelsmith.forms.registry import FORMS, FormTable, Looked, form_table
from qrelsmith.io.numbers import finite_number

_NEEDED = frozenset({"query", "passage", "judgment"})


@FORMS.add(
    "umbrela", kinds=("qrels", "judgments"), about="https://github.com/castorini/umbrela#readme"
)
def umbrela(looked: Looked) -> FormTable | None:
    """Read the judgments that UMBRELA could parse from the model's answers.

    Topics and docs are identified by `qid` and `docid` if these exist, else by their texts.
    """
    records = looked.records
    if records is None or not records.cells.keys() >= _NEEDED:
        return None
    if not records.cells.keys() & {"prediction", "result_status", "model"}:
        return None
    topics = records.texts("qid" if "qid" in records.cells else "query")
    docs = records.texts("docid" if "docid" in records.cells else "passage")
    models, said = (_texts(records, name) for name in ("model", "prediction"))
    rows, lines = [], []
    grades = records.texts("judgment")
    statuses = _texts(records, "result_status", missing="1")
    for row, line in enumerate(records.lines):
        if not _is_read(statuses[row], looked, line):
            continue
        if not grades[row]:
            raise InputError(
                "the judgment is missing; expected a grade", path=looked.path, line=line
            )
        rows.append((topics[row], docs[row], grades[row], models[row] or "umbrela", said[row]))
        lines.append(line)
    taken = {"topic": "qid", "doc": "docid", "grade": "judgment", "assessor": "model"}
    if "note" in looked.kept and any(said):
        taken["note"] = "prediction"
    unread = len(records) - len(rows)
    notes = [f"answers of the model that UMBRELA could not read: {unread}"] if unread else []
    kept = [row[: len(taken)] for row in rows]
    return form_table(looked, kept, taken, lines=lines, notes=notes)


def _texts(records: Records, name: str, *, missing: str = "") -> list[str]:
    return [cell_text(cell) for cell in records.cells.get(name, [missing] * len(records))]


def _is_read(said: str, looked: Looked, line: int) -> bool:
    """Return whether UMBRELA could parse the model's answer; pandas writes `1.0` for `1`."""
    status = finite_number(said.encode())
    if status not in (0, 1):
        raise InputError(
            f"the result_status is {quoted(said)}; expected 0 or 1", path=looked.path, line=line
        )
    return status == 1
