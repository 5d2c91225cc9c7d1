"""The output of UMBRELA: a JSON object for each passage judged by a model."""

from __future__ import annotations

from qrelsmith.base.scales import grade_text
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.json_lines import json_line
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.judgment_events import Judgments

_EXPECTED = "expected model, query, passage, prediction, judgment and result_status"
_NAMES = ("topic", "doc", "assessor", "grade", "note")


@FILE_FORMATS.add(
    "umbrela", kinds=("judgments",), about="https://github.com/castorini/umbrela#readme"
)
class Umbrela:
    """JSONL with the texts of topics and docs, and with their ids as `qid` and `docid`."""

    def write(self, content: Content, path: FilePath, _: Kind, texts: Texts) -> str:
        """Write the current judgments; the note is the only optional column that is written."""
        now = content.current()
        notes = now.note if now.note is not None else [""] * len(now)
        lines = []
        places = zip(
            now.topic.tolist(), now.doc.tolist(), now.assessor.tolist(), now.grade.tolist(), notes,
            strict=True,
        )  # fmt: skip
        for topic, doc, assessor, grade, note in places:
            topic_id, doc_id = now.topics[topic], now.docs[doc]
            held = texts.documents.get(doc_id)
            record = {
                "model": now.assessors[assessor],
                "query": texts.title(topic_id),
                "passage": held.content if held else doc_id,
                "prediction": note,
                "judgment": grade_text(grade),
                "result_status": "1",
                "qid": topic_id,
                "docid": doc_id,
            }
            lines.append(json_line(record, bare=frozenset(("judgment", "result_status"))))
        write_text(path, "".join(lines))
        return "columns of judgments other than grade, assessor and note" if _has_more(now) else ""


def _has_more(judgments: Judgments) -> bool:
    names = ("group", "hit", "position", "ordering", "shown_at", "judged_at", "active_ms", "label")
    return any(getattr(judgments, name) is not None for name in names)
