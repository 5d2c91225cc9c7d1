"""A release is refused until its clone is ready."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOOL = runpy.run_path(str(ROOT / "tools" / "release.py"))
CHANGES = "# Changes\n\n## [1.2.0] - 2026-01-02\n"


def clone(folder: Path) -> Path:
    """Return a repository of version 1.2.0 that is ready for its release."""
    (folder / "src" / "qrelsmith").mkdir(parents=True)
    (folder / "src" / "qrelsmith" / "__init__.py").write_text('"""Q."""\n\n__version__ = "1.2.0"\n')
    (folder / "CHANGELOG.md").write_text(CHANGES)
    (folder / "CITATION.cff").write_text("title: q\nversion: 1.2.0\n")
    git(folder, "init", "-q")
    commit(folder)
    return folder


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Release 1.2.0")


def test_a_clean_clone_with_a_dated_section_and_no_tag_is_ready(tmp_path: Path) -> None:
    folder = clone(tmp_path)
    assert TOOL["version_of"](folder) == "1.2.0"
    assert TOOL["problems_of"](folder, "1.2.0") == []


def test_every_obstacle_of_a_release_is_reported(tmp_path: Path) -> None:
    folder = clone(tmp_path)
    (folder / "CHANGELOG.md").write_text(CHANGES.replace(" - 2026-01-02", ""))
    (folder / "CITATION.cff").write_text("title: q\nversion: 1.1.0\n")
    commit(folder)
    git(folder, "tag", "v1.2.0")
    (folder / "note.txt").write_text("x")
    assert TOOL["problems_of"](folder, "1.2.0") == [
        "the clone has changed files; expected none: note.txt",
        "the tag v1.2.0 already exists; expected a new version",
        "CHANGELOG.md has no section; expected ## [1.2.0] - YYYY-MM-DD",
        "CITATION.cff has a different version; expected 1.2.0",
    ]


def test_every_extra_has_an_import_that_tests_it() -> None:
    assert set(TOOL["PROOFS"]) == {"", *TOOL["extras_of"](ROOT)}
