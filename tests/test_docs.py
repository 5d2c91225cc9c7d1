"""The docs say what is: commands run, links lead somewhere, every name is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from qrelsmith.aggregation import AGGREGATIONS
from qrelsmith.cli import COMMANDS, run
from qrelsmith.data.run_order import RUN_ORDERS
from qrelsmith.measures import MEASURES
from qrelsmith.pooling import ORDERINGS

ROOT = Path(__file__).resolve().parents[1]
# Pages whose commands run on the demo collection, one after the other.
RUN_PAGES = (
    "README.md",
    "docs/labels.md",
    "docs/plan-campaign.md",
    "docs/pools.md",
    "docs/preferences.md",
    "docs/ranking-trust.md",
    "docs/simulated-campaigns.md",
)
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(path: Path, language: str) -> list[str]:
    return [body for name, body in FENCE.findall(path.read_text("utf-8")) if name == language]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    assert run(["demo", str(folder / "qrelsmith-demo"), "--quiet"]) == 0
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", RUN_PAGES)
def test_the_commands_of_a_page_run(page: str, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo)
    commands = [
        line.partition("#")[0]
        for body in blocks(ROOT / page, "sh")
        for line in body.splitlines()
        if line.startswith("qrelsmith ")
    ]
    assert len(commands) >= 3
    for command in commands:
        words = []
        for word in shlex.split(command)[1:]:
            found = sorted(str(path) for path in Path().glob(word)) if "*" in word else [word]
            words += found
        assert run(words) == 0, command


def test_the_python_of_the_readme_runs(
    demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(demo)
    examples = blocks(ROOT / "README.md", "python")
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})  # noqa: S102 - our own README
    assert capsys.readouterr().out


def test_the_readme_has_two_set_up_commands_that_dev_py_knows() -> None:
    commands = re.findall(r"^python3 dev\.py (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert commands == ["demo", "test"]
    assert all(f'"{verb}": {verb}' in (ROOT / "dev.py").read_text() for verb in commands)


def test_the_page_of_measures_is_what_the_command_prints(tmp_path: Path) -> None:
    printed = tmp_path / "measures.md"
    assert run(["measures", "--format", "markdown", "-o", str(printed)]) == 0
    page = (ROOT / "docs/measures.md").read_text("utf-8")
    assert printed.read_text("utf-8") in page, "run: python docs/make_measures.py"


def test_every_name_is_in_the_docs() -> None:
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    names = (*MEASURES.names(), *RUN_ORDERS.names(), *AGGREGATIONS.names(), *ORDERINGS.names())
    for name in (*COMMANDS, *names):
        assert name in text, name


def test_the_python_examples_import_only_public_names() -> None:
    for page in PAGES:
        for example in blocks(page, "python"):
            assert "from qrelsmith import" in example or "import qrelsmith" in example
