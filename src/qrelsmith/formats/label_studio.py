"""Label Studio's JSON: tasks to export, and annotated tasks to import."""

from __future__ import annotations

import json
from itertools import groupby

from qrelsmith.base.scales import grade_text
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.forms.label_studio_tasks import GRADE
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import write_text


@FILE_FORMATS.add(
    "label-studio", kinds=("judgments",), about="https://labelstud.io/guide/task_format.html"
)
class LabelStudio:
    """A JSON list of tasks for topics and docs; grades are choices, ratings or numbers."""

    def write(self, content: Content, path: FilePath, _: Kind, texts: Texts) -> str:
        """Write a task for each doc of a topic; tasks with codes below 0 have no annotation."""
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
        said = ["columns of judgments other than grade and assessor"] if more else []
        codes = int((now.grade < 0).sum())
        said += [f"grades below 0, whose docs become open tasks: {codes}"] if codes else []
        return "; ".join(said)


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
