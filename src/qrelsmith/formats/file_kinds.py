"""The kind and the format of a file, detected from its content."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from qrelsmith.answers.answer_tables import table_answers, table_rows
from qrelsmith.answers.aspect_forms import aspect_columns, foreign_aspects
from qrelsmith.answers.aspects import KINDS
from qrelsmith.base.errors import InputError, quoted
from qrelsmith.collection.document_markup import is_document_markup
from qrelsmith.collection.documents import folder_form
from qrelsmith.collection.topics import is_topic_header, split_header
from qrelsmith.forms.reading import PLAIN_FORMS, current_reading
from qrelsmith.forms.recognising import is_trec, recognise
from qrelsmith.forms.registry import FormTable, UnknownFormError
from qrelsmith.io.format_marks import head
from qrelsmith.io.json_rows import first_text
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.table_reading import first_data_line
from qrelsmith.io.text import read_bytes

_LONG = 300  # longer texts are docs rather than topics
_NAMES = ("corpus", "doc", "passage", "collection")
_SYSDESC = "<SYSDESC>"
_PAGE = ("<!doctype html", "<html")
_KEY = re.compile(r'"([^"\\]+)"\s*:')
# Kinds that are identified by a unique combination of columns or keys.
_OWN_TABLES = (
    ("scores", "", {"run", "topic", "measure", "score"}),
    ("assignments", "", {"topic", "assessor", "ordering", "seed"}),
    ("sample", "", {"topic", "doc", "wave", "probability"}),
    ("aspects", "", {"aspect", "kind", "text"}),
    ("answers", "", {"answer", "nuggets"}),
    ("answers", "", {"response", "nuggets"}),
    ("answers", "promptfoo", {"results", "vars", "response"}),
    ("answers", "Inspect", {"samples", "completion"}),
    ("aspects", "AutoJudge", {"nugget_bank"}),
    ("aspects", "DRAGUN", {"rubrics", "short_answers"}),
    ("aspects", "nuggetizer", {"nuggets", "text", "importance"}),
    ("answers", "TREC RAG", {"references", "citations"}),
    ("answers", "TREC RAG", {"answer", "citations"}),
    ("answers", "TREC RAG", {"responses", "citations"}),
)


@dataclass(frozen=True, slots=True)
class FileKind:
    """The kind of a file.

    Attributes
    ----------
    kind : str
        qrels, judgments, runs, topics, documents, preferences, pool, answers, or one of qrelsmith's
        own tables; empty: unknown.
    form : str
        The format.
    reason : str
        Why the kind is unknown.
    """

    kind: str
    form: str = ""
    reason: str = ""


def kind_of_file(path: str) -> FileKind:
    """Detect the kind and the format of a file.

    Raises
    ------
    InputError
        If the file cannot be read, is empty, or malformed.
    """
    if Path(path).is_dir():
        return FileKind("documents", folder_form(path) or "pages")
    content = head(path)
    if not content:
        read_bytes(path)  # reports why it cannot be read
        return FileKind("", reason="the file is empty")
    if content.startswith(b"# pool format="):
        return FileKind("pool", "trec")
    line = first_data_line(content.decode("utf-8", "replace"))
    if line is None:
        return FileKind("", reason="the file has only blank lines and comments")
    if content.startswith(b"WARC/"):
        return FileKind("documents", "warc")
    if is_document_markup(content.lstrip()[:5]):
        return FileKind("documents", "trec")
    if line.lower().startswith(_PAGE):
        return FileKind("", reason="an HTML page; expected a folder that contains only pages")
    whole = content.decode("utf-8", "replace") if line.strip() in ("{", "[") else line
    return _of_own_table(path, whole) or _of_lines(path, line) or _of_tables(path, line)


def _of_own_table(path: str, line: str) -> FileKind | None:
    """Return the kind of a qrelsmith table or of a file of answers, if unique columns show it."""
    if line.lstrip().startswith(("{", "[")):
        names, form = set(_KEY.findall(line)), "jsonl"
    else:
        form = "tsv" if "\t" in line else "csv"
        names = {name.strip('" ') for name in line.split("\t" if form == "tsv" else ",")}
    if current_reading().columns:
        return None
    if "assignment" in names and "nuggets" in names:
        return None  # labels of nuggets
    kinds = (FileKind(kind, own or form) for kind, own, columns in _OWN_TABLES if columns <= names)
    if (found := next(kinds, None)) is not None:
        return found
    kind = aspect_columns(sorted(names)).get("kind", "")
    # Topics and docs can have such columns, too.
    is_aspect = bool(kind) and first_text(next(table_rows(path, line), (0, {}))[1], kind) in KINDS
    return FileKind("aspects", form) if is_aspect else None


def files_by_kind(paths: Iterable[str], *more: str) -> dict[str, list[str]]:
    """Sort files into labels, runs, topics and docs, with at most one file of topics and of docs.

    Parameters
    ----------
    paths : iterable of str
        The files.
    *more : str
        Further kinds of files that are allowed.

    Raises
    ------
    InputError
        If a file has another kind, or is a second file of topics or docs.
    """
    files: dict[str, list[str]] = {"qrels": [], "runs": [], "topics": [], "documents": []}
    files |= {kind: [] for kind in more}
    for path in paths:
        found = kind_of_file(path)
        kind = "qrels" if found.kind == "judgments" else found.kind
        if kind not in files:
            expected = ", ".join([*more, "labels, a run, topics or docs"])
            raise InputError(f"{found.reason or kind}; expected {expected}", path=path)
        if files[kind] and kind in ("topics", "documents"):
            raise InputError(
                f"found a second file of {kind} besides {files[kind][0]}; expected one", path=path
            )
        files[kind].append(path)
    return files


def _of_lines(path: str, line: str) -> FileKind | None:
    """Return the kind of a file in markup or in the lines of TREC, NTCIR or MS MARCO, or None."""
    if line.startswith(_SYSDESC):
        return FileKind("runs", "ntcir")
    if line.lstrip().startswith("<"):
        return FileKind("topics", "trec" if "<top" in line.lower() else "xml")
    if current_reading().form and current_reading().form not in PLAIN_FORMS:
        return None
    if is_trec(line, "runs"):
        return FileKind("runs", "trec")
    fields = line.split()
    if line.lstrip()[:1] in ("@", "!"):
        return FileKind("preferences", "text")
    if len(line.split("\t")) == 3 and finite_number(fields[-1].encode()) >= 1:
        table = recognise(path, "runs")  # MS MARCO's ranks increase from 1
        if table is not None and _are_ranks(table):
            return FileKind("runs", table.form)
    if is_trec(line, "qrels") and len(line.split("\t")) != 2:
        table = recognise(path, "qrels")
        return FileKind("qrels", "trec" if table is None else table.form)
    return None


def _of_tables(path: str, line: str) -> FileKind:
    """Return the kind of another program's file, from its columns."""
    faults: list[UnknownFormError] = []
    fits: dict[str, FormTable] = {}
    for kind in ("preferences", "judgments", "runs", "topics", "documents"):
        try:
            table = recognise(path, kind, kept=("rank",) if kind == "runs" else ())
        except UnknownFormError as error:
            faults.append(error)
            continue
        except InputError:
            if kind in ("preferences", "judgments", "runs"):
                raise  # a known format, but malformed
            continue
        if table is not None and len(table.table):
            fits[kind] = table
    kind = _choose_kind(fits, path)
    if kind in ("", "topics", "documents") and (found := _of_answers(path, line, bool(kind))):
        return found
    if kind:
        form = fits[kind].form
        is_qrels = kind == "judgments" and "assessor" not in fits[kind].taken
        return FileKind("qrels" if is_qrels else kind, form)
    cells = line.split("\t")
    if len(cells) > 1 and not is_topic_header(split_header(line)):
        return FileKind("documents" if max(map(len, cells)) > _LONG else "topics", "tsv")
    fields = line.split()
    is_winner = len(fields) != 4 or fields[3] in (*fields[1:3], "tie")
    if not is_winner and _is_number(fields[2]):
        reason = "the third field is a number, the fourth is not; expected topic iter docno grade"
        return FileKind("", reason=f"{reason} (are columns swapped?)")
    if not is_winner and not faults:
        reason = f"the last field is {quoted(fields[3])}; expected a number as the grade, or the"
        return FileKind(
            "", reason=f"{reason} winner of {quoted(fields[1])} and {quoted(fields[2])}"
        )
    if len(fields) in (3, 4) and not faults:
        return FileKind("preferences", "text")
    if faults:
        raise faults[min(1, len(faults) - 1)]  # the error for labels
    return FileKind("", reason="neither labels, runs, topics, docs nor preferences")


