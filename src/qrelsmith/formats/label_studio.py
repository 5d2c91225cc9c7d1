"""Label Studio: tasks out, annotations in, as its JSON of annotated tasks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.table_reading import TextTable, decoded_text
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.judgment_events import Judgments

_TOPIC = ("topic", "query_id", "qid")
_DOC = ("doc", "doc_id", "docno", "docid")
_NAMES = ("topic", "doc", "assessor", "grade", "judged_at", "active_ms", "note")
_LEADING = re.compile(r"\s*(-?[0-9]+(?:\.[0-9]+)?)(?:[\s:.)–-].*)?", re.DOTALL)
_GRADE = "grade"


@FILE_FORMATS.add(
    "label-studio", kinds=("judgments",), about="https://labelstud.io/guide/task_format.html"
)
class LabelStudio:
    """A JSON list of tasks whose data name topic and doc; a grade is a choice, rating or number."""

    def read(self, path: FilePath, _: Kind, __: Texts) -> Content:
        """A judgment for each annotation that was not cancelled."""
        try:
            tasks = json.loads(decoded_text(read_bytes(path), path=path))
        except (json.JSONDecodeError, RecursionError) as error:
            raise InputError(f"no JSON ({error}); expected a list of tasks", path=path) from None
        if not isinstance(tasks, list):
            raise InputError("no list; expected a list of tasks", path=path)
        rows: list[tuple[str, ...]] = []
        for number, task in enumerate(tasks, start=1):
            try:
                rows += _rows(task)
            except (UsageError, TypeError, AttributeError, KeyError) as error:
                said = str(error) if isinstance(error, UsageError) else "it is no annotated task"
                raise InputError(f"task {number}: {said}", path=path) from None
        columns = {name: [row[place] for row in rows] for place, name in enumerate(_NAMES)}
        filled = {
            name: cells for name, cells in columns.items() if name in _NAMES[:4] or any(cells)
        }
        return Judgments.from_table(TextTable(path, filled, range(1, len(rows) + 1)))

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


def _rows(task: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    data = task["data"]
    topic, doc = _id(data, _TOPIC), _id(data, _DOC)
    for annotation in task.get("annotations") or ():
        if annotation.get("was_cancelled"):
            continue
        grades = list(_grades(annotation["result"]))
        if len(grades) != 1:
            raise UsageError(f"{len(grades)} grades in an annotation; expected one")
        seconds = annotation.get("lead_time")
        notes = [
            text
            for item in annotation["result"]
            if item["type"] == "textarea"
            for text in item["value"]["text"]
        ]
        yield (
            topic,
            doc,
            _assessor(annotation.get("completed_by")),
            grades[0],
            annotation.get("created_at") or "",
            "" if seconds is None else str(round(float(seconds) * 1000)),
            "\n".join(notes),
        )


def _id(data: Mapping[str, Any], names: tuple[str, ...]) -> str:
    there = [data[name] for name in names if name in data]
    if len(there) != 1 or not isinstance(there[0], str) or not there[0]:
        raise UsageError(f"the data name {quoted(there)}; expected a text as one of {names}")
    return there[0]


def _assessor(who: object) -> str:
    """The account that made an annotation; one that came with its record goes by its address."""
    if isinstance(who, Mapping):
        who = who.get("email") or who.get("id")
    if not isinstance(who, int | str) or who == "":
        raise UsageError(f"completed_by is {quoted(who)}; expected the account of who annotated")
    return str(who)


def _grades(result: list[Mapping[str, Any]]) -> Iterator[str]:
    """The grades of an annotation; if one is called so, only this one counts."""
    named = [item for item in result if item.get("from_name") == _GRADE]
    for item in named or result:
        value = item["value"]
        if item["type"] == "choices":
            for choice in value["choices"]:
                number = _LEADING.fullmatch(choice)
                if number is None:
                    raise UsageError(
                        f"the choice is {quoted(choice)}; expected one that begins with its grade"
                    )
                yield number[1]
        elif item["type"] in ("rating", "number"):
            yield grade_text(float(value[item["type"]]))


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
        "from_name": _GRADE,
        "to_name": "doc",
        "type": "choices",
        "value": {"choices": [grade_text(grade)]},
    }
    is_account = assessor.isdecimal() and str(int(assessor)) == assessor
    who: object = int(assessor) if is_account else {"email": assessor}
    return {"completed_by": who, "result": [choice]}
