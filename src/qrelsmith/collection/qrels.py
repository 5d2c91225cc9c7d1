"""Qrels files, which are read strictly; the same qrels are always written as the same bytes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import InputError, InputWarning, quoted
from qrelsmith.base.items import item_key, item_parts, subtopic_name
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.collection.judged_pairs import Qrels
from qrelsmith.collection.odd_files import commented_rows, odd_qrels
from qrelsmith.forms.recognising import locate_errors, recognise, tell
from qrelsmith.io import sizes
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.table_reading import check_form_ids
from qrelsmith.io.text import (
    FilePath,
    LineBlocks,
    data_lines,
    decode_fields,
    in_order_of_lines,
    read_bytes,
)
from qrelsmith.io.writing import check_ids, write_text

if TYPE_CHECKING:
    from qrelsmith.forms.registry import FormTable

__all__ = [
    "Qrels",
    "QrelsForm",
    "qrels_form",
    "qrels_text",
    "read_qrels_file",
    "stem",
    "text_stem",
    "write_qrels",
]

QrelsForm = Literal["trec", "ntcir", "columns"]
_TEXT_SUFFIXES = (".gz", ".bz2", ".xz", ".zst", ".qrels", ".qrel", ".txt")
_TABLE_SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
# The fields of a qrels file's line before its grade.
_BEFORE_GRADE = {
    "trec": "{topic} {aspect} {doc} ",
    "ntcir": "{topic} {doc} L",
    "columns": "{topic} {doc} ",
}


class SeveralAssessorsError(InputError):
    """A doc has the grades of several assessors where qrels are expected."""


def read_qrels_file(
    path: FilePath,
    *,
    name: str | None = None,
    scale: Scale | None = None,
    off_scale: Literal["error", "missing"] = "error",
) -> Qrels:
    """Read qrels from a file; see `given_labels.read_qrels`.

    Raises
    ------
    SeveralAssessorsError
        If a doc has the grades of several assessors.
    InputError
        If a line is malformed, or a pair has two different grades.
    """
    called = name or stem(path)
    if (labels := recognise(path, "qrels", kept=("aspect",))) is not None:
        qrels, notes = _of_table(labels, called, scale, off_scale)
    else:
        qrels, notes = _of_text(path, called, scale, off_scale)
    for note in notes:
        warnings.warn(note, InputWarning, stacklevel=3)
    return qrels


def _of_text(
    path: FilePath, called: str, scale: Scale | None, off_scale: str
) -> tuple[Qrels, list[str]]:
    return in_order_of_lines(
        lambda block: _parse(block, path, called, scale, off_scale), read_bytes(path)
    )


def _of_table(
    labels: FormTable, name: str, scale: Scale | None, off_scale: str
) -> tuple[Qrels, list[str]]:
    """Return the qrels of a table, and notes on probable mistakes."""
    columns = labels.table.columns
    topics, docs = (list(columns[column]) for column in ("topic", "doc"))
    items = list(map(item_key, docs, columns.get("aspect", [""] * len(docs))))
    assessors = len(set(columns.get("assessor", ())))
    if assessors > 1 and len(set(zip(topics, items, strict=True))) < len(items):
        problem = f"docs have the grades of {assessors} assessors; expected one grade for each doc"
        raise SeveralAssessorsError(problem, path=labels.table.path)
    table = tell(labels, ignored=("assessor",))
    numbers = list(table.lines)
    with locate_errors(labels):
        for what, ids in (("topic", topics), ("doc", docs)):
            check_form_ids(ids, numbers, path=table.path, what=what)
        fields = [cell.encode() for cell in table.columns["grade"]]
        grades = _grades(fields, numbers, table.path, levels=False)
        return _qrels_of_columns(
            topics, items, grades, numbers, table.path, name, scale, off_scale, []
        )


def _parse(
    block: bytes, path: FilePath, name: str, scale: Scale | None, off_scale: str
) -> tuple[Qrels, list[str]]:
    """Return the qrels, and notes on probable mistakes; any one of several errors may be raised."""
    numbers, lines = data_lines(block, path=path)
    rows = [line.split() for line in lines]
    width = len(rows[0]) if rows else 4
    if width not in (3, 4) or set(map(len, rows)) - {width}:
        for number, line, row in zip(numbers, lines, rows, strict=True):
            if len(row) != width or width not in (3, 4):
                raise InputError(
                    f"found {len(row)} fields in {quoted(line)}; expected topic iter "
                    "docno grade, or topic docno grade, on every line",
                    path=path,
                    line=number,
                )
    topics = decode_fields([row[0] for row in rows], numbers, path=path, what="topic")
    docs = decode_fields([row[-2] for row in rows], numbers, path=path, what="docno")
    grades = _grades([row[-1] for row in rows], numbers, path, levels=width == 3)
    iters = [row[1] for row in rows] if width == 4 else []
    qrels, notes = _qrels_of_columns(
        topics, docs, grades, numbers, path, name, scale, off_scale, iters
    )
    if not rows:
        notes += [
            f"{path}: {note}" for note in commented_rows(block, widths=(3, 4), what="judgments")
        ]
    return qrels, notes


def _qrels_of_columns(
    topics: list[str],
    docs: list[str],
    grades: FloatArray,
    numbers: list[int],
    path: FilePath,
    name: str,
    scale: Scale | None,
    off_scale: str,
    iters: list[bytes],
) -> tuple[Qrels, list[str]]:
    notes: list[str] = []
    if scale is not None:
        kept = scale.holds(grades) | (grades < 0)
        if not kept.all():
            notes.append(_off_scale(grades, kept, scale, numbers, path, off_scale))
            places = np.flatnonzero(kept).tolist()
            topics, docs = [topics[p] for p in places], [docs[p] for p in places]
            numbers, grades = [numbers[p] for p in places], grades[kept]
    odd = odd_qrels(docs, grades, iters) if docs or iters else []
    notes += [f"{path}: {note}" for note in odd]
    qrels = Qrels.from_columns(topics, docs, grades, name=name)
    repeated = np.append(False, (np.diff(qrels.topic) == 0) & (np.diff(qrels.doc) == 0))
    if repeated.any():
        _check_conflicts(topics, docs, grades, numbers, path)
        count = int(repeated.sum())
        notes.append(f"{path}: {count} lines repeat a pair with the same grade and are ignored")
        once = ~repeated
        qrels = replace(
            qrels, topic=qrels.topic[once], doc=qrels.doc[once], grade=qrels.grade[once]
        )
    return qrels, notes


def qrels_form(path: FilePath) -> QrelsForm:
    """Return the form of a qrels file, recognised by the first line; see `read_qrels`.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    with LineBlocks(path) as blocks:
        while block := blocks.read(sizes.HEAD_BLOCK):
            for line in data_lines(block, path=path)[1][:1]:
                fields = line.split()
                if len(fields) != 3:
                    return "trec"
                return "ntcir" if fields[2][:1] in (b"L", b"l") else "columns"
    return "trec"


