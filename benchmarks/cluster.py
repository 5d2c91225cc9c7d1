"""How much faster two Dask workers are than one, on cells of about half a second.

    python benchmarks/cluster.py [--cells 16] [--rounds 3]

Scheduler and workers are processes of their own, over TCP on loopback, a thread each. One and two
workers take turns; shown are medians and the median of the ratios.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from qrelsmith.sweep import Cell, run_cells

WORK = """
import time
from qrelsmith.rng import rng_for
from qrelsmith.tables import Table

def busy(*, number, seconds, seed):
    end, total = time.thread_time() + seconds, 0.0
    rng = rng_for(seed, number)
    while time.thread_time() < end:
        total += float(rng.random(1000).sum())
    return Table.of(("number", "drew"), [(number, total > 0)])
"""


@contextmanager
def process(program: str, *arguments: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask, ended with the block."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    command = [sys.executable, "-m", f"distributed.cli.{program}", *arguments]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment, cwd=folder)
    try:
        yield running
    finally:
        running.terminate()
        running.wait(20)


def seconds(workers: int, *, cells: int, folder: Path) -> float:
    """How long a sweep takes on so many workers, from the moment that they are there."""
    from distributed import Client

    with ExitStack() as stack:
        file = folder / f"scheduler-{workers}.json"
        file.unlink(missing_ok=True)
        stack.enter_context(
            process(
                "dask_scheduler",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--no-dashboard",
                "--no-jupyter",
                "--scheduler-file",
                str(file),
                folder=folder,
            )
        )
        while not file.exists():
            time.sleep(0.05)
        client = stack.enter_context(Client(scheduler_file=str(file), set_as_default=False))
        address = client.scheduler.address
        for _ in range(workers):
            stack.enter_context(
                process(
                    "dask_worker",
                    address,
                    "--host",
                    "127.0.0.1",
                    "--nthreads",
                    "1",
                    "--no-nanny",
                    "--no-dashboard",
                    folder=folder,
                )
            )
        client.wait_for_workers(workers)
        wanted = [
            Cell("work_of_benchmark:busy", {"number": number, "seconds": 0.5}, 0)
            for number in range(-workers, cells)
        ]
        run_cells(wanted[:workers], cluster=address)
        started = time.perf_counter()
        run_cells(wanted[workers:], cluster=address)
        return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "work_of_benchmark.py").write_text(WORK, encoding="utf-8")
        sys.path.insert(0, str(folder))
        rounds = [
            (
                seconds(1, cells=asked.cells, folder=folder),
                seconds(2, cells=asked.cells, folder=folder),
            )
            for _ in range(asked.rounds)
        ]
    one, two = (statistics.median(values) for values in zip(*rounds, strict=True))
    ratio = statistics.median(first / second for first, second in rounds)
    print(f"{asked.cells} cells: one worker {one:.2f} s, two {two:.2f} s, {ratio:.2f} times faster")


if __name__ == "__main__":
    main()
