"""Label Studio: tasks out, annotations in, as its JSON of annotated tasks."""

from __future__ import annotations

import json
from itertools import groupby

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.base.scales import grade_text
from qrelsmith.formats.label_studio_tasks import GRADE, NAMES, annotation_rows
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.table_reading import TextTable, decoded_text
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.judgment_events import Judgments


@FILE_FORMATS.add(
    "label-studio", kinds=("judgments",), about="https://labelstud.io/guide/task_format.html"
)
class LabelStudio:
    """A JSON list of tasks whose data name topic and doc; a grade is a choice, rating or number."""

    def read(self, path: FilePath, _: Kind, __: Texts) -> Content:
        """A judgment for each annotation that was not cancelled."""
        try:
            tasks = json.loads(decoded_text(read_bytes(path), path=path), parse_int=_whole)
        except (json.JSONDecodeError, RecursionError) as error:
            raise InputError(f"no JSON ({error}); expected a list of tasks", path=path) from None
        if not isinstance(tasks, list):
            raise InputError("no list; expected a list of tasks", path=path)
        rows: list[tuple[str, ...]] = []
        numbers: list[int] = []
        for number, task in enumerate(tasks, start=1):
            try:
                rows += annotation_rows(task)
            except (UsageError, TypeError, AttributeError, KeyError) as error:
                said = str(error) if isinstance(error, UsageError) else "it is no annotated task"
                raise InputError(f"task {number}: {said}", path=path) from None
            numbers += [number] * (len(rows) - len(numbers))
        columns = {name: [row[place] for row in rows] for place, name in enumerate(NAMES)}
        filled = {name: cells for name, cells in columns.items() if name in NAMES[:4] or any(cells)}
        try:
            return Judgments.from_table(TextTable(path, filled, numbers))
        except InputError as error:
            problem = error.problem.replace(" on line ", " in task ")
            place = "" if error.line is None else f"task {error.line}: "
            raise InputError(f"{place}{problem}", path=path) from None

    def write(self, content: Content, path: FilePath, _: Kind, texts: Texts) -> str:
        """A task for each doc of a topic; grades below 0 are codes and leave a task to be done."""
        now = content.current()
        rows = zip(
            now.topic.tolist(), now.doc.tolist(), now.assessor.tolist(), now.grade.tolist(),
            strict=True,
        )  # fmt: skip
        tasks = []
        for (topic, doc), held in groupby(rows, key=lambda row: row[:2]):
            data = _data(now.topics[topic], now.docs[doc], texts)
            annotations = [
                _annotation(now.assessors[assessor], grade)
                for _, _, assessor, grade in held
                if grade >= 0
            ]
            tasks.append({"data": data, "annotations": annotations})
        lines = ",\n".join(json.dumps(task, ensure_ascii=False) for task in tasks)
        write_text(path, f"[\n{lines}\n]\n")
        more = any(
            getattr(now, name) is not None for name in ("group", "judged_at", "note", "position")
        )
        said = ["of judgments all but grade and assessor"] if more else []
        codes = int((now.grade < 0).sum())
        said += [f"grades below 0, whose docs are tasks to be done: {codes}"] if codes else []
        return "; ".join(said)


def _whole(digits: str) -> int | float:
    """A whole number; one of so many digits that it is none of an account or a grade is inexact."""
    return int(digits) if len(digits) < 20 else float(digits)


def _data(topic: str, doc: str, texts: Texts) -> dict[str, str]:
    data = {"topic": topic, "doc": doc}
    if texts.topics:
        held = texts.topics.get(topic)
        fields = ("title", "description", "narrative")
        data |= {f"topic_{name}": getattr(held, name) for name in fields if getattr(held, name, "")}
    if doc in texts.documents:
        shown = texts.documents[doc]
        data |= {"title": shown.title, shown.form: shown.content}
    return data


def _annotation(assessor: str, grade: float) -> dict[str, object]:
    choice = {
        "from_name": GRADE,
        "to_name": "doc",
        "type": "choices",
        "value": {"choices": [grade_text(grade)]},
    }
    is_account = assessor.isdecimal() and str(int(assessor)) == assessor
    who: object = int(assessor) if is_account else {"email": assessor}
    return {"completed_by": who, "result": [choice]}
