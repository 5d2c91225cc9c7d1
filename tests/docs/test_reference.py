"""The generated reference pages contain every command, name and column."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import qrelsmith
from qrelsmith.base.registry import Registry
from qrelsmith.cli.stored_commands import command_facts

MADE_HERE = re.compile(r"^([A-Z]\w*): Registry\[.* = Registry\(", re.MULTILINE)


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest) -> ModuleType:
    """Return the module that generates the pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(request.config.rootpath / "docs"))
        return importlib.import_module("make_reference")


def registries(source: Path) -> dict[str, Registry]:
    """Return every registry of the program, by the place where it is created."""
    found = {}
    for file in sorted(source.rglob("*.py")):
        for name in MADE_HERE.findall(file.read_text("utf-8")):
            module = ".".join(("qrelsmith", *file.relative_to(source).with_suffix("").parts))
            found[f"{module}.{name}"] = getattr(importlib.import_module(module), name)
    return found


def test_every_registry_is_in_the_reference(
    made: ModuleType, request: pytest.FixtureRequest
) -> None:
    found = registries(request.config.rootpath / "src/qrelsmith")
    assert len(found) >= 20
    shown = {id(registry) for registry in made.registries().values()}
    missing = [place for place, registry in found.items() if id(registry) not in shown]
    assert not missing, "name them in docs/make_reference.py"


def test_every_registered_name_is_in_the_reference(made: ModuleType) -> None:
    page = made.names_page()
    for heading, registry in made.registries().items():
        section = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        if "| --- |" not in section:  # they have a page, which is compared with the registry
            assert "The page on [" in section
            continue
        rows = [line for line in section.splitlines() if line.startswith("| `")]
        assert [row.split("`")[1] for row in rows] == list(registry.names()), heading


def test_every_command_and_option_is_in_the_reference(made: ModuleType) -> None:
    page = made.commands_page()
    for name in command_facts():
        section = page.partition(f"# qrelsmith {name}\n")[2].partition("\n## ")[0]
        assert f"Usage: qrelsmith {name} [OPTIONS]" in section, name
        assert "Example: " in section, name


def test_every_public_name_is_in_the_reference(made: ModuleType) -> None:
    headings = [line[3:] for line in made.python_page().splitlines() if line.startswith("## ")]
    assert sorted(["__version__", *headings]) == sorted(qrelsmith.__all__)


def test_the_keys_of_campaign_toml_are_those_that_the_reader_knows(made: ModuleType) -> None:
    page = made.formats_page()
    for key in ("title", "measures", "gain", "per_doc", "hit_size", "excerpt", "code", "reward"):
        assert f"`{key}`" in page
    assert "`gold`, `silver`, `bronze`, `llm`" in page


def test_text_from_files_does_not_break_a_table_of_the_reference(made: ModuleType) -> None:
    for page in (made.names_page(), made.formats_page()):
        width = 0
        for line in page.splitlines():
            cells = line.replace("\\|", "").count("|") - 1 if line.startswith("|") else 0
            assert not (cells and width) or cells == width, line
            width = cells


def test_the_pages_in_the_repository_are_up_to_date(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Generated in a separate process, in which no campaign's app is configured."""
    docs = request.config.rootpath / "docs"
    program = [sys.executable, str(docs / "make_reference.py"), str(tmp_path)]
    subprocess.run(program, check=True, capture_output=True)
    made = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text("utf-8") for path in (docs / "reference").iterdir()}
    changed = sorted(name for name in made | kept if made.get(name) != kept.get(name))
    assert not changed, "run: python docs/make_reference.py"


def test_the_stub_is_up_to_date(made: ModuleType) -> None:
    for path, text in made.derived().items():
        assert path.read_text("utf-8") == text, "run: python docs/make_reference.py"
