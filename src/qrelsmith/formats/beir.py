"""BEIR's folders: `qrels/*.tsv`, `queries.jsonl` and `corpus.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.document import Document
from qrelsmith.collection.judged_pairs import Qrels
from qrelsmith.collection.topics import Topic
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.table_reading import Columns
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import check_ids, write_lines, write_text

Fields = Mapping[str, str | None]
_QRELS = Columns(("query-id", "corpus-id", "score"), ids=("query-id", "corpus-id"))
_FILES = {"topics": "queries.jsonl", "documents": "corpus.jsonl"}
_TOPIC = ("description", "narrative", "creator")


@FILE_FORMATS.add(
    "beir",
    kinds=("qrels", "topics", "documents"),
    about="https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset",
)
class Beir:
    """Tab-separated qrels with a header; topics and docs in JSONL with `_id`."""

    def write(self, content: Content, path: FilePath, kind: Kind, _: Texts) -> str:
        """Write the content; fields that BEIR does not define become fields of `metadata`."""
        if kind == "qrels":
            write_text(path, _qrels_text(content))
        elif kind == "topics":
            topics = sorted(content, key=lambda topic: topic.topic)
            check_ids([topic.topic for topic in topics], what="id", path=path)
            write_text(path, "".join(map(_topic_line, topics)))
        else:
            write_lines(path, map(_document_line, content))
        return ""


def _qrels_text(qrels: Qrels) -> str:
    broken = next((row for row in qrels.rows() if row[2] != int(row[2])), None)
    if broken is not None:
        raise UsageError(
            f"topic {quoted(broken[0])} doc {quoted(broken[1])} has the grade"
            f" {grade_text(broken[2])}; expected whole-number grades, which BEIR requires. Use "
            "qrelsmith transform"
        )
    rows = (f"{topic}\t{doc}\t{grade_text(grade)}\n" for topic, doc, grade in qrels.rows())
    return "\t".join(_QRELS.required) + "\n" + "".join(rows)


def _topic_line(topic: Topic) -> str:
    more = {name: text for name in _TOPIC if (text := getattr(topic, name))}
    return _line({"_id": topic.topic, "text": topic.title, "metadata": more | dict(topic.others)})


def _document_line(doc: Document) -> str:
    more = {"form": doc.form} if doc.form != "text" else {}
    more |= {"url": doc.url} if doc.url else {}
    return _line({"_id": doc.doc_id, "title": doc.title, "text": doc.content, "metadata": more})


def _line(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
