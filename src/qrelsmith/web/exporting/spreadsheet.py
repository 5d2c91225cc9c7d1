"""A copy of the judgments for spreadsheets, which interpret some texts as formulas."""

from __future__ import annotations

from pathlib import Path

from qrelsmith.base.spreadsheets import without_formula
from qrelsmith.io.table_writing import write_table
from qrelsmith.judgments.judgment_files import Judgments, judgment_cells
from qrelsmith.judgments.judgment_tables import NUMBERS


def write_for_spreadsheets(judgments: Judgments, path: Path) -> None:
    """Write judgments with an apostrophe before every text that looks like a formula."""
    cells = {
        name: column if name in NUMBERS else [without_formula(cell) for cell in column]
        for name, column in judgment_cells(judgments).items()
    }
    write_table(path, cells, form="csv")
