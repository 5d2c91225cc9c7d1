"""Sweeps on a real Dask cluster: two workers that share the work, die, or are interrupted."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from qrelsmith.base.errors import QrelsmithError, UsageError
from qrelsmith.sweep import Cell, Parts, run_cells

pytest.importorskip("distributed", reason="needs the extra cluster, which is not installed")

Worker = Callable[[], AbstractContextManager[tuple[subprocess.Popen[str], str]]]
# A sweep in a separate process, which can be killed.
SWEEP = """
import sys
from qrelsmith.sweep import Cell, Parts, run_cells
folder, kept, scheduler = sys.argv[1:]
cells = [
    Cell("work_of_cluster_tests:means", {"number": n, "seconds": 0.3, "folder": folder}, 7)
    for n in range(10)
]
run_cells(cells, parts=Parts(kept), cluster=scheduler)
"""


def cells(folder: Path, *, seconds: float = 0.0, count: int = 8) -> list[Cell]:
    return [
        Cell(
            "work_of_cluster_tests:means",
            {"number": number, "seconds": seconds, "folder": str(folder)},
            7,
        )
        for number in range(count)
    ]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


def test_two_workers_write_the_same_bytes_as_one_process(
    scheduler: str, worker: Worker, tmp_path: Path, importable: None
) -> None:
    wanted = cells(tmp_path)
    with worker(), worker():
        run_cells(wanted, parts=Parts(tmp_path / "cluster"), cluster=scheduler)
    run_cells(wanted, parts=Parts(tmp_path / "alone"), jobs=1)
    assert len(contents(tmp_path / "alone")) == 8
    assert contents(tmp_path / "cluster") == contents(tmp_path / "alone")


def test_a_single_worker_does_the_work_instead_of_the_command(
    scheduler: str, worker: Worker, tmp_path: Path, importable: None
) -> None:
    wanted = [Cell("work_of_cluster_tests:process", {"number": n}, 0) for n in range(3)]
    with worker() as (there, _):
        found = {table.rows[0][0] for table in run_cells(wanted, cluster=scheduler)}
    assert found == {there.pid}


@pytest.mark.full
def test_a_worker_that_joins_later_gets_work(
    scheduler: str, worker: Worker, tmp_path: Path, importable: None
) -> None:
    wanted = [
        Cell("work_of_cluster_tests:process", {"number": n, "seconds": 0.2}, 0) for n in range(30)
    ]
    found: list[int] = []
    with ExitStack() as stack:
        first, _ = stack.enter_context(worker())

        def sweep() -> None:
            found.extend(int(t.rows[0][0]) for t in run_cells(wanted, cluster=scheduler))

        sweeping = threading.Thread(target=sweep)
        sweeping.start()
        second, _ = stack.enter_context(worker())
        sweeping.join(60)
    assert len(found) == 30
    assert set(found) == {first.pid, second.pid}


def test_an_error_in_a_cell_is_returned_and_ends_the_sweep(
    scheduler: str, worker: Worker, tmp_path: Path, importable: None
) -> None:
    wanted = [Cell("work_of_cluster_tests:no_such", {"number": n}, 0) for n in range(3)]
    with worker(), pytest.raises(UsageError, match="'work_of_cluster_tests:no_such' of a cell"):
        run_cells(wanted, cluster=scheduler)


def test_a_killed_worker_loses_nothing(
    scheduler: str, worker: Worker, tmp_path: Path, importable: None
) -> None:
    wanted = cells(tmp_path, seconds=0.3)
    with ExitStack() as stack:
        doomed, _ = stack.enter_context(worker())
        stack.enter_context(worker())

        def kill() -> None:
            while len(list(tmp_path.glob("started-*"))) < 3:
                time.sleep(0.01)
            doomed.kill()

        killer = threading.Thread(target=kill)
        killer.start()
        run_cells(wanted, parts=Parts(tmp_path / "cluster"), cluster=scheduler)
        killer.join()
        assert doomed.wait(10) != 0
    run_cells(cells(tmp_path, seconds=0.3), parts=Parts(tmp_path / "alone"), jobs=1)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "alone")


@pytest.mark.full
def test_a_killed_sweep_is_resumed(
    scheduler: str, worker: Worker, tmp_path: Path, importable: None
) -> None:
    kept, logs = tmp_path / "cluster", tmp_path / "logs"
    logs.mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]),
    }
    command = [sys.executable, "-c", SWEEP, str(logs), str(kept), scheduler]
    with worker(), worker():
        with subprocess.Popen(command, env=environment) as sweep:
            deadline = time.monotonic() + 60
            while len(list(kept.glob("*.parquet"))) < 5 and time.monotonic() < deadline:
                time.sleep(0.01)
            sweep.kill()
        assert sweep.returncode != 0
        # Work started by the workers ends without a receiver.
        time.sleep(0.5)
        done = {path.name for path in kept.glob("*.parquet")}
        assert 5 <= len(done) < 10
        before = {path.name: path.stat().st_size for path in logs.iterdir()}
        wanted = cells(logs, seconds=0.3, count=10)
        run_cells(wanted, parts=Parts(kept), cluster=scheduler)
    # Each cell writes a mark when it starts: no stored cell has a second mark.
    for cell in wanted:
        name = f"started-{cell.parameters['number']}"
        if Parts(kept).path(cell).name in done:
            assert (logs / name).stat().st_size == before[name] == 1
        else:
            assert (logs / name).stat().st_size == before.get(name, 0) + 1
    run_cells(wanted, parts=Parts(tmp_path / "alone"), jobs=1)
    assert contents(kept) == contents(tmp_path / "alone")


def test_an_address_without_an_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qrelsmith.sweep.cluster._PATIENCE_S", 1)
    with pytest.raises(UsageError, match=r"no Dask scheduler answered at 'tcp://127\.0\.0\.1:9'"):
        run_cells([Cell("m:f", {}, 0)], cluster="tcp://127.0.0.1:9")
    with pytest.raises(UsageError, match="no Dask scheduler answered at 'nonsense'"):
        run_cells([Cell("m:f", {}, 0)], cluster="nonsense")


@pytest.mark.parametrize("address", ["ucx://127.0.0.1:9", "ucxx://127.0.0.1:9", "http://host"])
def test_an_unusable_protocol_is_named(address: str) -> None:
    with pytest.raises(UsageError, match=f"address is '{address}'; expected one of the protocols"):
        run_cells([Cell("m:f", {}, 0)], cluster=address)


def test_a_protocol_without_its_certificate_is_named() -> None:
    with pytest.raises(UsageError, match="no certificate is configured"):
        run_cells([Cell("m:f", {}, 0)], cluster="tls://127.0.0.1:9")


def test_a_scheduler_without_workers_is_reported(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qrelsmith.sweep.cluster._PATIENCE_S", 1)
    with pytest.raises(UsageError, match="has no workers"):
        run_cells([Cell("m:f", {}, 0)], cluster=scheduler)


def test_a_scheduler_that_stops_is_reported_in_one_line(
    worker: Worker, scheduler_process: subprocess.Popen[str], scheduler: str, tmp_path: Path,
    importable: None, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    wanted, parts = cells(tmp_path, seconds=0.3, count=20), Parts(tmp_path / "kept")

    def kill() -> None:
        while len(list((tmp_path / "kept").glob("*.parquet"))) < 2:
            time.sleep(0.01)
        scheduler_process.kill()

    with worker():
        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(
            QrelsmithError, match=f"the Dask scheduler at '{scheduler}' stopped answering"
        ):
            run_cells(wanted, parts=parts, cluster=scheduler)
        killer.join()
    # Computed cells are stored, and nothing is printed besides the error.
    assert 2 <= sum(parts.get(cell) is not None for cell in wanted) < 20
    assert capfd.readouterr().err == ""
