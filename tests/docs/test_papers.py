"""Every artefact stands on its paper's page, with its command and held against print."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.studies.registry import PAPERS, paper_named

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("key", PAPERS.names())
def test_every_artefact_is_held_against_its_paper_on_the_page(key: str) -> None:
    text = (DOCS / "papers" / f"{key}.md").read_text("utf-8")
    missing = [
        name
        for name in paper_named(key).artefacts.names()
        if f"| `{name}`" not in text and f"--artefact {name}` | " not in text
    ]
    assert missing == []
    for name in paper_named(key).artefacts.names():
        assert f"`{key} --artefact {name}`" in text
