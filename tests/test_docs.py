"""The docs are up to date: commands and examples work, links have targets, every page is linked."""

from __future__ import annotations

import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.request import urlopen

import pytest

from qrelsmith import Scale, agree, compare, read_qrels
from qrelsmith.cli import run

ROOT = Path(__file__).resolve().parents[1]
# Pages whose commands run in order, beside a separate demo collection.
RUN_PAGES = (
    "README.md",
    "docs/labels.md",
    "docs/llm-judges.md",
    "docs/operators.md",
    "docs/organisers.md",
    "docs/plan-campaign.md",
    "docs/pools.md",
    "docs/preferences.md",
    "docs/ranking-trust.md",
    "docs/simulated-campaigns.md",
)
# Simulations take long.
LONG_PAGES = dict.fromkeys(("docs/plan-campaign.md", "docs/ranking-trust.md"), pytest.mark.full)
# Pages whose Python code uses a served app, without qrelsmith.
CLIENTS = ("model-assessors.md",)
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
# Pages whose Python code runs in the same way, all code of a page at once.
PYTHON_PAGES = ("README.md", "docs/preferences.md", "docs/python.md")
# Django is configured once per process: these commands run in a separate process.
OF_THE_APP = ("backup", "export", "forget", "import", "invite", "migrate", "restore", "verify")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,4} (.+)$", re.MULTILINE)
MOST_PICTURES = 600_000

all_pages = pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix()
)


def blocks(path: Path, language: str) -> list[str]:
    return [body for name, body in FENCE.findall(path.read_text("utf-8")) if name == language]


def commands(path: Path, program: str) -> list[list[str]]:
    """Return the words after the name of a program, of every such line in a block of shell code."""
    lines = [line for body in blocks(path, "sh") for line in body.splitlines()]
    found = [line.partition("  #")[0] for line in lines if line.startswith(f"{program} ")]
    return [shlex.split(line)[1:] for line in found]


def expanded(words: list[str]) -> list[str]:
    """Return words as a shell passes them."""
    found: list[str] = []
    for word in words:
        found += sorted(str(path) for path in Path().glob(word)) if "*" in word else [word]
    return found


def carried_out(words: list[str]) -> int:
    """Return the exit status of a command; a server is asked for its health and then ended."""
    if words[0] not in (*OF_THE_APP, "serve"):
        return run(words)
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    command = [sys.executable, "-m", "qrelsmith", *words]
    if words[0] != "serve":
        return subprocess.run(command, env=environment, capture_output=True).returncode
    # Only the port differs from the page, since another program may use it.
    with subprocess.Popen(
        [*command, "--port", "0", "--quiet"], stdout=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stdout is not None
        for line in server.stdout:
            if line.startswith("Listening at "):
                with urlopen(line.split()[-1] + "/health") as answer:  # noqa: S310 - our own
                    assert answer.read() == b"ok\n"
                server.terminate()
    return server.returncode


@pytest.fixture
def demo(small_demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a small demo collection, which a page may change."""
    shutil.copytree(small_demo, tmp_path / "qrelsmith-demo")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=LONG_PAGES.get(page, ())) for page in RUN_PAGES]
)
def test_the_commands_of_a_page_work(page: str, demo: Path, capsys) -> None:
    asked = commands(ROOT / page, "qrelsmith")
    assert len(asked) >= 3
    if any(words[0] in OF_THE_APP for words in asked):
        pytest.importorskip("django", reason="needs the extra web")
    for words in asked:
        assert carried_out(expanded(words)) == 0, words
        assert "the old form works until" not in capsys.readouterr().err, words


@pytest.mark.slow
@pytest.mark.parametrize("page", PYTHON_PAGES)
def test_the_python_code_of_a_page_works(page: str, demo: Path, capsys) -> None:
    examples = blocks(ROOT / page, "python")
    names: dict[str, object] = {}
    for example in examples:
        exec(compile(example, page, "exec"), names)  # noqa: S102 - our own page
    assert capsys.readouterr().out
    assert re.search(r"^(from|import) qrelsmith\b", examples[0], re.MULTILINE)


def test_the_measure_on_the_page_is_a_plugin_and_keeps_the_contracts(
    made_demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrelsmith-demo").symlink_to(made_demo)
    page = ROOT / "docs/new-measure.md"
    (program,) = blocks(page, "python")
    Path("my_measure.py").write_text(program, encoding="utf-8")

    def python(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], capture_output=True, text=True, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "src")])},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    (doctest,) = commands(page, "python")[:1]
    python(*doctest)
    asked = commands(page, "qrelsmith")
    assert len(asked) >= 4
    printed = {words[2]: python("-m", "qrelsmith", *expanded(words)) for words in asked}
    rows = csv.DictReader(printed["power"].splitlines())
    apart = {row["measure"]: int(row["significant"]) for row in rows if row["test"] == "paired-t"}
    assert apart["nDCG@10"] > apart["Best@3"], "as the page says"
    contracts = ROOT / "tests/contracts/test_measures.py"
    python("-m", "pytest", "-q", "-p", "my_measure", "-p", "no:xdist", "-k", "Best", str(contracts))


@all_pages
def test_links_have_existing_files_and_headings_as_targets(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)", page.read_text("utf-8")):
        if target.startswith(("http://", "https://")):
            continue
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(file), f"{target}#{anchor}"


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings, as created by the site and by GitHub."""
    text = FENCE.sub("", page.read_text("utf-8"))
    kept = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(text)]
    return {heading.strip().replace(" ", "-") for heading in kept}


def test_every_page_is_linked() -> None:
    index = ROOT / "docs/index.md"
    listed = set()
    for tree in re.findall(r"```\{toctree\}\n(.*?)```", index.read_text("utf-8"), re.DOTALL):
        for line in tree.splitlines():
            if line and not line.startswith(":"):
                listed |= set(index.parent.glob(f"{line}.md")) or {index.parent / f"{line}.md"}
    here = {page for page in PAGES if page.is_relative_to(ROOT / "docs")}
    assert listed == here - {index}


def test_pictures_are_small_and_all_are_shown() -> None:
    pictures = set((ROOT / "docs/pictures").iterdir())
    assert sum(picture.stat().st_size for picture in pictures) < MOST_PICTURES
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^]]+\]\(([^)]+)\)", page.read_text("utf-8"))
    }
    assert shown == pictures


