"""BEIR's folders: `qrels/*.tsv`, `queries.jsonl` and `corpus.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.document import Document
from qrelsmith.collection.judged_pairs import Qrels
from qrelsmith.collection.qrels import stem
from qrelsmith.collection.topics import Topic
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.formats.tables import graded_rows
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.table_reading import Columns, parse_table
from qrelsmith.io.text import FilePath, read_bytes, text_stream
from qrelsmith.io.writing import write_text

_QRELS = Columns(("query-id", "corpus-id", "score"), ids=("query-id", "corpus-id"))
_FILES = {"topics": "queries.jsonl", "documents": "corpus.jsonl"}
_TOPIC = ("description", "narrative", "creator")


@FILE_FORMATS.add(
    "beir",
    kinds=("qrels", "topics", "documents"),
    about="https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset",
)
class Beir:
    """Tab-separated qrels under a header, topics and docs as JSONL with `_id`."""

    def read(self, path: FilePath, kind: Kind, _: Texts) -> Content:
        """Qrels, topics or docs; of BEIR's folder the file of that kind."""
        path = _inside(path, kind)
        if kind == "qrels":
            table = parse_table(read_bytes(path), _QRELS, path=path)
            return graded_rows(table, _QRELS.required, name=stem(path).removesuffix(".tsv"))
        records = _records(path)
        return tuple(map(_topic, records)) if kind == "topics" else map(_document, records)

    def write(self, content: Content, path: FilePath, kind: Kind, _: Texts) -> str:
        """All is kept: what BEIR has no field for stands in `metadata`."""
        if kind == "qrels":
            write_text(path, _qrels_text(content))
        elif kind == "topics":
            topics = sorted(content, key=lambda topic: topic.topic)
            write_text(path, "".join(map(_topic_line, topics)))
        else:
            write_text(path, "".join(map(_document_line, content)))
        return ""


def _inside(path: FilePath, kind: Kind) -> Path:
    place = Path(path)
    if not place.is_dir():
        return place
    if kind in _FILES:
        return place / _FILES[kind]
    files = sorted((place / "qrels").glob("*.tsv"))
    if len(files) != 1:
        names = ", ".join(file.name for file in files) or "none"
        raise InputError(f"qrels/ holds {names}; expected one file, or its name", path=path)
    return files[0]


def _qrels_text(qrels: Qrels) -> str:
    broken = next((row for row in qrels.rows() if row[2] != int(row[2])), None)
    if broken is not None:
        raise UsageError(
            f"topic {quoted(broken[0])} doc {quoted(broken[1])} has the grade"
            f" {grade_text(broken[2])}; BEIR reads whole grades only: transform them first"
        )
    rows = (f"{topic}\t{doc}\t{grade_text(grade)}\n" for topic, doc, grade in qrels.rows())
    return "\t".join(_QRELS.required) + "\n" + "".join(rows)


def _records(path: Path) -> Iterator[tuple[Mapping[str, Any], InputError]]:
    """Every record, and the error that is raised where it is not as it should be."""
    for line, text in enumerate(text_stream(path), start=1):
        if not text.strip():
            continue
        fault = InputError(
            f"{quoted(text.strip())}; expected a JSON object with _id, text and, if you like,"
            " title and metadata",
            path=path,
            line=line,
        )
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            raise fault from None
        texts = ("_id", "text", "title")
        if not isinstance(record, dict) or any(
            not isinstance(record.get(name, ""), str) for name in texts
        ):
            raise fault
        if "_id" not in record or not isinstance(record.get("metadata") or {}, dict):
            raise fault
        yield record, fault


def _topic(place: tuple[Mapping[str, Any], InputError]) -> Topic:
    record, fault = place
    others = {name: text for name, text in (record.get("metadata") or {}).items() if text}
    fields = {name: str(others.pop(name)) for name in _TOPIC if name in others}
    try:
        return Topic(
            record["_id"],
            title=record.get("text", ""),
            **fields,
            others={name: _plain(value) for name, value in others.items()},
        )
    except UsageError as error:
        raise InputError(str(error), path=fault.path, line=fault.line) from None


def _document(place: tuple[Mapping[str, Any], InputError]) -> Document:
    record, fault = place
    others = record.get("metadata") or {}
    try:
        return Document(
            record["_id"],
            form=str(others.get("form", "text")),
            content=record.get("text", ""),
            title=record.get("title", ""),
            url=str(others.get("url", "")),
        )
    except UsageError as error:
        raise InputError(str(error), path=fault.path, line=fault.line) from None


def _topic_line(topic: Topic) -> str:
    more = {name: text for name in _TOPIC if (text := getattr(topic, name))}
    return _line({"_id": topic.topic, "text": topic.title, "metadata": more | dict(topic.others)})


def _document_line(doc: Document) -> str:
    more = {"form": doc.form} if doc.form != "text" else {}
    more |= {"url": doc.url} if doc.url else {}
    return _line({"_id": doc.doc_id, "title": doc.title, "text": doc.content, "metadata": more})


def _line(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
