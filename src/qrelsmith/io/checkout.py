"""Version and commit of the running qrelsmith."""

from __future__ import annotations

import re
import sys
from pathlib import Path

COMMIT = re.compile("[0-9a-f]{40}(?:[0-9a-f]{24})?")


def running_version() -> str:
    """Return the version of the running package."""
    # Modules of this layer may not import the top of the package, which is loaded before them.
    version: str = sys.modules["qrelsmith"].__version__
    return version


def checkout_commit(package: Path | None = None) -> str | None:
    """Return the commit of the checkout that contains `src/<package>`, or None without a checkout.

    The commit is read from the files of `.git`, so git need not be installed.
    """
    package = Path(__file__).resolve().parents[1] if package is None else package
    root = package.parent.parent
    if package.parent.name != "src" or not (root / "pyproject.toml").is_file():
        return None
    try:
        git = root / ".git"
        if git.is_file():
            git = root / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        shared = git / "commondir"
        common = git / shared.read_text(encoding="utf-8").strip() if shared.is_file() else git
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if head.startswith("ref:"):
            head = _commit_of(head.removeprefix("ref:").strip(), git, common)
    except (OSError, ValueError):
        return None
    return head if COMMIT.fullmatch(head) else None


def _commit_of(reference: str, git: Path, common: Path) -> str:
    for place in (git, common):
        if (place / reference).is_file():
            return (place / reference).read_text(encoding="utf-8").strip()
    for line in (common / "packed-refs").read_text(encoding="utf-8").splitlines():
        commit, _, name = line.partition(" ")
        if name == reference:
            return commit
    return ""
