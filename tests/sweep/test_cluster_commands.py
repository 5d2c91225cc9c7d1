"""Commands with sweeps on a real Dask cluster write the same bytes as in one process."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from qrelsmith import evaluate
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table
from qrelsmith.cli import run
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.sweep import Cell, run_cells

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
def test_a_plan_on_a_cluster_equals_that_of_one_process(
    scheduler: str, worker: Worker, output, tmp_path: Path
) -> None:
    plan = (
        "plan",
        "campaign",
        "small",
        "--topic-count",
        "4",
        "--topic-count",
        "6",
        "--campaigns",
        "20",
    )
    with worker(), worker():
        there = output(*plan, "--dask", scheduler, "--cells", "there")
    here = output(*plan, "--jobs", "1", "--cells", "here")
    assert there == here
    assert len(files(tmp_path / "here")) == 4
    assert files(tmp_path / "there") == files(tmp_path / "here")


@pytest.mark.slow
@pytest.mark.full
def test_artefacts_computed_on_a_cluster_equal_those_of_one_process(
    scheduler: str, worker: Worker, output, tmp_path: Path
) -> None:
    made = ("reproduce", "ordering", "--artefact", "draws", "--size", "small")
    with worker(), worker():
        output(*made, "--dask", scheduler, "-o", "there")
    output(*made, "--jobs", "1", "-o", "here")
    assert files(tmp_path / "there.cells") == files(tmp_path / "here.cells")
    assert len(files(tmp_path / "here.cells")) == 2  # two draws
    assert files(tmp_path / "there" / "tables") == files(tmp_path / "here" / "tables")


@pytest.fixture
def evaluated_files(tmp_path: Path) -> list[str]:
    """Return qrels and runs of realistic size, so that a worker is busy for a while."""
    rng = rng_for(0, "runs")
    docs = [f"doc-{place}" for place in range(300)]
    topics = [f"t{n}" for n in range(40)]
    judged = {doc: place % 4 for place, doc in enumerate(docs[:100])}
    write_qrels(Qrels.from_dict(dict.fromkeys(topics, judged)), tmp_path / "q")
    paths = [tmp_path / f"{number:02}.run" for number in range(30)]
    for path in paths:
        scores = {t: dict(zip(docs, rng.random(300).tolist(), strict=True)) for t in topics}
        write_run(Run.from_dict(scores, name=path.stem), path)
    return [str(tmp_path / "q"), *map(str, paths)]


@pytest.mark.full
@pytest.mark.slow
def test_runs_evaluated_on_a_cluster_have_the_scores_of_one_process(
    scheduler: str, worker: Worker, output, evaluated_files: list[str]
) -> None:
    asked = ("evaluate", *evaluated_files, "-m", "nDCG@10", "-m", "AP", "--per-topic")
    with worker(), worker():
        there = output(*asked, "--dask", scheduler)
    assert there == output(*asked)
    assert there.count("\n") == 1 + 30 * 2 * 41


@pytest.mark.full
@pytest.mark.slow
def test_a_killed_worker_loses_no_run(
    scheduler: str, worker: Worker, evaluated_files: list[str]
) -> None:
    qrels, *runs = evaluated_files
    with worker() as (first, _), worker():

        def kill() -> None:
            first.kill()
            first.wait(10)

        def sweep(cells: Sequence[Cell]) -> list[Table]:
            return run_cells(cells, cluster=scheduler, advance=kill)

        there = evaluate(qrels, runs, ["nDCG@10", "AP"], sweep=sweep)
        assert first.returncode is not None
    assert there.table() == evaluate(qrels, runs, ["nDCG@10", "AP"]).table()


def test_a_missing_cluster_is_reported_in_one_line(
    output, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="needs the extra cluster, which is not installed")
    monkeypatch.setattr("qrelsmith.sweep.cluster._PATIENCE_S", 1)
    assert run(["plan", "campaign", "--dask", "tcp://127.0.0.1:9", "--quiet"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert "no Dask scheduler answered at 'tcp://127.0.0.1:9'" in line
