"""The registry of forms: each recognises a file by its content and yields its columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from qrelsmith.base.registry import REQUIRED, Registry
from qrelsmith.io.table_reading import TextTable
from qrelsmith.io.text import FilePath


@dataclass(frozen=True, slots=True)
class Looked:
    """A file that is looked at, and what its reader knows.

    Attributes
    ----------
    path : path
        The file.
    line : str
        Its first line that is neither blank nor a comment, or the begin of it.
    kept : collection of str
        Optional columns that the reader knows by name.
    """

    path: FilePath
    line: str
    kept: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class FormTable:
    """The columns that a form found in a file.

    Attributes
    ----------
    table : TextTable
        The columns topic, doc, grade and perhaps assessor, and those that the reader knows.
    taken : mapping of str to str
        What the file calls them.
    ignored : sequence of str
        The other columns of the file.
    """

    table: TextTable
    taken: dict[str, str]
    ignored: Sequence[str] = ()


# A form gives None of a file that is not of it. `kinds` says what it can hold; `about` is its
# documentation.
FORMS: Registry[Callable[[Looked], FormTable | None]] = Registry(
    "form", arguments=("looked",), facts={"kinds": REQUIRED, "about": REQUIRED}
)
