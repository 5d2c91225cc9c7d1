"""How much faster two Dask workers are than one, on cells of half a second.

    python benchmarks/cluster.py [--cells 12] [--rounds 5]
    python benchmarks/cluster.py --evaluate FOLDER [--rounds 5]

Scheduler and workers are processes of their own, over TCP on loopback, a thread each; the clusters
are there before the clock starts. One and two workers take turns, in the order 1 2 2 1, so that
other work on the machine meets both alike; shown are medians, and the median of the ratios.

Two kinds of cells: `wait` sleeps for half a second, so that what is measured is the sweep and not
the processors; `busy` computes for half a second of its own processor time. On two processors that
others use as well, busy cells wait for these; the processor time of the sweep (user and system, of
all its processes, beyond the cells' own) says what the sweep itself needs.

With `--evaluate` it is `evaluate --dask` that takes turns, on 200 runs of 100 topics and 500 docs,
which are written into the folder unless they are there; tables of all turns must be the same bytes.
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
from workloads import WORKLOADS, Workload, write_workload

SECONDS = 0.5
RUNS = 200
WORK = """
import time
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table

def wait(*, number, seconds, seed):
    time.sleep(seconds)
    return Table.of(("number",), [(number,)])

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


@contextmanager
def cluster(workers: int, folder: Path) -> Iterator[tuple[str, list[int]]]:
    """The address of a scheduler with so many workers, and the ids of its processes."""
    from distributed import Client

    file = folder / f"scheduler-{workers}.json"
    local = ("--host", "127.0.0.1", "--no-dashboard")
    with ExitStack() as stack:
        scheduler = stack.enter_context(
            process(
                "dask_scheduler", *local, "--port", "0", "--no-jupyter", "--scheduler-file",
                str(file), folder=folder,
            )
        )  # fmt: skip
        while not file.exists():
            time.sleep(0.05)
        with Client(scheduler_file=str(file), set_as_default=False) as client:
            address = client.scheduler.address
            own = [scheduler]
            for _ in range(workers):
                worker = process(
                    "dask_worker", address, *local, "--nthreads", "1", "--no-nanny", folder=folder
                )
                own.append(stack.enter_context(worker))
            client.wait_for_workers(workers)
        yield address, [one.pid for one in own]


def processor_seconds(pids: list[int]) -> float:
    """User and system time of processes, as far as the system tells."""
    total, tick = 0.0, os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
    for pid in pids:
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists():
            fields = stat.read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / tick
    return total


def evaluated(folder: Path, address: str) -> bytes:
    """What `evaluate` prints of the runs in a folder, computed on a cluster."""
    runs = sorted(map(str, folder.glob("*.run")))
    command = [sys.executable, "-m", "qrelsmith", "evaluate", str(folder / "qrels"), *runs]
    asked = ["-m", "nDCG@10", "-m", "AP", "--quiet", "--dask", address]
    return subprocess.run([*command, *asked], check=True, stdout=subprocess.PIPE).stdout


def measure_evaluate(folder: Path, rounds: int, there: dict[int, tuple[str, list[int]]]) -> None:
    """Time `evaluate` with one worker and with two, in turn."""
    if not (folder / "qrels").exists():
        docno = WORKLOADS[0].docno
        write_workload(Workload("cluster", RUNS, 100, 500, 100, 1_000_000, docno), folder)
    took: dict[int, list[float]] = {workers: [] for workers in there}
    outputs = {evaluated(folder, address) for address, _ in there.values()}
    for _ in range(rounds):
        for workers in (1, 2, 2, 1):
            started = time.perf_counter()
            outputs.add(evaluated(folder, there[workers][0]))
            took[workers].append(time.perf_counter() - started)
    pairs = zip(took[1], took[2], strict=True)
    ratio = statistics.median(first / second for first, second in pairs)
    print(
        f"evaluate: one worker {statistics.median(took[1]):.2f} s, two"
        f" {statistics.median(took[2]):.2f} s, {ratio:.2f} times faster (best"
        f" {min(took[1]) / min(took[2]):.2f}); different outputs: {len(outputs)}"
    )


class Turns:
    """Sweeps that take turns on clusters, and what each of them took."""

    def __init__(self, cells: int) -> None:
        self.cells = cells
        self.number = 0
        self.took: dict[tuple[str, int], list[float]] = {}
        self.overhead: dict[tuple[str, int], list[float]] = {}

    def run(self, kind: str, workers: int, address: str, pids: list[int]) -> None:
        """One sweep of new cells."""
        self.number += 1
        cells = [
            Cell(
                f"work_of_benchmark:{kind}",
                {"number": 1000 * self.number + number, "seconds": SECONDS},
                0,
            )
            for number in range(self.cells)
        ]
        everybody = [*pids, os.getpid()]
        before, started = processor_seconds(everybody), time.perf_counter()
        run_cells(cells, cluster=address)
        took = time.perf_counter() - started
        used = processor_seconds(everybody) - before
        own = SECONDS * self.cells if kind == "busy" else 0.0
        self.took.setdefault((kind, workers), []).append(took)
        self.overhead.setdefault((kind, workers), []).append(used - own)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--evaluate", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        (folder / "work_of_benchmark.py").write_text(WORK, encoding="utf-8")
        sys.path.insert(0, str(folder))
        there = {workers: stack.enter_context(cluster(workers, folder)) for workers in (1, 2)}
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        if asked.evaluate:
            measure_evaluate(asked.evaluate, asked.rounds, there)
            return
        warm = Turns(2)
        for workers, found in there.items():
            warm.run("wait", workers, *found)
        turns = Turns(asked.cells)
        for _ in range(asked.rounds):
            for kind in ("wait", "busy"):
                for workers in (1, 2, 2, 1):
                    turns.run(kind, workers, *there[workers])
    for kind in ("wait", "busy"):
        one, two = turns.took[kind, 1], turns.took[kind, 2]
        ratio = statistics.median(first / second for first, second in zip(one, two, strict=True))
        extra = statistics.median(turns.overhead[kind, 2])
        print(
            f"{kind}: {asked.cells} cells of {SECONDS} s: one worker"
            f" {statistics.median(one):.2f} s, two {statistics.median(two):.2f} s,"
            f" {ratio:.2f} times faster (best sweeps {min(one) / min(two):.2f});"
            f" processor time beside the cells {extra:.2f} s"
        )


if __name__ == "__main__":
    main()
