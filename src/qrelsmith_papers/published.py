"""The printed tables of the papers, stored as csv with the code of each paper."""

from __future__ import annotations

import csv
from importlib.resources import files
from typing import Any

Row = tuple[Any, ...]


def printed_table(package: str, name: str) -> tuple[tuple[str, ...], list[Row]]:
    """Return the columns and rows of a printed table; numbers that are not printed are nan.

    Parameters
    ----------
    package : str
        The package of the paper, such as `judging_order`.
    name : str
        The file name without suffix.
    """
    path = files("qrelsmith_papers") / package / "published" / f"{name}.csv"
    head, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
    return tuple(head), [tuple(map(_cell, row)) for row in rows]


def _cell(text: str) -> str | int | float:
    """Return a number, unless the text is an id such as 0201."""
    if text.isdigit() and str(int(text)) == text:
        return int(text)
    try:
        return float(text or "nan") if "." in text or not text else text
    except ValueError:
        return text
