"""The tables of docs/comparing-settings.md are what the benchmarks measured."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_shows_what_was_measured() -> None:
    made = runpy.run_path(str(DOCS / "make_pdp_compare.py"))
    text = (DOCS / "comparing-settings.md").read_text("utf-8")
    assert made["page_with_tables"](text) == text, "python docs/make_pdp_compare.py"
