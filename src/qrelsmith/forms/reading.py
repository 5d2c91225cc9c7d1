"""The format and the columns that the user chose for reading files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypedDict, TypeVar

from qrelsmith.base.errors import UnknownNameError, UsageError, quoted

A = TypeVar("A")
B = TypeVar("B")
# The formats that readers of TREC files know themselves, and names for several formats.
PLAIN_FORMS = ("trec", "ntcir")
ALIASES = {"beir": ("tsv", "jsonl"), "pytrec_eval": ("ranx",), "msmarco": ("msmarco", "tsv")}
ROLES = (
    "topic", "doc", "grade", "assessor", "score", "rank", "run", "left", "right", "outcome",
    "winner", "loser", "text", "title",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FileReading:
    """Settings for reading files.

    Attributes
    ----------
    form : str
        The chosen format if several fit; empty: none.
    columns : mapping of str to str
        The columns of files by their roles.
    words : mapping of str to mapping
        The ids of topics and docs by their texts, for formats that have texts in place of ids.
    """

    form: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


class ReadingOptions(TypedDict, total=False):
    """Keywords of readers: file format and column names that the content does not show.

    Attributes
    ----------
    form : str
        The format if several fit, as in `--from`.
    columns : mapping of str to str
        The columns of files by their roles, as in `--columns`: `{"topic": "question"}`.
    """

    form: str
    columns: Mapping[str, str]


_READING: ContextVar[FileReading | None] = ContextVar("reading", default=None)


def current_reading() -> FileReading:
    """Return the current settings for reading files."""
    return _READING.get() or FileReading()


@contextmanager
def reading(
    form: str | None = None,
    columns: Mapping[str, str] | None = None,
    *,
    words: Mapping[str, Mapping[str, str]] | None = None,
) -> Iterator[None]:
    """Set the format or column names for files that are read inside the block.

    Parameters
    ----------
    form : str, optional
        The format if several fit; by default the content determines it.
    columns : mapping of str to str, optional
        The columns of the files by their roles, as `{"topic": "question"}`.
    words : mapping of str to mapping, optional
        The ids of topics and docs by their texts, for files with texts in place of ids.

    Raises
    ------
    UsageError
        If a role is unknown.
    """
    if form:
        check_form(form)
    for role in columns or {}:
        if role not in ROLES:
            raise UsageError(f"the role {quoted(role)} is unknown; expected {', '.join(ROLES)}")
    before = current_reading()
    named = {**before.columns, **(columns or {})}
    token = _READING.set(FileReading(form or before.form, named, words or before.words))
    try:
        yield
    finally:
        _READING.reset(token)


def bind_reading(function: Callable[[A], B]) -> Callable[[A], B]:
    """Return a function that reads files with the caller's settings, even in another thread."""
    said = current_reading()

    def read(argument: A) -> B:
        token = _READING.set(said)
        try:
            return function(argument)
        finally:
            _READING.reset(token)

    return read


def check_form(name: str) -> None:
    """Raise `UnknownNameError` if no format has this name."""
    from qrelsmith.forms.every import FORMS

    names = dict.fromkeys((*PLAIN_FORMS, *ALIASES, *FORMS.names()))
    if name not in names:
        raise UnknownNameError("form", name, names)


def parsed_columns(text: str) -> dict[str, str]:
    """Parse column names such as `topic=query,doc=document_id`.

    Raises
    ------
    UsageError
        If the text does not have that form, or names a role twice.
    """
    columns: dict[str, str] = {}
    for part in text.split(","):
        role, equals, name = part.partition("=")
        role = role.strip()
        if not equals or not name.strip() or role not in ROLES or role in columns:
            raise UsageError(
                f"--columns {quoted(text)}; expected ROLE=NAME,… with each of"
                f" {', '.join(ROLES)} at most once"
            )
        columns[role] = name.strip()
    return columns
