"""Labels of answers by aspect, from MTRAG, DRAGUN's assessments and nuggetizer's assignments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.forms.registry import FORMS, FormTable, Looked
from qrelsmith.io.csv_records import CsvRecords
from qrelsmith.io.format_marks import head
from qrelsmith.io.json_rows import first_text, json_rows
from qrelsmith.io.table_reading import TextTable, decoded_text, first_data_line
from qrelsmith.io.text import FilePath, read_bytes

Row = tuple[int, tuple[str, ...]]
CONTRADICTS = "-3"
_SUPPORT = {
    "supports": "2", "support": "2", "full_support": "2", "partial": "1", "partial_support": "1",
    "none": "0", "not_support": "0", "no_support": "0", "contradicts": CONTRADICTS, "failed": "-1",
}  # fmt: skip
_ASSESSMENTS = ("auto_assessment", "assessment", "annotation")
_COLUMNS = ("topic", "doc", "aspect", "assessor", "grade")


@FORMS.add("MTRAG", kinds=("judgments",), about="https://github.com/IBM/mt-rag-benchmark")
def mtrag_grades(looked: Looked) -> FormTable | None:
    """Read the human grades of answers, by criterion."""
    if not looked.line.lstrip().startswith("{"):
        return None
    content = read_bytes(looked.path)
    if b'"evaluations"' not in content or b'"tasks"' not in content:
        return None
    rows = list(json_rows(looked.path))
    if len(rows) != 1 or not isinstance(rows[0][1].get("evaluations"), list):
        return None
    labels = list(mtrag_labels(rows[0][1]))
    people = [label for label in labels if label[3].isdecimal()]
    columns = {name: [label[place] for label in people] for place, name in enumerate(_COLUMNS)}
    columns["judged_at"] = [_milliseconds(label[5]) for label in people]
    columns["active_ms"] = [_milliseconds(label[6]) for label in people]
    taken = {
        "topic": "task_id", "doc": "model_id", "aspect": "annotations", "assessor": "their keys",
        "grade": "value", "judged_at": "timestamp", "active_ms": "duration",
    }  # fmt: skip
    programs = sorted({label[2] for label in labels if not label[3].isdecimal()})
    table = TextTable(looked.path, columns, [1] * len(people))
    return FormTable(table, taken, [f"{name}, by a program" for name in programs])


def mtrag_labels(fields: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield task, model, criterion, judge, value, timestamp and duration of each label.

    The ids of human annotators are digits; other judges are programs.
    """
    for each in fields["evaluations"]:
        named = first_text(each, "task_id"), first_text(each, "model_id")
        for criterion, judges in (each.get("annotations") or {}).items():
            for judge, said in judges.items():
                value = first_text(said, "value") if isinstance(said, dict) else ""
                if value:
                    when = first_text(said, "timestamp"), first_text(said, "duration")
                    yield (*named, criterion, judge, value, *when)


@FORMS.add("DRAGUN", kinds=("judgments",), about="https://github.com/trec-dragun/resources")
def rubric_assessments(looked: Looked) -> FormTable | None:
    """Read a CSV file of reports assessed by the expected answers of a rubric."""
    names = [name.strip(' "') for name in looked.line.split(",")]
    said = next((name for name in _ASSESSMENTS if name in names), None)
    if said is None or not {"topic_id", "run_tag", "answer_id"} <= set(names):
        return None
    by = next((name for name in ("assessor", "assessor_id") if name in names), None)
    text = decoded_text(read_bytes(looked.path), path=looked.path)
    records = CsvRecords(text, ",", looked.path)
    rows: list[Row] = []
    for record in records:
        if len(record) != len(names):
            problem = f"found {len(record)} cells; expected {len(names)}: {','.join(names)}"
            raise InputError(problem, path=looked.path, line=records.first)
        if records.first > 1:
            row = dict(zip(names, record, strict=True))
            who = row[by] if by else said.partition("_")[0]
            cells = (row["topic_id"], row["run_tag"], row["answer_id"], who)
            rows.append((records.first, (*cells, _grade(row[said], looked, records.first))))
    taken = {"topic": "topic_id", "doc": "run_tag", "aspect": "answer_id", "grade": said}
    taken["assessor"] = by or f"the name {said}"
    return _form_table(rows, looked, taken, [name for name in names if name not in taken.values()])


def kind_of_file(path: FilePath) -> str:
    """Return the kind of aspects that a file labels; empty for an unknown format."""
    line = first_data_line(head(path).decode("utf-8", "replace")) or ""
    if "answer_id" in line and "run_tag" in line:
        return "rubric"
    return "nugget" if line.startswith("{") and '"nuggets"' in line else ""


@FORMS.add("nuggetizer", kinds=("judgments",), about="https://github.com/castorini/nuggetizer")
def nugget_assignments(looked: Looked) -> FormTable | None:
    """Read the support of each answer's nuggets, which are named n1, n2, …; one answer per line."""
    if not looked.line.lstrip().startswith("{") or '"nuggets"' not in looked.line:
        return None
    rows: list[Row] = []
    for line, fields in json_rows(looked.path):
        nuggets = fields.get("nuggets")
        run = first_text(fields, "run_id", "docid")
        if not isinstance(nuggets, list) or not run:
            return None
        for place, nugget in enumerate(nuggets, 1):
            said = first_text(nugget, "assignment")
            aspect = first_text(nugget, "nugget_id", "id") or f"n{place}"
            cells = (first_text(fields, "qid", "query_id"), run, aspect, "nuggetizer")
            rows.append((line, (*cells, _grade(said, looked, line))))
    taken = {"topic": "qid", "doc": "run_id", "aspect": "the places of nuggets"}
    taken |= {"grade": "assignment", "assessor": "the program's name"}
    return _form_table(rows, looked, taken, ["answer_text", "response_length", "importance"])


def _form_table(
    rows: Sequence[Row], looked: Looked, taken: dict[str, str], ignored: Sequence[str]
) -> FormTable:
    columns = {name: [cells[place] for _, cells in rows] for place, name in enumerate(_COLUMNS)}
    return FormTable(TextTable(looked.path, columns, [line for line, _ in rows]), taken, ignored)


def _grade(said: str, looked: Looked, line: int) -> str:
    if said.strip().lower() not in _SUPPORT:
        raise InputError(
            f"the assessment is {quoted(said)}; expected one of {', '.join(_SUPPORT)}",
            path=looked.path,
            line=line,
        )
    return _SUPPORT[said.strip().lower()]


def _milliseconds(seconds: str) -> str:
    return str(round(float(seconds) * 1000)) if seconds else ""
