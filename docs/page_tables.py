"""Tables in pages of docs that scripts write from what was measured.

A page marks a table's place by two comments; what stands between them is the script's:

    <!-- NAME: written by docs/make_….py -->

    <!-- end of NAME -->

Each `make_….py` that writes such tables has `pages()`: by page the tables, by place.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

DOCS = Path(__file__).parent
MEASURED = DOCS / "measured"
Row: TypeAlias = dict[str, str]
Pages: TypeAlias = Mapping[Path, Mapping[str, str]]


def measured_rows(name: str) -> list[Row]:
    """The rows of a csv file that a benchmark wrote."""
    with (MEASURED / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """A table; the first `words` columns are text, the others numbers at the right."""
    rule = [" --- " if place < words else " ---: " for place in range(len(heads))]
    body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([f"| {' | '.join(heads)} |", f"|{'|'.join(rule)}|", *body])


def short(value: float | str, digits: int = 3) -> str:
    """A share without the 0 before its point."""
    return f"{float(value):.{digits}f}".removeprefix("0")


def has_place(page: Path, name: str) -> bool:
    """Whether a page has a place for a table."""
    return bool(_place(name).search(page.read_text("utf-8")))


def filled(text: str, tables: Mapping[str, str]) -> str:
    """The text of a page with its tables as they should be."""
    for name, table in tables.items():
        place = _place(name)
        if not place.search(text):
            raise ValueError(f"no place for the table {name}")
        body = f"\n{table.rstrip()}\n\n"
        text = place.sub(lambda found, body=body: f"{found[1]}{body}{found[2]}", text, count=1)
    return text


def write(pages: Pages) -> None:
    """Write all of them."""
    for page, tables in pages.items():
        page.write_text(filled(page.read_text("utf-8"), tables), "utf-8")


def _place(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"(<!-- {re.escape(name)}: [^\n]*-->\n).*?(<!-- end of {re.escape(name)} -->)", re.DOTALL
    )
