"""Every artefact is on its paper's page, with its command and a comparison with the print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qrelsmith.studies.registry import PAPERS, paper_named

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("key", PAPERS.names())
def test_directories_and_modules_named_on_a_page_exist(key: str) -> None:
    text = (DOCS / "papers" / f"{key}.md").read_text("utf-8")
    source = DOCS.parent / "src"
    named = re.findall(r"`([a-z_]+(?:/[a-z_]+)+|tests/[a-z_/]+\.py)`", text)
    places = [DOCS.parent, source, source / "qrelsmith"]
    gone = [
        name
        for name in named
        if not any((place / f"{name}{end}").exists() for place in places for end in ("", ".py"))
    ]
    assert named
    assert gone == []


@pytest.mark.parametrize("key", PAPERS.names())
def test_every_artefact_is_compared_with_its_paper_on_the_page(key: str) -> None:
    text = (DOCS / "papers" / f"{key}.md").read_text("utf-8")
    names = paper_named(key).artefacts.names()
    assert [name for name in names if f"| `{name}` | " not in text] == []
    assert f"qrelsmith reproduce {key} --artefact " in text
