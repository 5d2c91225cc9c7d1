"""Set-up common to all tests and to the examples in docstrings: threads and folders."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

SOURCE = Path(__file__).parent / "src"

# Matrices in tests are small. Threads for their parts would double the processor time, and the
# program's commands use one thread as well; numpy reads the setting when it is imported.
for library in ("OPENBLAS", "MKL", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector]]:
    """Leave out files without examples: searching them takes longer than importing the file."""
    collectors = yield
    if file_path.is_relative_to(SOURCE) and ">>> " in file_path.read_text(encoding="utf-8"):
        return collectors
    return [each for each in collectors if not isinstance(each, DoctestModule)]
