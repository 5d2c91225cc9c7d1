"""JSONL, CSV and Parquet with the column names of ir_measures, ir_datasets or qrelsmith."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from qrelsmith.answers.answer_files import write_answers
from qrelsmith.answers.aspects import write_aspects
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.document import LARGEST, Document
from qrelsmith.collection.frames import RUN_NAMES  # fmt: skip
from qrelsmith.collection.judged_pairs import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.collection.topics import Topic, topics_text
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.io.format_marks import KINDS, Kind
from qrelsmith.io.json_lines import json_line
from qrelsmith.io.table_writing import write_table
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import write_lines, write_text
from qrelsmith.judgments.judgment_files import write_judgments

_TEXT_OF = ("text", "html")


class _Tables:
    """The common writer of JSONL, CSV and Parquet."""

    form: Literal["csv", "jsonl", "parquet"]

    def write(self, content: Content, path: FilePath, kind: Kind, _: Texts) -> str:
        """Write the content, and return a note on carriage returns replaced by line ends."""
        if kind == "judgments":
            write_judgments(content, path, form=self.form)
        elif kind == "aspects":
            write_aspects(content, path, form=self.form)
        elif kind == "answers":
            write_answers(content, path)
        elif kind == "topics" and self.form == "jsonl":
            write_text(path, topics_text(content))
        elif kind == "documents" and self.form == "jsonl":
            write_lines(path, map(_document_line, content))
        else:
            columns, numbers = _COLUMNS[kind](content)
            write_table(path, columns, form=self.form, numbers=numbers, longest=LARGEST)
            changed = sum("\r" in "".join(row) for row in zip(*columns.values(), strict=True))
            return f"carriage returns, which are replaced by line ends in {changed} {kind}" * bool(
                changed
            )
        return ""


@FILE_FORMATS.add("jsonl", kinds=KINDS, about="https://ir-datasets.com/cli.html")
class JsonTables(_Tables):
    """One object per line."""

    form = "jsonl"


@FILE_FORMATS.add(
    "csv", kinds=("judgments", "aspects"), about="https://www.rfc-editor.org/rfc/rfc4180"
)
class CsvTables(_Tables):
    """CSV with a header and one record per row."""

    form = "csv"


_OF_PARQUET = tuple(kind for kind in KINDS if kind != "answers")


@FILE_FORMATS.add(
    "parquet", kinds=_OF_PARQUET, about="https://parquet.apache.org/docs/file-format/"
)
class ParquetTables(_Tables):
    """Parquet with one column per field."""

    form = "parquet"


Table = tuple[dict[str, list[str]], dict[str, str]]


def _qrels_table(qrels: Qrels) -> Table:
    rows = list(qrels.rows())
    columns = {
        "query_id": [topic for topic, _, _ in rows],
        "doc_id": [doc for _, doc, _ in rows],
        "relevance": [grade_text(grade) for _, _, grade in rows],
    }
    is_whole = bool((qrels.grade == np.floor(qrels.grade)).all())
    return columns, {"relevance": "int" if is_whole else "float"}


def _runs_table(runs: Sequence[Run]) -> Table:
    columns: dict[str, list[str]] = {name: [] for name in ("run", *RUN_NAMES["ir_measures"])}
    for run in sorted(runs, key=lambda each: each.name):
        for topic in sorted(run.docs):
            docs = run.docs[topic]
            columns["run"] += [run.name] * len(docs)
            columns["query_id"] += [topic] * len(docs)
            columns["doc_id"] += docs
            columns["score"] += map(repr, run.scores[topic].tolist())
    return columns, {"score": "float"}


def _topics_table(topics: Iterable[Topic]) -> Table:
    records = []
    for topic in sorted(topics, key=lambda each: each.topic):
        fields = {name: getattr(topic, name) for name in ("description", "narrative", "creator")}
        records.append({"query_id": topic.topic, "text": topic.title, **fields, **topic.others})
    return _text_columns(records, ("query_id", "text")), {}


def _documents_table(documents: Iterable[Document]) -> Table:
    return _text_columns(list(map(_record, documents)), ("doc_id",)), {}


def _document_line(doc: Document) -> str:
    """Return a doc as a line of JSON; an empty text is included."""
    fields = _record(doc)
    return json_line(
        {name: text for name, text in fields.items() if text or name in ("text", doc.form)}
    )


def _record(doc: Document) -> dict[str, str]:
    return {"doc_id": doc.doc_id, **doc.fields, "title": doc.title, "url": doc.url}


def _text_columns(
    records: Sequence[Mapping[str, str]], always: Sequence[str]
) -> dict[str, list[str]]:
    """Return the records as columns, leaving out columns without any text."""
    names = dict.fromkeys(
        name for record in records for name, text in record.items() if text or name in _TEXT_OF
    )
    return {
        name: [record.get(name, "") for record in records]
        for name in dict.fromkeys([*always, *names])
    }


_COLUMNS: dict[str, Callable[[Any], Table]] = {
    "qrels": _qrels_table,
    "runs": _runs_table,
    "topics": _topics_table,
    "documents": _documents_table,
}
