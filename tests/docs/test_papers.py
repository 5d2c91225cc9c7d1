"""The tables of artefacts and claims on the pages of the papers are those that were made."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from qrelsmith.studies.registry import PAPERS, paper_named

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("key", PAPERS.names())
def test_a_page_names_every_artefact_with_its_kind(key: str) -> None:
    made = runpy.run_path(str(DOCS / "make_papers.py"))
    text = (DOCS / "papers" / f"{key}.md").read_text("utf-8")
    assert made["page_with_tables"](text, paper_named(key)) == text, "python docs/make_papers.py"
    for entry in paper_named(key).artefacts.entries():
        assert f"`{key} --artefact {entry.name}`" in text


@pytest.mark.parametrize("key", PAPERS.names())
def test_every_artefact_is_held_against_its_paper_on_the_page(key: str) -> None:
    text = (DOCS / "papers" / f"{key}.md").read_text("utf-8")
    missing = [
        name
        for name in paper_named(key).artefacts.names()
        if f"| `{name}`" not in text and f"--artefact {name}` | " not in text
    ]
    assert missing == []