def _of_answers(path: str, line: str, has_texts: bool) -> FileKind | None:
    """Detect answers (also texts with contexts) or aspects by the first row, or return None."""
    if has_texts and "context" not in line and line.strip() not in ("{", "["):
        return None  # without reading a large file of docs again
    form = "jsonl" if line.lstrip()[:1] in ("{", "[") else "tsv" if "\t" in line else "csv"
    try:
        answer = next(table_answers(path, line), None)
    except InputError:
        is_nuggets = not has_texts and bool(foreign_aspects(path))
        return FileKind("aspects", form) if is_nuggets else None
    is_answer = answer is not None and (not has_texts or bool(answer.contexts))
    return FileKind("answers", form) if is_answer else None


def _is_number(text: str) -> bool:
    return not math.isnan(finite_number(text.encode()))


def _choose_kind(fits: dict[str, FormTable], path: str) -> str:
    """Choose from the kinds that fit: labels and runs take precedence over texts."""
    if "preferences" in fits:
        return "preferences"
    if {"judgments", "runs"} <= fits.keys():
        labels = fits["judgments"].taken
        is_labels = labels.get("grade") == "grade" and "assessor" in labels
        return "runs" if not is_labels and _is_run(fits["runs"]) else "judgments"
    for kind in ("judgments", "runs"):
        if kind in fits:
            return kind
    if {"topics", "documents"} <= fits.keys():
        texts = fits["documents"].table.columns.get("text", ())
        named = {"title", "url", "html"} & fits["documents"].taken.keys()
        # Short texts with `_id` can be topics or docs: then the file name decides.
        is_named = any(word in Path(path).name.lower() for word in _NAMES)
        is_long = sum(map(len, texts)) > _LONG * max(1, len(texts))
        return "documents" if named or is_long or is_named else "topics"
    return next(iter(fits), "")


def _is_run(table: FormTable) -> bool:
    """Return whether numbers are scores: there are ranks or run names, or a number is not whole."""
    if {"rank", "run"} & table.taken.keys():
        return True
    numbers = [finite_number(cell.encode()) for cell in table.table.columns["score"]]
    return any(number % 1 for number in numbers)


def _are_ranks(table: FormTable) -> bool:
    """Return whether the ranks of some topic are 1, 2, 3, …."""
    columns = table.table.columns
    ranks: dict[str, list[str]] = {}
    for topic, score in zip(columns["topic"], columns["score"], strict=True):
        ranks.setdefault(topic, []).append(score.lstrip("-"))
    longest = max(ranks.values(), key=len)
    return sorted(longest, key=len) == longest and len(set(longest)) == len(longest) > 1
