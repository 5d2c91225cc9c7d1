"""Time and memory of the sweep behind Figures 4 and 5 of pdp, against the budget.

    python benchmarks/sweep_pdp.py [--jobs 2] [--size paper]

29 scales × 10,000 topics, PDP in both modes and four coefficients of agreement, as
`qrelsmith reproduce pdp --artefact fig4 --artefact fig5` computes them, report included. The memory
is that of all processes together at its highest, looked at twice a second: their resident sets
added up (what they share counts in each), and their proportional sets (what they share counts
once). Linux only, since it is read from /proc.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUDGET_S, BUDGET_MB = 600, 2000
_EVERY_S = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--size", choices=["paper", "small"], default="paper")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "qrelsmith", "reproduce", "pdp", "--artefact", "fig4",
            "--artefact", "fig5", "--size", options.size, "--jobs", str(options.jobs), "-o",
            str(Path(folder) / "report"), "--quiet",
        ]  # fmt: skip
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        resident = proportional = 0.0
        while process.poll() is None:
            one, other = memory(process.pid)
            resident, proportional = max(resident, one), max(proportional, other)
            time.sleep(_EVERY_S)
        wall = time.perf_counter() - started
        spent = os.times()
        if process.returncode:
            raise SystemExit(f"the command ended with status {process.returncode}")
    cpu = spent.children_user + spent.children_system
    load = os.getloadavg()[0]
    print(f"wall {wall:.0f} s (budget {BUDGET_S} s), CPU {cpu:.0f} s, {options.jobs} processes")
    print(f"resident {resident:.0f} MB, proportional {proportional:.0f} MB (budget {BUDGET_MB} MB)")
    print(f"{os.cpu_count()} cores, load over the last minute {load:.1f}")


def memory(root: int) -> tuple[float, float]:
    """Resident and proportional sets of a process and all that come from it, in MB."""
    totals = {"Rss:": 0.0, "Pss:": 0.0}
    for process in descendants(root):
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:  # it has ended
            continue
        for name, amount, *_ in (line.split() for line in lines[1:]):
            if name in totals:
                totals[name] += float(amount) / 1024
    return totals["Rss:"], totals["Pss:"]


def descendants(root: int) -> list[int]:
    """A process and all that come from it."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # The name of the program, in parentheses, may hold blanks.
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents.setdefault(parent, []).append(int(entry.name))
    found = [root]
    for process in found:
        found += parents.get(process, [])
    return found


if __name__ == "__main__":
    main()
