"""The output of UMBRELA: a JSON object for each passage that a model judged."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

from qrelsmith.base.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.json_lines import json_line, json_objects
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.table_reading import TextTable, decoded_text
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.judgment_events import Judgments

_EXPECTED = "expected model, query, passage, prediction, judgment and result_status"
_NAMES = ("topic", "doc", "assessor", "grade", "note")


@FILE_FORMATS.add(
    "umbrela", kinds=("judgments",), about="https://github.com/castorini/umbrela#readme"
)
class Umbrela:
    """JSONL in which topics and docs are their texts; `qid` and `docid` count where they stand."""

    def read(self, path: FilePath, _: Kind, texts: Texts) -> Content:
        """Judgments by the model; where its answer could not be read there is none."""
        rows, lines, unread = [], [], 0
        for line, record in json_objects(decoded_text(read_bytes(path), path=path), path=path):
            missing = [name for name in ("query", "passage", "judgment") if name not in record]
            if missing:
                raise InputError(f"no {missing[0]}; {_EXPECTED}", path=path, line=line)
            if not _is_read(record, path, line):
                unread += 1
                continue
            try:
                rows.append(_row(record, texts))
            except UsageError as error:
                raise InputError(str(error), path=path, line=line) from None
            lines.append(line)
        if unread:
            warnings.warn(
                f"{path}: answers of the model that UMBRELA could not read: {unread}; no judgment",
                InputWarning,
                stacklevel=2,
            )
        columns = {name: [row[place] for row in rows] for place, name in enumerate(_NAMES)}
        return Judgments.from_table(TextTable(path, columns, lines))

    def write(self, content: Content, path: FilePath, _: Kind, texts: Texts) -> str:
        """The current judgments; other columns than the note are left out."""
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
        return "of judgments all but grade, assessor and note" if _has_more(now) else ""


def _is_read(record: Mapping[str, str | None], path: FilePath, line: int) -> bool:
    """Whether UMBRELA could read the model's answer; pandas writes `1.0` for `1`."""
    said = record.get("result_status", "1") or ""
    status = finite_number(said.encode())
    if status not in (0, 1):
        raise InputError(
            f"the result_status is {quoted(said)}; expected 0 or 1", path=path, line=line
        )
    return status == 1


def _row(record: Mapping[str, str | None], texts: Texts) -> tuple[str, ...]:
    topic = record.get("qid") or texts.topic_of(record["query"] or "")
    doc = record.get("docid") or texts.doc_of(record["passage"] or "")
    assessor = record.get("model") or "umbrela"
    return topic, doc, assessor, record["judgment"] or "", record.get("prediction") or ""


def _has_more(judgments: Judgments) -> bool:
    names = ("group", "hit", "position", "ordering", "shown_at", "judged_at", "active_ms", "label")
    return any(getattr(judgments, name) is not None for name in names)