def test_the_readme_has_two_set_up_commands_known_to_dev_py() -> None:
    found = re.findall(r"^python3 dev\.py (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert found == ["demo", "test"]
    assert all(f'"{verb}": {verb}' in (ROOT / "dev.py").read_text() for verb in found)


def test_the_page_of_measures_equals_the_output_of_the_command(tmp_path: Path) -> None:
    printed = tmp_path / "measures.md"
    assert run(["measures", "--format", "markdown", "-o", str(printed)]) == 0
    page = (ROOT / "docs/measures.md").read_text("utf-8")
    assert printed.read_text("utf-8") in page, "run: python docs/make_measures.py"


def test_the_page_about_keys_contains_every_key_of_the_app() -> None:
    script = (ROOT / "src/qrelsmith/web/static/judging/actions.js").read_text("utf-8")
    actions = script.partition("ACTIONS = [")[2].partition("\n];")[0]
    keys = re.findall(r'\["\w+", "(.)"\]', actions)
    rows = re.findall(
        r"^\| (.+?) \|", (ROOT / "docs/assessors.md").read_text("utf-8"), re.MULTILINE
    )
    shown = [key for row in rows for key in re.findall(r"<kbd>(\D)</kbd>", row)]
    assert len(keys) > 10
    assert sorted(shown) == sorted(keys)


def test_the_python_examples_import_only_public_names() -> None:
    for page in PAGES:
        if page.name in CLIENTS or page.parent.name == "reference":
            continue
        examples = "".join(blocks(page, "python"))
        assert not examples or "from qrelsmith import" in examples or "import qrelsmith" in examples


def test_all_examples_in_docstrings_run() -> None:
    """Pytest runs the examples in `src`, except those of the app, which therefore has none."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    assert "src" in options["ini_options"]["testpaths"]
    assert "--doctest-modules --ignore=src/qrelsmith/web" in options["ini_options"]["addopts"]
    for file in (ROOT / "src/qrelsmith/web").rglob("*.py"):
        assert ">>> " not in file.read_text("utf-8"), file


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("gpt-4o", "umbrela.gpt-4o"),
        # One row shows that the table is that of these files; the other rows are computed in the
        # same way.
        pytest.param("gpt-4", "umbrela.gpt-4", marks=pytest.mark.full),
        pytest.param("llama3.2, one pass", "umbrela.llama3.2.run1", marks=pytest.mark.full),
    ],
)
def test_the_numbers_about_llm_judges_are_measured(shared: Path, name: str, file: str) -> None:
    folder = shared / "trec-dl-2021-passage"
    folder = folder if folder.is_dir() else shared / "data/trec-dl-2021-passage"
    page = (ROOT / "docs/llm-judges.md").read_text("utf-8")
    people = read_qrels(folder / "qrels/nist.qrels")
    runs = sorted((folder / "runs").glob("*.run.gz"))
    rows = {
        cells[1]: [float(number) for number in re.findall(r"\.\d+", " ".join(cells[2:]))]
        for line in page.splitlines()
        if len(cells := [cell.strip() for cell in line.split("|")]) == 6
    }
    model = read_qrels(folder / f"qrels/{file}.qrels.gz")
    both = {"people": people, "model": model}
    alpha, same = agree(both, ["alpha-ordinal", "agreement"]).to_pandas().itertuples()
    tau = compare(both, runs, "nDCG@10", scale=Scale.parse("0..3")).comparisons[0]
    assert tau.over == "topics"
    found = [alpha.value, alpha.low, alpha.high, tau.tau_b, tau.low, tau.high]
    assert rows[name][0] == pytest.approx(same.value, abs=0.005)
    assert rows[name][1:] == pytest.approx(found, abs=0.0015)
