"""Fixtures and hooks common to all tests."""

from __future__ import annotations

import gc
import os
import re
import shutil
import time
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import settings
from tests.examples import EXAMPLES

from qrelsmith.io import sizes

# Debian's headless shell draws the same pages in a third of the time of the full browser.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

# Collected objects are never discarded: searching them for garbage takes a third of the time.
gc.disable()

# The time of an example depends more on the machine than on the code.
settings.register_profile("steady", deadline=None, max_examples=EXAMPLES)
settings.load_profile("steady")
# Files written by released versions, and the scripts that produced them: not tests of this program.
collect_ignore = ["fixtures"]
RELEASES = sorted((Path(__file__).parent / "fixtures").glob("v*"))
# The files of the first and the last version are read in every run, the others by `dev.py full`.
ENDS = (RELEASES[0], RELEASES[-1])


# What `dev.py quick` runs besides the marked tests: kernels, contracts and the app, but no test
# that starts a program.
QUICK_FOLDERS = {
    "agreement",
    "base",
    "contracts",
    "cuts",
    "discrimination",
    "evaluation/measures",
    "judging_times",
    "judgments/aggregation",
    "judgments/scale_operations",
    "planning/simulation",
    "pairs",
    "pooling",
    "stats",
    "topk",
    "web",
}
PROGRAMS = {"chromium_path", "made_demo", "small_demo", "postgres", "start_server"}


def pytest_collection_finish() -> None:
    """Start garbage collection for the objects that tests create."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark quick tests.

    Files with slow tests come first, so that no worker ends with one while others are idle.
    """
    places = {path: is_in_quick_folder(path) for path in {item.path for item in items}}
    for item in items:
        if places[item.path] and is_quick(item):
            item.add_marker("quick")
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def is_in_quick_folder(path: Path) -> bool:
    tests = Path(__file__).parent
    if not path.is_relative_to(tests):  # an example in a docstring
        return False
    folder = path.relative_to(tests).parent
    return folder == Path() or any(folder.is_relative_to(each) for each in QUICK_FOLDERS)


def is_quick(item: pytest.Item) -> bool:
    """Return whether a test of these folders starts no program and is neither slow nor full."""
    has_programs = not PROGRAMS.isdisjoint(getattr(item, "fixturenames", ()))
    return not has_programs and not any(map(item.get_closest_marker, ("slow", "full")))


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with public data and other programs' output, or skip the test."""
    named = os.environ.get("QRELSMITH_SHARED")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared"
    if not (folder / "oracles").is_dir():
        pytest.skip("needs the shared data folder (set QRELSMITH_SHARED), which is not here")
    return folder


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return the path of a headless Chromium, or skip the test."""
    pytest.importorskip("playwright.sync_api", reason="needs the extra test")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("needs Chromium, which is not installed")
    return path


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(path, id=path.name, marks=() if path in ENDS else pytest.mark.full)
        for path in RELEASES
    ],
)
def release(request: pytest.FixtureRequest) -> Path:
    """Return the folder written by each released version in turn; for reading or copying only."""
    folder: Path = request.param
    return folder


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return a function that fills a folder once for all workers; for reading or copying only."""
    root = tmp_path_factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root

    def made(name: str, fill: Callable[[Path], object]) -> Path:
        place = root / name
        is_made = root / f"{name}-is-made"
        try:
            place.mkdir()
        except FileExistsError:
            deadline = time.monotonic() + 300
            while not is_made.exists():
                assert time.monotonic() < deadline, f"another worker has not made {name}"
                time.sleep(0.1)
        else:
            fill(place)
            is_made.touch()
        return place

    return made


@pytest.fixture(scope="session")
def made_demo(made_once: Callable[..., Path]) -> Path:
    """Return the folder created by `qrelsmith demo --quiet`."""
    from qrelsmith.cli import run

    def fill(place: Path) -> None:
        with chdir(place):  # the audit records the folder in which it was created
            assert run(["demo", "qrelsmith-demo", "--quiet"]) == 0

    return made_once("demo", fill) / "qrelsmith-demo"


@pytest.fixture(scope="session")
def small_demo(made_once: Callable[..., Path], made_demo: Path) -> Path:
    """Return the demo with a third of its topics, for tests that need all kinds of its files."""
    from qrelsmith.cli import run

    def is_kept(line: str) -> bool:
        topic = re.match(r'(?:\{"topic": ")?P(\d\d)\b', line)
        return topic is None or int(topic[1]) % 3 == 0

    def fill(place: Path) -> None:
        without = shutil.ignore_patterns(".qrelsmith", "audit", "evaluation.csv", "sample.csv")
        shutil.copytree(made_demo, place, ignore=without, dirs_exist_ok=True)
        for name in ("judgments.csv", "topics.jsonl", "qrels/*", "runs/*"):
            for file in place.glob(name):
                lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
                file.write_text("".join(filter(is_kept, lines)), encoding="utf-8", newline="")
        drawn = str(place / "sample.csv")
        assert run(["sample", str(place), "--budget", "100", "-o", drawn, "--quiet"]) == 0

    return made_once("small-demo", fill)


@pytest.fixture
def kilobyte_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set every size threshold to 1 kB, so that small files take all fast paths."""
    monkeypatch.setenv(sizes.VARIABLE, "1000")
    for name in vars(sizes):
        if name.isupper() and name != "VARIABLE":
            monkeypatch.setattr(sizes, name, 1_000)
