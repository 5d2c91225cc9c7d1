"""Files of grade-level preference matrices: CSV without header, one line per level."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io.csv_records import CsvRecords
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.writing import write_text

_EXPECTED = "expected CSV without a header, with a row and a column for each level, lowest first"


def read_matrix(path: FilePath) -> FloatArray:
    """Read the numbers of a square matrix [level, level]; `nan` is an unknown cell.

    `GradeMatrix.from_values` checks that the numbers are complementary probabilities.

    Raises
    ------
    InputError
        If a cell is not a number, or a line does not have one cell per line of the file.
    """
    try:
        text = read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"the file is not UTF-8; {_EXPECTED}", path=path) from None
    records = CsvRecords(text, ",", path)
    rows: list[list[float]] = []
    lines: list[int] = []
    for cells in records:
        rows.append([_number(cell, path, records.first) for cell in cells])
        lines.append(records.first)
    if not rows:
        raise InputError(f"the file is empty; {_EXPECTED}", path=path)
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(rows):
            raise InputError(
                f"found {len(row)} cells in a matrix of {len(rows)} lines; {_EXPECTED}",
                path=path,
                line=line,
            )
    return np.array(rows, dtype=np.float64)


def write_matrix(matrix: FloatArray, path: FilePath) -> None:
    """Write a matrix [level, level] with all digits, atomically."""
    write_text(path, "".join(",".join(map(repr, row)) + "\n" for row in matrix.tolist()))


def _number(cell: str, path: FilePath, line: int) -> float:
    try:
        if "_" in cell:
            raise ValueError  # float() accepts 1_000, which files must not contain
        return float(cell)
    except ValueError:
        raise InputError(
            f"{quoted(cell)} is not a number; {_EXPECTED}", path=path, line=line
        ) from None
