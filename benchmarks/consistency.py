"""Measure `consistency` against its budget: B = 1,000, 63 systems, 4 measures, 17 label sets: 30 s.

    python benchmarks/consistency.py ../shared/data/trec-dl-2021-passage [--times 3]

The folder holds `runs/` and `qrels/` (TREC 2021 Deep Learning passages: 63 runs, 53 topics). The
time is that of the whole command, from reading the files to the table with its letters. Prints
every run, the median and the largest memory use.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

from qrelsmith.cli import run

BUDGET = 30.0
MEASURES = ("nDCG@10", "Q@10", "nERR@10", "iRBU@10")
LABEL_SETS, SYSTEMS = 17, 63


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    runs = sorted(map(str, (options.folder / "runs").iterdir()))[:SYSTEMS]
    labels = sorted(map(str, (options.folder / "qrels").iterdir()))[:LABEL_SETS]
    if (len(runs), len(labels)) != (SYSTEMS, LABEL_SETS):
        sys.exit(f"{len(runs)} runs and {len(labels)} qrels; expected {SYSTEMS} and {LABEL_SETS}")
    words = ["consistency", "-B", "1000", "--quiet", *runs]
    words += [word for name in labels for word in ("--qrels", name)]
    words += [word for name in MEASURES for word in ("-m", name)]
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.times):
            start = time.perf_counter()
            if run([*words, "-o", str(Path(folder) / "out.csv")]):
                sys.exit("the command failed")
            seconds.append(time.perf_counter() - start)
            print(f"run {number}: {seconds[-1]:.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    median = statistics.median(seconds)
    print(f"median {median:.2f} s, peak memory {peak:.0f} MB")
    if median > BUDGET:
        sys.exit(f"over the budget of {BUDGET:g} s")


if __name__ == "__main__":
    main()
