"""Time qrelsmith beside its peers on the workloads of workloads.py, whole processes.

    python benchmarks/workloads.py benchmarks/work
    python benchmarks/workloads.py benchmarks/work --gzip
    python benchmarks/compare.py benchmarks/work [--rounds 5] [-o FILE]

Every tool runs as a process of its own that reads the files, computes nDCG@10, AP and RBP (where
it has RBP) and prints the means. The tools take turns, round after round, so that a machine that
grows slower meets all of them. Shown are the medians, and the median of the ratios within a round.
`trec_eval` joins in where it is on PATH.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PEERS = Path(__file__).with_name("peers")


@dataclass(frozen=True)
class Tool:
    """A command that evaluates the runs of a folder, given as its last arguments."""

    name: str
    command: tuple[str, ...]
    gzip: bool = False


@dataclass(frozen=True)
class Measured:
    """One finished process: seconds, MB, and what it printed."""

    wall: float
    cpu: float
    peak_mb: float
    output: str


def tools() -> list[Tool]:
    """The tools that are here."""
    found = [Tool("qrelsmith", (sys.executable, str(PEERS / "run_qrelsmith.py")), gzip=True)]
    for package, script in (
        ("pytrec-eval-terrier", "run_pytrec_eval.py"),
        ("ir-measures", "run_ir_measures.py"),
        ("ranx", "run_ranx.py"),
    ):
        try:
            version(package)
        except PackageNotFoundError:
            print(f"{package} is not installed: left out", file=sys.stderr)
            continue
        found.append(Tool(f"{package} {version(package)}", (sys.executable, str(PEERS / script))))
    if shutil.which("trec_eval"):
        found.append(Tool("trec_eval", (sys.executable, str(PEERS / "run_trec_eval.py"))))
    return found


def measure(tool: Tool, folder: Path) -> Measured:
    """Run a tool once."""
    runs = sorted(str(path) for path in folder.glob("*.run*"))
    with tempfile.TemporaryFile("w+") as out:
        start = time.perf_counter()
        process = subprocess.Popen([*tool.command, str(folder / "qrels"), *runs], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        if process.returncode:
            raise SystemExit(f"{tool.name} ended with status {process.returncode} on {folder}")
        return Measured(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read())


def table(folder: Path, rounds: int, slow: float, without: list[str]) -> str:
    """Markdown table of one workload."""
    here = [
        tool
        for tool in tools()
        if (tool.gzip or not folder.name.endswith("-gz"))
        and not any(tool.name.startswith(name) for name in without)
    ]
    results: dict[str, list[Measured]] = {tool.name: [] for tool in here}
    for number in range(rounds):
        for tool in here:
            done = results[tool.name]
            # A tool that takes minutes is not asked again and again.
            if number >= 2 and statistics.median(one.wall for one in done) > slow:
                continue
            done.append(measure(tool, folder))
            print(f"{folder.name} {tool.name}: {done[-1].wall:.2f} s", file=sys.stderr, flush=True)
    reference = next((name for name in results if name.startswith("pytrec")), "qrelsmith")
    peer = reference.split()[0]
    lines = [
        f"## {folder.name}",
        "",
        f"| tool | runs | wall (s) | CPU (s) | peak RSS (MB) | wall ÷ {peer} | CPU ÷ {peer} |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, done in results.items():
        pairs = list(zip(done, results[reference], strict=False))
        ratio = statistics.median(one.wall / other.wall for one, other in pairs)
        cpu = statistics.median(one.cpu / other.cpu for one, other in pairs)
        lines.append(
            f"| {name} | {len(done)} | {statistics.median(one.wall for one in done):.2f}"
            f" | {statistics.median(one.cpu for one in done):.2f}"
            f" | {statistics.median(one.peak_mb for one in done):.0f} | {ratio:.2f} | {cpu:.2f} |"
        )
    means = [f"- {name}: `{_first_run(done[0].output)}`" for name, done in results.items()]
    return "\n".join(
        [*lines, "", "Means of the first run, as each tool prints them:", "", *means, ""]
    )


def _first_run(output: str) -> str:
    """What a tool printed about the first run, without the folder."""
    lines = [line for line in output.splitlines() if "run00" in line]
    return "; ".join(line.rpartition("/")[2] for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow", type=float, default=60.0, help="seconds from which two rounds do")
    parser.add_argument("--without", action="append", default=[], help="leave a tool out")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    # An installed package has its bytecode; a checkout gets it in the first round.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    folders = sorted(path for path in options.folder.iterdir() if (path / "qrels").exists())
    tables = [table(folder, options.rounds, options.slow, options.without) for folder in folders]
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    text = f"Measured {today} on a machine with {machine}.\n\n" + "\n".join(tables)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
