"""Records of CSV and TSV text (RFC 4180), with the line on which each record begins.

A cell with the delimiter, a quote or a line break is quoted, and quotes inside it are doubled.
Blank lines and lines whose first character is `#` are ignored between records; inside a quoted
cell, such lines belong to the cell.
"""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Iterator, Sequence

from qrelsmith.base.errors import InputError, InputWarning, quoted
from qrelsmith.io.text import FilePath

LONGEST_CELL = 131_072


class CsvRecords:
    """The records of a CSV text, with the line on which each record begins."""

    def __init__(self, text: str, delimiter: str, path: FilePath) -> None:
        self.first = 0
        self._lines = text.split("\n")
        if not self._lines[-1]:
            self._lines.pop()
        self._next = 0
        self._may_quote = '"' in text
        self._has_quotes = False
        self._delimiter = delimiter
        self._path = path
        self._comments: list[int] = []
        cell = rf'(?:"(?:[^"]++|"")*+"|[^"{delimiter}\n]*+)'
        self._sound = re.compile(rf"{cell}(?:{delimiter}{cell})*+")

    def __iter__(self) -> Iterator[list[str]]:
        return self._quoted_records() if self._may_quote else self._plain()

    def _plain(self) -> Iterator[list[str]]:
        """Yield the records of a text without quotes: one per line."""
        for place, line in enumerate(self._lines):
            if line.startswith("#"):
                self._comments.append(place)
            elif line.strip(" \t"):
                self.first = place + 1
                yield line.split(self._delimiter)

    def _quoted_records(self) -> Iterator[list[str]]:
        reader = csv.reader(self._feed(), delimiter=self._delimiter, strict=True)
        while self._pass_over():
            try:
                record = next(reader)
            except csv.Error as error:
                raise self._fault(f"the record cannot be read ({error})") from None
            if self._has_quotes and not self._sound.fullmatch(
                "\n".join(self._lines[self.first - 1 : self._next])
            ):
                raise self._fault("an unquoted cell contains a quote")
            yield record

    def _feed(self) -> Iterator[str]:
        while self._next < len(self._lines):
            line = self._lines[self._next]
            self._next += 1
            self._has_quotes |= '"' in line
            yield line + "\n"

    def _pass_over(self) -> bool:
        """Go to the first line of the next record; return False at the end of the text."""
        while self._next < len(self._lines):
            line = self._lines[self._next]
            if line.startswith("#"):
                self._comments.append(self._next)
            elif line.strip(" \t"):
                self.first = self._next + 1
                self._has_quotes = False
                return True
            self._next += 1
        return False

    def _fault(self, problem: str) -> InputError:
        shown = quoted(self._lines[self.first - 1])
        return InputError(
            f"{problem}, from {shown}; expected quotes around the whole cell, doubled "
            f"quotes inside it, and at most {LONGEST_CELL} characters",
            path=self._path,
            line=self.first,
        )

    def warn_of_comments(self, width: int) -> None:
        """Warn about comments that may be rows whose first cell begins with `#`."""
        alike = [n for n in self._comments if self._lines[n].count(self._delimiter) == width - 1]
        if alike and width > 1:
            warnings.warn(
                f"{self._path}:{alike[0] + 1}: {len(alike)} lines with {width} cells "
                "begin with # and were ignored as comments. If these lines are data, quote the "
                "first cell",
                InputWarning,
                stacklevel=2,
            )


def csv_line(cells: Sequence[str], delimiter: str) -> str:
    """Return a record with its newline, with quotes only where they are necessary."""
    written = [_quote(cell) if _needs_quotes(cell, delimiter) else cell for cell in cells]
    if cells[0].startswith("#") and not written[0].startswith('"'):
        written[0] = _quote(cells[0])
    line = delimiter.join(written)
    return (line if line.strip(" \t") else '""' + line) + "\n"


def one_line_end(cell: str) -> str:
    """Return the cell with LF for every line end, as in CSV."""
    return cell.replace("\r\n", "\n").replace("\r", "\n") if "\r" in cell else cell


def _needs_quotes(cell: str, delimiter: str) -> bool:
    # A line of blanks only would be ignored.
    return delimiter in cell or '"' in cell or "\n" in cell or (cell != "" and not cell.strip())


def _quote(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'
