"""Sweeps on a real Dask cluster: a scheduler and two workers as processes, over TCP on loopback."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from qrelsmith.errors import UsageError
from qrelsmith.sweep import Cell, Parts, run_cells

pytest.importorskip("distributed", reason="needs the extra cluster, which is not installed")

WORK = """
import time
from pathlib import Path
import numpy as np
from qrelsmith.rng import rng_for
from qrelsmith.tables import Table

def means(*, number, seconds, folder, seed):
    Path(folder, f"started-{number}").touch()
    values = rng_for(seed, number).random((200, 200))
    time.sleep(seconds)
    return Table.of(("number", "value"), [(number, float((values @ values).mean()))])
"""


@contextmanager
def process(
    *arguments: str, folder: Path, said: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process of Dask, and what it said when it was ready."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), *filter(None, sys.path)]),
        "DASK_DISTRIBUTED__WORKER__DAEMON": "False",
    }
    command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
    running = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment, cwd=folder
    )
    lines: list[str] = []
    ready = threading.Event()

    def listen() -> None:
        for line in running.stderr:
            lines.append(line)
            if re.search(said, line):
                ready.set()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        assert ready.wait(30), "".join(lines)
        yield running, re.search(said, "".join(lines))[0]
    finally:
        running.terminate()
        try:
            running.wait(10)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait(10)
        listener.join(10)
        running.stderr.close()


def worker(address: str, folder: Path):
    return process(
        "dask_worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny",
        "--no-dashboard", folder=folder, said="Registered to|Starting established",
    )  # fmt: skip


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "work_of_cluster_tests.py").write_text(WORK)
    with process(
        "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-jupyter",
        folder=tmp_path, said=r"tcp://127\.0\.0\.1:\d+",
    ) as (_, address):  # fmt: skip
        yield address


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
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "work_of_cluster_tests", raising=False)


def test_two_workers_write_the_same_bytes_as_one_process(
    scheduler: str, tmp_path: Path, importable: None
) -> None:
    wanted = cells(tmp_path)
    with worker(scheduler, tmp_path), worker(scheduler, tmp_path):
        run_cells(wanted, parts=Parts(tmp_path / "cluster"), cluster=scheduler)
    run_cells(wanted, parts=Parts(tmp_path / "alone"), jobs=1)
    assert len(contents(tmp_path / "alone")) == 8
    assert contents(tmp_path / "cluster") == contents(tmp_path / "alone")


def test_a_worker_that_is_killed_loses_nothing(
    scheduler: str, tmp_path: Path, importable: None
) -> None:
    wanted = cells(tmp_path, seconds=0.3)
    with ExitStack() as stack:
        doomed, _ = stack.enter_context(worker(scheduler, tmp_path))
        stack.enter_context(worker(scheduler, tmp_path))

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


def test_an_address_where_nothing_answers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qrelsmith.sweep.cluster._PATIENCE_S", 1)
    with pytest.raises(UsageError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        run_cells([Cell("m:f", {}, 0)], cluster="tcp://127.0.0.1:9")
    with pytest.raises(UsageError, match="no Dask scheduler answers at 'nonsense'"):
        run_cells([Cell("m:f", {}, 0)], cluster="nonsense")


def test_a_scheduler_without_workers_is_said_to_have_none(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qrelsmith.sweep.cluster._PATIENCE_S", 1)
    with pytest.raises(UsageError, match="has no worker"):
        run_cells([Cell("m:f", {}, 0)], cluster=scheduler)
