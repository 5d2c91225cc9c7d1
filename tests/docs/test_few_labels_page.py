"""The table of docs/few-labels.md is what the benchmark measured."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_shows_what_was_measured() -> None:
    made = runpy.run_path(str(DOCS / "make_few_labels.py"))
    text = (DOCS / "few-labels.md").read_text("utf-8")
    assert made["page_with_table"](text, made["read_rows"]()) == text, (
        "python docs/make_few_labels.py"
    )
