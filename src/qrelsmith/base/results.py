"""The answer to a question: frozen, with its table, its notes, and what was asked."""

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

# What a result had in 0.1.0, where it was a table.
_OF_TABLE = ("columns", "rows", "text")


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(ABC):
    """The result of a question; every face shows this and computes nothing.

    Attributes
    ----------
    notes : tuple of str
        What a reader must know of the answer, a sentence each.
    asked : Asked or None
        The question with its options and the digests of its inputs; None for a result that was not
        made by asking a question.
    """

    notes: tuple[str, ...] = ()
    asked: Asked | None = field(default=None, repr=False)

    @abstractmethod
    def table(self) -> Table:
        """Return the answer with the columns that the command prints."""

    def figure(self) -> Figure | None:
        """Return a picture of the answer, where one helps."""
        return None

    def terminal_table(self) -> Table | None:
        """Return a shorter table for a terminal, where there is one."""
        return None

    def exit_status(self) -> int:
        """Return the exit status of the command: 0, unless another was asked for."""
        return 0

    def output_file(self, output: str) -> str:
        """Return the file to write where the output was named."""
        return output

    def file_content(self, form: str | None, output: str | PathLike[str] | None) -> bytes | None:  # noqa: ARG002
        """Return the result as a file of its own format, where it is not a table.

        Parameters
        ----------
        form : str, optional
            The format of a table that was asked for.
        """
        return None

    def to_pandas(self) -> Any:
        """Return the table as a pandas data frame.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        return self.table().to_pandas()

    def to_polars(self) -> Any:
        """Return the table as a polars data frame; see `to_pandas`."""
        return self.table().to_polars()

    def __str__(self) -> str:
        return str(self._table_with_notes())

    def _repr_html_(self) -> str:
        return self._table_with_notes()._repr_html_()

    def _table_with_notes(self) -> Table:
        """Return the table with the notes, which the command says beside it."""
        table = self.table()
        return replace(table, notes=tuple(dict.fromkeys((*table.notes, *self.notes))))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return an attribute of `Table`, for one minor version: 0.1.0 returned tables."""
            if name not in _OF_TABLE:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            kind = type(self).__name__
            message = f"{kind}.{name} goes with the next minor version; use .table().{name}"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return getattr(self.table(), name)
