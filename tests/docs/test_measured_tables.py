"""Tables in the docs equal the measurements, in the form that the benchmark scripts write."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCRIPTS = sorted(
    path.stem for path in DOCS.glob("make_*.py") if "def pages() -> Pages" in path.read_text()
)


@pytest.fixture(scope="module")
def page_tables() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        return importlib.import_module("page_tables")


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_page_shows_the_measured_values(
    script: str, page_tables: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    for page, tables in importlib.import_module(script).pages().items():
        text = page.read_text("utf-8")
        assert page_tables.filled(text, tables) == text, f"python docs/{script}.py"


def test_a_table_without_a_place_is_an_error(page_tables: ModuleType) -> None:
    text = "<!-- one: by hand -->\n\nold\n\n<!-- end of one -->\n"
    assert page_tables.filled(text, {"one": "new"}) == text.replace("old", "new")
    with pytest.raises(ValueError, match="no place for the table two"):
        page_tables.filled(text, {"two": "new"})


def test_every_table_has_a_script() -> None:
    """Every place on a page names a script that writes the table."""
    placed = {
        line.rpartition("docs/")[2].removesuffix(".py -->")
        for page in DOCS.rglob("*.md")
        for line in page.read_text("utf-8").splitlines()
        if line.startswith("<!-- ") and "written by docs/" in line
    }
    assert placed == set(SCRIPTS)
