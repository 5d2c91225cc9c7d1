"""Numbers that are emphasised in tables for people and unchanged for programs."""

from __future__ import annotations

from typing import Any


class Emphasised(float):
    """A number followed by a mark, or in bold.

    Parameters
    ----------
    value : float
        The number.
    is_best : bool
        Whether Markdown, LaTeX and HTML show it in bold.
    mark : str
        Text shown after the number, such as `*`.

    Examples
    --------
    >>> Emphasised(0.5, mark="*") + 1, Emphasised(0.5, mark="*").mark
    (1.5, '*')
    """

    is_best: bool
    mark: str

    def __new__(cls, value: float, *, is_best: bool = False, mark: str = "") -> Emphasised:
        """Create the number with its emphasis."""
        number = super().__new__(cls, value)
        number.is_best, number.mark = is_best, mark
        return number

    def __getnewargs_ex__(self) -> tuple[tuple[float], dict[str, Any]]:
        return (float(self),), {"is_best": self.is_best, "mark": self.mark}


def is_bold(cell: object) -> bool:
    """Return whether a cell is shown in bold."""
    return isinstance(cell, Emphasised) and cell.is_best
