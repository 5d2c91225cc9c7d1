"""What the tests of every command do: call it, and look at its table or its refusal.

A test file names its command (`COMMAND`) and has a fixture `folder`, the working directory.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from qrelsmith.cli import run

Rows = list[dict[str, str]]


@pytest.fixture
def answered(
    request: pytest.FixtureRequest, folder: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Rows, str]]:
    """Return a function that calls the command and returns its rows and what it says beside."""

    def call(*arguments: str) -> tuple[Rows, str]:
        status = run([request.module.COMMAND, *arguments])
        captured = capsys.readouterr()
        assert status == 0, captured.err
        return list(csv.DictReader(io.StringIO(captured.out))), captured.err

    return call


@pytest.fixture
def refused(
    request: pytest.FixtureRequest, folder: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Return a function that calls the command, which refuses, and returns the one line of why."""

    def call(*arguments: str) -> str:
        before = sorted(folder.rglob("*"))
        assert run([request.module.COMMAND, *arguments]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert sorted(folder.rglob("*")) == before
        (line,) = captured.err.splitlines()
        return line.removeprefix("qrelsmith: error: ")

    return call
