"""JSONL and Parquet with the column names of ir_measures, PyTerrier, ir_datasets or qrelsmith."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

import numpy as np

from qrelsmith.base.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.document import LARGEST, Document, DocumentPlace
from qrelsmith.collection.document_lines import NAMES, document_of, read_document_lines
from qrelsmith.collection.frames import (
    QREL_NAMES,
    RUN_NAMES,
    systems_of,
)  # fmt: skip
from qrelsmith.collection.judged_pairs import Qrels
from qrelsmith.collection.qrels import stem
from qrelsmith.collection.runs import Run
from qrelsmith.collection.topics import Topic, read_topics, topics_text
from qrelsmith.formats.located_records import unique_records
from qrelsmith.formats.registry import FILE_FORMATS, KINDS, Content, Texts
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.json_lines import json_line, json_objects
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.parquet import parquet_columns
from qrelsmith.io.table_reading import TextTable, decoded_text
from qrelsmith.io.table_writing import write_table
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.writing import check_ids, is_field, write_text
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_files import read_judgments, write_judgments

_TEXT_OF = ("text", "html")
_ORIGIN = ("model", "reason")


class _Tables:
    """Reading and writing of both."""

    form: Literal["jsonl", "parquet"]

    def read(self, path: FilePath, kind: Kind, _: Texts) -> Content:
        """The content of the columns that are known; others are passed over."""
        if kind == "judgments":
            table = self._table(path)
            if "assessor" not in table.columns:
                return _labels(table)
            return read_judgments(path)
        if self.form == "jsonl" and kind in ("topics", "documents"):
            if kind == "topics":
                return read_topics(path)
            return unique_records(read_document_lines(path))
        table = self._table(path)
        if kind == "qrels":
            _warn_of_origin(table)
            return graded_rows(table, _names(table, QREL_NAMES.values()), name=stem(path))
        if kind == "runs":
            return _runs(table)
        if kind == "documents":
            return unique_records(_documents(table))
        try:
            return read_topics({name: list(cells) for name, cells in table.columns.items()})
        except UsageError as error:
            raise InputError(str(error), path=path) from None
        except InputError as error:
            raise InputError(error.problem, path=path, line=error.line) from None

    def write(self, content: Content, path: FilePath, kind: Kind, _: Texts) -> str:
        """All is kept, but for carriage returns in Parquet."""
        if kind == "judgments":
            write_judgments(content, path, form=self.form)
        elif kind == "topics" and self.form == "jsonl":
            write_text(path, topics_text(content))
        elif kind == "documents" and self.form == "jsonl":
            write_text(path, "".join(map(_document_line, content)))
        else:
            columns, numbers = _COLUMNS[kind](content)
            if kind in ("qrels", "runs"):
                ids = (columns[name] for name in ("query_id", "doc_id"))
                check_ids(dict.fromkeys(chain.from_iterable(ids)), what="id", path=path)
            write_table(path, columns, form=self.form, numbers=numbers, longest=LARGEST)
            changed = sum("\r" in "".join(row) for row in zip(*columns.values(), strict=True))
            return f"carriage returns: line ends in their place in {changed} {kind}" * bool(changed)
        return ""

    def _table(self, path: FilePath) -> TextTable:
        if self.form == "parquet":
            ids = {name for names in QREL_NAMES.values() for name in names[:2]}
            cells = parquet_columns(path, ids=tuple(ids))
            return TextTable(path, cells, range(1, len(next(iter(cells.values()))) + 1))
        rows = list(json_objects(decoded_text(read_bytes(path), path=path), path=path))
        names = dict.fromkeys(name for _, fields in rows for name in fields)
        columns = {name: [fields.get(name) or "" for _, fields in rows] for name in names}
        return TextTable(path, columns, [line for line, _ in rows])


@FILE_FORMATS.add("jsonl", kinds=KINDS, about="https://ir-datasets.com/cli.html")
class JsonTables(_Tables):
    """An object a line."""

    form = "jsonl"


@FILE_FORMATS.add("parquet", kinds=KINDS, about="https://parquet.apache.org/docs/file-format/")
class ParquetTables(_Tables):
    """Columns of Parquet."""

    form = "parquet"


def graded_rows(table: TextTable, names: Sequence[str], *, name: str) -> Qrels:
    """Qrels of the columns of topics, docs and grades.

    Raises
    ------
    InputError
        At the first id that is none or grade that is no finite number, or if a pair has two.
    """
    topics, docs = (ids_of(table, name) for name in names[:2])
    cells = list(table.columns[names[2]])
    try:
        return Qrels.from_rows(
            zip(topics, docs, numbers_of(table, names[2], cells), strict=True), name=name
        )
    except UsageError as error:
        raise InputError(str(error), path=table.path) from None


def _labels(table: TextTable) -> Judgments:
    """Return labels with the names of qrels as judgments; `model` judges, `reason` is the note."""
    topic, doc, grade = _names(table, QREL_NAMES.values())
    cells = {"topic": table.columns[topic], "doc": table.columns[doc]}
    cells["grade"] = table.columns[grade]
    models = table.columns.get("model", [""] * len(table))
    cells["assessor"] = [model or stem(table.path) for model in models]
    if "reason" in table.columns:
        cells["note"] = table.columns["reason"]
    return Judgments.from_table(TextTable(table.path, cells, table.lines))


def _warn_of_origin(table: TextTable) -> None:
    """Warn of columns that say who gave a label and why: qrels do not hold them."""
    if lost := [name for name in _ORIGIN if any(table.columns.get(name, ()))]:
        warnings.warn(
            f"{table.path}: qrels do not hold {' and '.join(lost)}; `qrelsmith convert --kind"
            " judgments` keeps model as assessor and reason as note",
            InputWarning,
            stacklevel=3,
        )


def ids_of(table: TextTable, name: str, *, is_name: bool = False) -> list[str]:
    """The ids of a column, or the names of runs, which may hold blanks.

    Raises
    ------
    InputError
        At the first one that is empty, or an id with a blank.
    """
    ids = list(table.columns[name])
    if faulty := {each for each in set(ids) if not (each if is_name else is_field(each))}:
        expected = "a name" if is_name else "an id without blanks"
        place = next(place for place, each in enumerate(ids) if each in faulty)
        raise InputError(
            f"the {name} is {quoted(ids[place]) if ids[place] else 'missing'}; expected {expected}",
            path=table.path,
            line=table.lines[place],
        )
    return ids


def numbers_of(table: TextTable, what: str, cells: Iterable[str]) -> list[float]:
    """Cells as numbers.

    Raises
    ------
    InputError
        At the first one that is no finite number.
    """
    values = [finite_number(cell.encode()) for cell in cells]
    for cell, value, line in zip(cells, values, table.lines, strict=True):
        if value != value:
            raise InputError(
                f"the {what} is {quoted(cell)}; expected a finite decimal number",
                path=table.path,
                line=line,
            )
    return values


def _names(table: TextTable, sets: Iterable[tuple[str, str, str]]) -> tuple[str, str, str]:
    """The one set of names that the columns have."""
    there = [names for names in sets if set(names) <= table.columns.keys()]
    if len(there) != 1:
        raise InputError(
            f"the columns are {quoted(', '.join(table.columns))}; expected"
            f" {', or '.join(' '.join(names) for names in sets)}",
            path=table.path,
        )
    return there[0]


def _runs(table: TextTable) -> tuple[Run, ...]:
    """A run for each system that the table names."""
    topic, doc, score = _names(table, RUN_NAMES.values())
    column, _ = systems_of(table.columns)
    systems = ids_of(table, column, is_name=True) if column else [stem(table.path)] * len(table)
    rankings: dict[str, dict[str, dict[str, float]]] = {}
    scores = numbers_of(table, score, list(table.columns[score]))
    topics, docs = ids_of(table, topic), ids_of(table, doc)
    rows = zip(systems, topics, docs, scores, table.lines, strict=True)
    for system, in_topic, of_doc, value, line in rows:
        ranking = rankings.setdefault(system, {}).setdefault(in_topic, {})
        if of_doc in ranking:
            raise InputError(
                f"doc {quoted(of_doc)} stands twice in topic {quoted(in_topic)}; expected it once",
                path=table.path,
                line=line,
            )
        ranking[of_doc] = value
    return tuple(Run.from_dict(ranking, name=name) for name, ranking in rankings.items())


def _documents(table: TextTable) -> Iterator[tuple[DocumentPlace, Document]]:
    """The docs; a cell that is empty is no text, but where both are the text is empty."""
    if "doc_id" not in table.columns:
        raise InputError("the column doc_id is missing; expected doc_id and text", path=table.path)
    there = [name for name in NAMES if name in table.columns]
    for place, row in enumerate(zip(*(table.columns[name] for name in there), strict=True)):
        fields = {name: cell for name, cell in zip(there, row, strict=True) if cell}
        if not fields.keys() & set(_TEXT_OF):
            fields["text"] = ""
        located = DocumentPlace(table.path, table.lines[place])
        yield located, document_of(fields, located)


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
    """A doc as a line; its text is there even if it is empty."""
    fields = _record(doc)
    return json_line({name: text for name, text in fields.items() if text or name == doc.form})


def _record(doc: Document) -> dict[str, str]:
    return {"doc_id": doc.doc_id, doc.form: doc.content, "title": doc.title, "url": doc.url}


def _text_columns(
    records: Sequence[Mapping[str, str]], always: Sequence[str]
) -> dict[str, list[str]]:
    """The records as columns; those without a text are left out."""
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
