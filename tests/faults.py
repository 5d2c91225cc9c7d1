"""Errors about files: one line with the file, the line and the problem."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError


def file_writer(usual_name: str) -> Callable[..., Path]:
    """Return a function that writes a file of text or bytes into a folder, and returns its path."""

    def write(folder: Path, content: bytes | str, name: str = usual_name) -> Path:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def problem_of(call: Callable[[], object]) -> str:
    """Return the one-line error message with which a call refuses its input."""
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value).isprintable(), str(caught.value)
    return str(caught.value)


def assert_refused(call: Callable[[], object], path: Path, line: int | None, *words: str) -> None:
    """Assert that a call refuses a file, at a line or as a whole, with the given words."""
    problem = problem_of(call)
    place = f"{path}: " if line is None else f"{path}:{line}: "
    assert problem.startswith(place), problem
    for word in words:
        assert word in problem, problem
