"""A real Dask cluster: a scheduler and workers as processes, connected over TCP on loopback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

WORK = """
import os
import time
from pathlib import Path
import numpy as np
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table

def means(*, number, seconds, folder, seed):
    with Path(folder, f"started-{number}").open("a") as log:
        log.write("x")
    values = rng_for(seed, number).random((200, 200))
    time.sleep(seconds)
    return Table.of(("number", "value"), [(number, float((values @ values).mean()))])

def process(*, number, seconds=0.0, seed):
    time.sleep(seconds)
    return Table.of(("process",), [(os.getpid(),)])
"""
Worker = Callable[[], AbstractContextManager[tuple[subprocess.Popen[str], str]]]


@contextmanager
def process(
    *arguments: str, folder: Path, said: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a Dask process, and return it with its message that it is ready."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), *filter(None, sys.path)]),
        "DASK_DISTRIBUTED__WORKER__DAEMON": "False",
        # The time for which a scheduler tries to reach a killed worker.
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s",
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


@pytest.fixture
def started(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a scheduler; return it and its address."""
    pytest.importorskip("distributed", reason="needs the extra cluster, which is not installed")
    (tmp_path / "work_of_cluster_tests.py").write_text(WORK)
    with process(
        "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-jupyter",
        folder=tmp_path, said=r"tcp://127\.0\.0\.1:\d+",
    ) as found:  # fmt: skip
        yield found


@pytest.fixture
def scheduler(started: tuple[subprocess.Popen[str], str]) -> str:
    """Return the address of a scheduler."""
    return started[1]


@pytest.fixture
def scheduler_process(started: tuple[subprocess.Popen[str], str]) -> subprocess.Popen[str]:
    """Return the process of that scheduler."""
    return started[0]


@pytest.fixture
def worker(scheduler: str, tmp_path: Path) -> Worker:
    """Return a function that starts a worker of the scheduler."""

    def start() -> AbstractContextManager[tuple[subprocess.Popen[str], str]]:
        return process(
            "dask_worker", scheduler, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny",
            "--no-dashboard", folder=tmp_path, said="Registered to|Starting established",
        )  # fmt: skip

    return start


@pytest.fixture
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the work of the cells importable in this process, too."""
    (tmp_path / "work_of_cluster_tests.py").write_text(WORK)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "work_of_cluster_tests", raising=False)