def write_qrels(qrels: Qrels, path: FilePath, *, form: QrelsForm = "trec") -> None:
    """Write qrels, sorted by topic and doc; the same qrels always give the same bytes.

    Parameters
    ----------
    qrels : Qrels
        The qrels.
    path : path
        The file.
    form : {'trec', 'ntcir', 'columns'}
        `topic 0 docno 2`, `topic docno L2` or `topic docno 2`.

    Raises
    ------
    InputError
        If a topic or a doc could not be read back, for example because it is empty or contains a
        blank.
    """
    write_text(path, qrels_text(qrels, path=path, form=form))


def qrels_text(qrels: Qrels, *, path: FilePath | None = None, form: QrelsForm = "trec") -> str:
    """Return the qrels as the content of a file; errors name the file `path`."""
    check_ids(qrels.topics, what="topic", path=path)
    items = {key: _doc_and_field(key) for key in qrels.docs}
    check_ids((doc for doc, _ in items.values()), what="doc", path=path)
    check_ids((aspect for _, aspect in items.values() if aspect), what="aspect", path=path)
    if form != "trec" and any(aspect for _, aspect in items.values()):
        raise InputError(f"the format {form} cannot store aspects; expected 'trec'", path=path)
    before = _BEFORE_GRADE[form].format
    rows = ((topic, *items[key], grade) for topic, key, grade in qrels.rows())
    return "".join(
        f"{before(topic=topic, doc=doc, aspect=aspect or '0')}{grade_text(grade)}\n"
        for topic, doc, aspect, grade in rows
    )


def _doc_and_field(key: str) -> tuple[str, str]:
    """Return the doc of an item, and its aspect or subtopic as the second field of a line."""
    doc, aspect = item_parts(key)
    return doc, subtopic_name(aspect) or aspect


def stem(path: FilePath) -> str:
    """Return a file's name without its folder and the suffixes of its form."""
    return _without(path, _TEXT_SUFFIXES + _TABLE_SUFFIXES)


def text_stem(path: FilePath) -> str:
    """Return a file's name as `stem` does, but keep the suffix of a table."""
    return _without(path, _TEXT_SUFFIXES)


def _without(path: FilePath, suffixes: Sequence[str]) -> str:
    name = str(path).replace("\\", "/").rsplit("/", 1)[-1]
    for suffix in suffixes:
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            name = name[: -len(suffix)]
    return name


def _grades(fields: list[bytes], numbers: list[int], path: FilePath, *, levels: bool) -> FloatArray:
    distinct: dict[bytes, float] = {}
    for field in dict.fromkeys(fields):
        bare = field[1:] if levels and field[:1] in (b"L", b"l") else field
        distinct[field] = finite_number(bare)
    grades = np.fromiter(map(distinct.__getitem__, fields), np.float64, len(fields))
    if np.isnan(grades).any():
        wrong = int(np.flatnonzero(np.isnan(grades))[0])
        raise InputError(
            f"the grade is {quoted(fields[wrong])}; expected a finite decimal number"
            + (" or L and a number" if levels else ""),
            path=path,
            line=numbers[wrong],
        )
    return grades


def _off_scale(
    grades: FloatArray,
    on_scale: BoolArray,
    scale: Scale,
    numbers: list[int],
    path: FilePath,
    off_scale: str,
) -> str:
    """Raise an error at the first grade outside the scale, or return a note on all such grades."""
    wrong = int(np.flatnonzero(~on_scale)[0])
    problem = f"the grade is {grade_text(grades[wrong])}; expected a level of the scale {scale}"
    if off_scale == "error":
        raise InputError(problem, path=path, line=numbers[wrong])
    count = int((~on_scale).sum())
    return f"{path}:{numbers[wrong]}: {problem}; {count} such grades are treated as missing"


def _check_conflicts(
    topics: list[str], docs: list[str], grades: FloatArray, numbers: list[int], path: FilePath
) -> None:
    """Raise an error at the first pair that is repeated with another grade."""
    first: dict[tuple[str, str], tuple[float, int]] = {}
    for topic, doc, grade, number in zip(topics, docs, grades.tolist(), numbers, strict=True):
        before, line = first.setdefault((topic, doc), (grade, number))
        if before != grade:
            raise InputError(
                f"topic {quoted(topic)} doc {quoted(doc)} has the grade {grade_text(grade)}, but"
                f" the grade {grade_text(before)} on line {line}; expected one grade per pair",
                path=path,
                line=number,
            )
