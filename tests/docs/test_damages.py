"""The tables of docs/damages.md are what the benchmark counted."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_shows_what_was_counted() -> None:
    made = runpy.run_path(str(DOCS / "make_damages.py"))
    text = (DOCS / "damages.md").read_text("utf-8")
    assert made["page_with_tables"](text, made["read_counts"]()) == text, (
        "python docs/make_damages.py"
    )
