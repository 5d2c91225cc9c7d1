"""BEIR's folders: `qrels/*.tsv`, `queries.jsonl` and `corpus.jsonl`."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.collection.judged_pairs import Qrels
from qrelsmith.collection.qrels import stem
from qrelsmith.collection.topics import Topic
from qrelsmith.formats.located_records import unique_records
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.formats.tables import graded_rows
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.json_lines import json_objects
from qrelsmith.io.table_reading import Columns, decoded_text, parse_table
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.writing import check_ids, is_field, write_text

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
    """Tab-separated qrels under a header, topics and docs as JSONL with `_id`."""

    def read(self, path: FilePath, kind: Kind, _: Texts) -> Content:
        """Qrels, topics or docs; of BEIR's folder the file of that kind."""
        path = _inside(path, kind)
        if kind == "qrels":
            table = parse_table(read_bytes(path), _QRELS, path=path)
            return graded_rows(table, _QRELS.required, name=stem(path).removesuffix(".tsv"))
        return (
            tuple(unique_records(_topics(path)))
            if kind == "topics"
            else unique_records(_documents(path))
        )

    def write(self, content: Content, path: FilePath, kind: Kind, _: Texts) -> str:
        """All is kept: what BEIR has no field for stands in `metadata`."""
        if kind == "qrels":
            write_text(path, _qrels_text(content))
        elif kind == "topics":
            topics = sorted(content, key=lambda topic: topic.topic)
            check_ids([topic.topic for topic in topics], what="id", path=path)
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


def _records(path: Path, *, known: dict[str, bool]) -> Iterator[tuple[DocumentPlace, Fields]]:
    """Every record with its place; `known` says of its keys whether they must be there."""
    dropped: set[str] = set()
    content = decoded_text(read_bytes(path), path=path)
    for line, record in json_objects(content, path=path, texts=("_id", "text", "title")):
        place = DocumentPlace(path, line)
        missing = [name for name, must in known.items() if must and record.get(name) is None]
        if missing:
            expected = ", ".join(name for name, must in known.items() if must)
            raise place.fault(
                f"no {missing[0]}; expected an object with {expected} and, if you like, metadata"
            )
        if not is_field(record["_id"] or ""):
            raise place.fault(f"the _id is {quoted(record['_id'])}; expected an id without blanks")
        dropped.update(record.keys() - known.keys())
        yield place, record
    _warn_of_dropped(path, "keys", dropped)


def _metadata(record: Fields, place: DocumentPlace) -> dict[str, Any]:
    """The metadata of a record, without those that are empty."""
    try:
        found = json.loads(record.get("metadata") or "{}")
    except ValueError:
        found = "no JSON"
    if not isinstance(found or {}, dict):
        raise place.fault(f"the metadata are {quoted(record['metadata'])}; expected an object")
    return {name: value for name, value in (found or {}).items() if value not in (None, "")}


def _topics(path: Path) -> Iterator[tuple[DocumentPlace, Topic]]:
    for place, record in _records(path, known={"_id": True, "text": True, "metadata": False}):
        others = _metadata(record, place)
        fields = {name: _plain(others.pop(name)) for name in _TOPIC if name in others}
        try:
            yield (
                place,
                Topic(
                    record["_id"] or "",
                    title=record["text"] or "",
                    **fields,
                    others={name: _plain(value) for name, value in others.items()},
                ),
            )
        except UsageError as error:
            raise place.fault(str(error)) from None


def _documents(path: Path) -> Iterator[tuple[DocumentPlace, Document]]:
    """Docs with their places; metadata that a doc has no field for are told in a warning."""
    known = {"_id": True, "text": False, "title": False, "metadata": False}
    dropped: set[str] = set()
    for place, record in _records(path, known=known):
        others = _metadata(record, place)
        dropped.update(others.keys() - {"form", "url"})
        try:
            yield (
                place,
                Document(
                    record["_id"] or "",
                    form=_plain(others.get("form", "text")),
                    content=record.get("text") or "",
                    title=record.get("title") or "",
                    url=_plain(others.get("url", "")),
                ),
            )
        except UsageError as error:
            raise place.fault(str(error)) from None
    _warn_of_dropped(path, "metadata", dropped)


def _warn_of_dropped(path: Path, what: str, names: set[str]) -> None:
    if names:
        warnings.warn(
            f"{path}: {what} that are not known are passed over: {', '.join(sorted(names))}",
            InputWarning,
            stacklevel=2,
        )


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
