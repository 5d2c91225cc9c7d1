"""Where pytest looks for examples in docstrings: the files of the program that have some."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

SOURCE = Path(__file__).parent / "src"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector]]:
    """Leave out files without examples: looking for them takes longer than importing the file."""
    collectors = yield
    if file_path.is_relative_to(SOURCE) and ">>> " in file_path.read_text(encoding="utf-8"):
        return collectors
    return [each for each in collectors if not isinstance(each, DoctestModule)]
