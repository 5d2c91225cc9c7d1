"""Recognition of other programs' files by their content."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from qrelsmith.base.errors import InputError, InputNote, InputWarning, quoted
from qrelsmith.forms.reading import ALIASES, PLAIN_FORMS, FileReading, current_reading
from qrelsmith.io.format_marks import head
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.table_reading import TextTable, first_data_line
from qrelsmith.io.text import FilePath

if TYPE_CHECKING:
    from qrelsmith.forms.registry import FormTable, Looked


def recognise(path: FilePath, kind: str, *, kept: Collection[str] = ()) -> FormTable | None:
    """Read a file of another program; return None for a TREC file or an unknown format.

    Parameters
    ----------
    path : path
        The file.
    kind : str
        The kind of content that the reader expects: qrels, runs, judgments, preferences.
    kept : collection of str
        Optional columns that the reader knows by name.

    Raises
    ------
    InputError
        If the file has a known format but is malformed, or fits two formats.
    """
    said = current_reading()
    if said.form in PLAIN_FORMS:
        return None
    content = head(path)
    line = first_data_line(content.decode("utf-8", "replace"))
    if line is None:
        return None
    if is_trec(line, kind):  # and no other format, for any ids
        return _subtopics(path, line, kind) if _may_be_subtopics(content, kind) else None
    return _of_other_program(path, line, kind, kept, said)


def tell(table: FormTable, *, ignored: Collection[str] = ()) -> TextTable:
    """Report the used columns in a note, and return the table.

    Parameters
    ----------
    table : FormTable
        The columns that were recognised.
    ignored : collection of str
        Roles that the reader does not use.
    """
    taken = [f"{role} from {name}" for role, name in table.taken.items() if role not in ignored]
    passed = [*(table.taken[role] for role in ignored if role in table.taken), *table.ignored]
    said = current_reading().form
    notes = [f"read as {table.form}: {', '.join(taken)}"]
    if table.form in (said, *ALIASES.get(said, ())):  # the user named the format
        notes = []
    odd = [f"ignored: {', '.join(passed)}"] if passed else []
    odd += table.notes
    if notes or odd:
        text = f"{table.table.path}: {'; '.join([*notes, *odd])}"
        warnings.warn(text, InputWarning if odd else InputNote, stacklevel=4)
    return table.table


def is_trec(line: str, kind: str) -> bool:
    """Return whether a line belongs to a TREC or NTCIR file of this kind."""
    fields = line.encode("utf-8", "replace").split()  # at ASCII blanks, like the readers
    if kind == "runs":
        if line.startswith("<SYSDESC>"):
            return True
        return len(fields) >= 5 and not math.isnan(finite_number(fields[4]))
    if len(fields) not in (3, 4):
        return False
    return not math.isnan(finite_number(fields[-1].lstrip(b"Ll")))


def _of_other_program(
    path: FilePath, line: str, kind: str, optional: Collection[str], said: FileReading
) -> FormTable | None:
    # Slow imports are done only for files of other programs.
    from qrelsmith.forms.every import FORMS
    from qrelsmith.forms.registry import Looked
    from qrelsmith.forms.word_grades import with_word_grades

    looked = Looked(path, line, kind, optional, said.columns)
    # Qrels are judgments by one assessor.
    kinds = {kind, "qrels"} if kind == "judgments" else {kind}
    entries = [entry for entry in FORMS.entries() if not kinds.isdisjoint(entry.about["kinds"])]
    wanted = ALIASES.get(said.form, (said.form,))
    chosen = [entry for entry in entries if entry.name in wanted]
    for group in (
        chosen,
        [entry for entry in entries if not entry.about["general"]],
        [entry for entry in entries if entry.about["general"]],
    ):
        fitting = {entry.name: found for entry in group if (found := entry.function(looked))}
        if len(fitting) > 1:
            raise InputError(
                f"the file fits {' and '.join(fitting)}; expected one format. Choose it with "
                f"--from {' or --from '.join(fitting)}",
                path=path,
            )
        for name, fits in fitting.items():
            table = fits.table
            for role, ids in said.words.items():
                table = _with_ids(table, role, ids)
            return with_word_grades(replace(fits, form=name, table=table))
    _refuse(looked)
    return None


def _with_ids(table: TextTable, role: str, ids: Mapping[str, str]) -> TextTable:
    """Replace the texts of topics or docs by their ids.

    Raises
    ------
    InputError
        At a text that belongs to no topic or doc, or to several.
    """
    if not ids or role not in table.columns:
        return table
    named = [ids.get(cell, cell) for cell in table.columns[role]]
    for cell, name, line in zip(table.columns[role], named, table.lines, strict=True):
        if not name or (name == cell and len(cell.split()) > 1):
            found = "no" if name else "several"
            raise InputError(
                f"{found} {role}s have the text {quoted(cell)}; expected one with this text in"
                f" {'--topics' if role == 'topic' else '--documents'}",
                path=table.path,
                line=line,
            )
    return replace(table, columns={**table.columns, role: named})


@contextmanager
def locate_errors(table: FormTable) -> Iterator[None]:
    """Name the task or record in errors raised in the block, if the file has no line numbers.

    Raises
    ------
    InputError
        The error of the block.
    """
    try:
        yield
    except InputError as error:
        if table.unit == "line" or error.line is None:
            raise
        problem = error.problem.replace(" on line ", f" in {table.unit} " if table.unit else " at ")
        place = f"{table.unit} {error.line}: " if table.unit else ""
        raise InputError(f"{place}{problem}", path=error.path) from None


def _refuse(looked: Looked) -> None:
    """Raise a more precise error about a file than the reader for TREC lines can.

    Raises
    ------
    InputError
        If the file is JSON, Parquet or a table of an unknown format.
    """
    from qrelsmith.forms.registry import UnknownFormError
    from qrelsmith.forms.tables import missing_columns

    begin = looked.line.lstrip()[:1]
    records = looked.records
    if begin in ("{", "[") and records is None and looked.fault is not None:
        raise looked.fault
    if looked.kind in ("topics", "documents"):
        return
    if records is not None:
        is_known, problem = missing_columns(looked, records.names)
        if is_known or records.form != "tsv":
            is_text = records.form != "parquet"
            line = looked.text.partition(looked.line)[0].count("\n") + 1 if is_text else None
            raise UnknownFormError(problem, path=looked.path, line=line)
    elif begin in ("{", "["):
        names = ", ".join(list(looked.document)[:5])
        held = f"an object with {quoted(names)}" if names else "a list"
        raise UnknownFormError(
            f"unknown JSON format: {held}; expected {looked.kind}", path=looked.path
        )
    elif len(looked.line.split()) == 1 and looked.line.count(",") > 1:
        raise UnknownFormError(
            f"the fields of {quoted(looked.line)} are separated by commas and have no "
            "header; expected spaces, or a header such as topic,doc,grade",
            path=looked.path,
        )


def _subtopics(path: FilePath, line: str, kind: str) -> FormTable | None:
    from qrelsmith.forms.registry import Looked
    from qrelsmith.forms.text_lines import subtopics

    table = subtopics(Looked(path, line, kind))
    return None if table is None else replace(table, form="ndeval")


def _may_be_subtopics(content: bytes, kind: str) -> bool:
    """Return whether the second column of a qrels file varies, as with subtopics."""
    if kind not in ("qrels", "judgments"):
        return False
    rows = [line.split() for line in content.split(b"\n") if not line.startswith(b"#")]
    return len({row[1] for row in rows if len(row) == 4}) > 1
