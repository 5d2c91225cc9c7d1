"""The immutable answer to a question, with a table, notes, and the question."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from qrelsmith.base.questions import Asked
from qrelsmith.base.tables import Table

if TYPE_CHECKING:
    from qrelsmith.base.content import Figure

# Attributes of results in 0.1.0, when results were tables.
_OF_TABLE = ("columns", "rows", "text")


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(ABC):
    """The result of a question, which all interfaces show without further computation.

    Attributes
    ----------
    notes : tuple of str
        Notes on the answer for readers, one sentence each.
    asked : Asked or None
        The question with its options and the digests of its inputs; None for a result that was not
        computed by a question.
    """

    notes: tuple[str, ...] = ()
    asked: Asked | None = field(default=None, repr=False)

    @abstractmethod
    def table(self) -> Table:
        """Return the answer with the columns printed by the command."""

    def figure(self) -> Figure | None:
        """Return a figure of the answer, or None."""
        return None

    def terminal_table(self) -> Table | None:
        """Return a shorter table for a terminal, or None."""
        return None

    def exit_status(self) -> int:
        """Return the exit status of the command, by default 0."""
        return 0

    def output_file(self, output: str) -> str:
        """Return the name of the file to write if the user names `output`."""
        return output

    def file_content(self, form: str | None, output: str | PathLike[str] | None) -> bytes | None:  # noqa: ARG002
        """Return the content of a file in a special format, or None if the file is a table.

        Parameters
        ----------
        form : str, optional
            The requested format of a table.
        """
        return None

    def to_pandas(self) -> Any:
        """Return the table as a pandas DataFrame.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        return self.table().to_pandas()

    def to_polars(self) -> Any:
        """Return the table as a polars DataFrame; see `to_pandas`."""
        return self.table().to_polars()

    def __str__(self) -> str:
        return str(self._table_with_notes())

    def _repr_html_(self) -> str:
        return self._table_with_notes()._repr_html_()

    def _table_with_notes(self) -> Table:
        """Return the table with the notes, which the command prints separately."""
        table = self.table()
        return replace(table, notes=tuple(dict.fromkeys((*table.notes, *self.notes))))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return an attribute of `Table`, because version 0.1.0 returned tables."""
            if name not in _OF_TABLE:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            kind = type(self).__name__
            message = f"{kind}.{name} is removed in the next minor version; use .table().{name}"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return getattr(self.table(), name)
