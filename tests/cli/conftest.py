"""Helpers for the tests of every command: call it, and check its table or its error message.

A test file names its command (`COMMAND`) and the files of the working directory (`FILES`), or has
its own fixture `folder`. The first argument of a call is split as a command line; further arguments
are not.
"""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from qrelsmith.cli import run

Rows = list[dict[str, str]]


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory, which contains the `FILES` of the test file."""
    for name, content in getattr(request.module, "FILES", {}).items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def printed(
    request: pytest.FixtureRequest, folder: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[str, str]]:
    """Return a function that calls the command and returns its output and its notes."""

    def call(line: str = "", *arguments: str) -> tuple[str, str]:
        status = run([*request.module.COMMAND.split(), *shlex.split(line), *arguments])
        captured = capsys.readouterr()
        assert status == 0, captured.err
        return captured.out, captured.err

    return call


@pytest.fixture
def answered(printed: Callable[..., tuple[str, str]]) -> Callable[..., tuple[Rows, str]]:
    """Return a function that calls the command and returns its rows and its other messages."""

    def call(*arguments: str) -> tuple[Rows, str]:
        out, notes = printed(*arguments)
        return list(csv.DictReader(io.StringIO(out))), notes

    return call


@pytest.fixture
def refused(
    request: pytest.FixtureRequest, folder: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Return a function that calls a failing command and returns its one-line error message."""

    def content() -> dict[Path, bytes | None]:
        return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}

    def call(line: str = "", *arguments: str) -> str:
        before = content()
        assert run([*request.module.COMMAND.split(), *shlex.split(line), *arguments]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert content() == before
        (line,) = captured.err.splitlines()
        assert line.startswith("qrelsmith: error: ")
        return line.removeprefix("qrelsmith: error: ")

    return call
