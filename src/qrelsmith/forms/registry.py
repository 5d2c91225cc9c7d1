"""The registry of formats, each of which recognises files by content and reads columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.registry import REQUIRED, Registry
from qrelsmith.forms.records import Records, records_of
from qrelsmith.io.json_lines import json_records, json_value
from qrelsmith.io.table_reading import TextTable, decoded_text
from qrelsmith.io.text import FilePath, read_bytes


class UnknownFormError(InputError):
    """The error that a file has no known format."""


@dataclass(frozen=True)
class Looked:
    """A file to recognise, with the content and columns that its reader expects.

    Attributes
    ----------
    path : path
        The file.
    line : str
        The first line that is neither blank nor a comment, or its beginning.
    kind : str
        The kind of content that the reader expects: qrels, runs, topics, ….
    kept : collection of str
        Optional columns that the reader knows by name.
    named : mapping of str to str
        The columns that the user named, by role.
    """

    path: FilePath
    line: str
    kind: str
    kept: Collection[str] = ()
    named: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def text(self) -> str:
        """The whole content."""
        return decoded_text(read_bytes(self.path), path=self.path)

    @cached_property
    def fault(self) -> InputError | None:
        """The reason why a file that begins like JSON is not one JSON value."""
        try:
            self.value  # noqa: B018 - evaluated for its error
        except InputError as error:
            fault = error
        else:
            return None
        lines = [line for line in self.text.split("\n") if line.strip()]
        if lines[0].startswith("{") and all(line.startswith("{") for line in lines[:2]):
            try:
                for _ in json_records(self.text, path=self.path):
                    pass
            except InputError as error:
                return error
        return fault

    @cached_property
    def value(self) -> object:
        """The JSON value of the whole file; None if the file does not begin like JSON.

        Raises
        ------
        InputError
            If the file begins like JSON but is not.
        """
        begins_json = self.line.lstrip().startswith(("{", "["))
        return json_value(self.text, path=self.path) if begins_json else None

    @property
    def document(self) -> dict[str, object]:
        """The JSON object of the whole file; empty if the file is not an object."""
        if self.records is not None and self.records.form == "jsonl" and len(self.records) > 1:
            return {}
        value = None if self.fault else self.value
        return value if isinstance(value, dict) else {}

    @cached_property
    def records(self) -> Records | None:
        """The rows under a header or the objects in the file; None if the file has neither."""
        is_words = self.kind in ("topics", "documents")
        return records_of(self.path, self.line, lambda: self.text, quoted_tabs=not is_words)


@dataclass(frozen=True, slots=True)
class FormTable:
    """The columns recognised in a file.

    Attributes
    ----------
    table : TextTable
        The columns that the reader requested, by role, and known optional columns.
    taken : mapping of str to str
        The names of these columns in the file.
    ignored : sequence of str
        The other columns of the file.
    notes : sequence of str
        Notes on other omissions, such as docs without a grade.
    form : str
        The name of the format, filled in by `recognise`.
    unit : str
        The unit of the row numbers: line, task, record; empty: none.
    """

    table: TextTable
    taken: Mapping[str, str]
    ignored: Sequence[str] = ()
    notes: Sequence[str] = ()
    form: str = ""
    unit: str = "line"


def form_table(
    looked: Looked,
    rows: Sequence[Sequence[str]],
    taken: Mapping[str, str],
    *,
    lines: Sequence[int] | None = None,
    ignored: Sequence[str] = (),
    notes: Sequence[str] = (),
    unit: str = "line",
) -> FormTable:
    """Arrange rows as the columns named by `taken`.

    Raises
    ------
    InputError
        If a cell contains an unpaired surrogate.
    """
    places = range(len(taken))
    columns = {name: [row[p] for row in rows] for p, name in zip(places, taken, strict=True)}
    numbers = [1] * len(rows) if lines is None else lines
    for name, cells in columns.items():
        check_characters(cells, numbers, name, looked.path)
    unit = "" if lines is None else unit
    return FormTable(TextTable(looked.path, columns, numbers), taken, ignored, notes, unit=unit)


def check_characters(cells: Sequence[str], lines: Sequence[int], what: str, path: FilePath) -> None:
    """Raise `InputError` at a cell that contains an unpaired surrogate."""
    try:
        "".join(cells).encode()
    except UnicodeEncodeError:
        for cell, line in zip(cells, lines, strict=True):
            if not cell.isascii() and any("\ud800" <= each <= "\udfff" for each in cell):
                raise InputError(
                    f"the {what} {quoted(cell)} contains an unpaired surrogate; "
                    "expected Unicode text",
                    path=path,
                    line=line,
                ) from None


def object_list(value: object) -> list[dict[str, object]]:
    """Return the objects of a JSON list; an empty list if the value is anything else."""
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return value
    return []


# A format returns None for a file that it does not recognise. Attributes of an entry: `kinds` lists
# possible contents; `about` is its documentation; `general` gives precedence to more specific
# formats.
FORMS: Registry[Callable[[Looked], FormTable | None]] = Registry(
    "form", arguments=("looked",), facts={"kinds": REQUIRED, "about": REQUIRED, "general": False}
)
