"""Commands that sweep, on a real Dask cluster: the same bytes as in one process."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from qrelsmith.cli import run

Worker = Callable[[], AbstractContextManager[tuple[subprocess.Popen[str], str]]]


@pytest.fixture
def output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> str:
        assert run([*arguments, "--quiet"]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return call


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.full
@pytest.mark.slow
def test_a_plan_on_a_cluster_is_that_of_one_process(
    scheduler: str, worker: Worker, output, tmp_path: Path
) -> None:
    plan = ("plan", "campaign", "small", "--topics", "4", "--topics", "6", "--campaigns", "20")
    with worker(), worker():
        there = output(*plan, "--dask", scheduler, "--cells", "there")
    here = output(*plan, "--jobs", "1", "--cells", "here")
    assert there == here
    assert len(files(tmp_path / "here")) == 4
    assert files(tmp_path / "there") == files(tmp_path / "here")


@pytest.mark.slow
@pytest.mark.full
def test_artefacts_made_on_a_cluster_are_those_of_one_process(
    scheduler: str, worker: Worker, output, tmp_path: Path
) -> None:
    made = ("reproduce", "ordering", "--artefact", "draws", "--size", "small")
    with worker(), worker():
        output(*made, "--dask", scheduler, "-o", "there")
    output(*made, "--jobs", "1", "-o", "here")
    assert files(tmp_path / "there.cells") == files(tmp_path / "here.cells")
    assert len(files(tmp_path / "here.cells")) == 2
    assert files(tmp_path / "there" / "tables") == files(tmp_path / "here" / "tables")


def test_a_cluster_that_is_not_there_is_said_in_one_line(
    output, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="needs the extra cluster, which is not installed")
    monkeypatch.setattr("qrelsmith.sweep.cluster._PATIENCE_S", 1)
    assert run(["plan", "campaign", "--dask", "tcp://127.0.0.1:9", "--quiet"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in line
