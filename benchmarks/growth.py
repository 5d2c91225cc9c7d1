"""Measure how the cost grows with what there is: processor time at several sizes, and its exponent.

    python benchmarks/growth.py measure docs/measured/growth.csv [--only runs] [--only depth]
    python benchmarks/growth.py table docs/measured/growth.csv

`runs`       `evaluate` of 10 to 1,000 runs (50 topics, 50 docs each)
`topics`     `evaluate` of one run with 50 to 50,000 topics (50 docs each)
`depth`      `evaluate` of 10 runs with 10 to 1,000 docs a topic (50 topics)
`label-sets` `audit` of 2 to 50 label sets (10 runs, 20 topics, 50 docs each)
`app-docs`, `app-assessors`  a judgment in the app whose topic has 100 to 10,000 docs (2 assessors),
             and with 2 to 50 assessors (100 docs): processor time of the server, the median

Processor time is user and system time of the process and its children, the least of three (of one
where it takes over 20 s). A size that is in the file already is not measured again. The exponent c
is that of a + b · size^c with a and b from 0 on, by least squares of the relative errors; `last` is
the exponent between the two largest sizes, start-up included.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

from qrelsmith.base.rng import rng_for
from workloads import WORKLOADS, Workload, write_workload

COLUMNS = ("part", "size", "seconds")
LONG_S = 20.0
MEASURES = ("-m", "nDCG@10", "-m", "AP", "--quiet")


def made(folder: Path, *, runs: int = 1, topics: int = 50, docs: int = 50) -> list[str]:
    """The qrels and the runs of a new workload."""
    docno = WORKLOADS[0].docno
    write_workload(Workload("growth", runs, topics, docs, 20, 1_000_000, docno), folder)
    return [str(folder / "qrels"), *sorted(map(str, folder.glob("*.run")))]


def evaluated(folder: Path, sizes: dict[str, int]) -> float:
    """Seconds of `evaluate`."""
    return least_of_three(["evaluate", *made(folder, **sizes), *MEASURES])


def audited(folder: Path, sets: int) -> float:
    """Seconds of `audit`; all label sets but the first have a tenth of its labels changed."""
    qrels, *runs = made(folder, runs=10, topics=20)
    rows = [line.split() for line in Path(qrels).read_text(encoding="utf-8").splitlines()]
    words = []
    for number in range(sets):
        path = folder / f"set{number:02}.qrels"
        changed = rng_for(0, number).random(len(rows)) < (0.1 if number else 0)
        path.write_text(
            "".join(
                f"{topic} 0 {doc} {(int(grade) + is_other) % 4}\n"
                for (topic, _, doc, grade), is_other in zip(rows, changed.tolist(), strict=True)
            ),
            encoding="utf-8",
        )
        words += ["--qrels", str(path)]
    return least_of_three(
        ["audit", *words, *runs, "-m", "nDCG@10", "-o", str(folder / "audit"), "--quiet"]
    )


def judged(docs: int, assessors: int) -> float:
    """Seconds of the server's processor for a judgment."""
    program = Path(__file__).with_name("judging.py")
    done = subprocess.run(
        [
            sys.executable, str(program), "--clients", "2", "--assessors", str(assessors),
            "--docs", str(docs), "--topics", "1", "--words", "20", "--seconds", "6", "--think", "0",
        ],
        stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"^\| api-judgments \|.* ([0-9.]+) \|$", done.stdout, re.MULTILINE)
    if found is None:
        raise SystemExit(f"judging.py printed no time of a judgment: {done.stdout[-300:]}")
    return float(found[1]) / 1000


PARTS: dict[str, tuple[Sequence[int], Callable[[Path, int], float]]] = {
    "runs": ((10, 32, 100, 316, 1000), lambda folder, n: evaluated(folder, {"runs": n})),
    "topics": ((50, 500, 5000, 16000, 50000), lambda folder, n: evaluated(folder, {"topics": n})),
    "depth": (
        (10, 32, 100, 316, 1000),
        lambda folder, n: evaluated(folder, {"docs": n, "runs": 10}),
    ),
    "label-sets": ((2, 5, 10, 20, 50), audited),
    "app-docs": ((100, 1000, 10000), lambda _, n: judged(n, 2)),
    "app-assessors": ((2, 10, 50), lambda _, n: judged(100, n)),
}


def least_of_three(words: Sequence[str]) -> float:
    """User and system seconds of a command and its children."""
    least = math.inf
    for _ in range(3):
        with tempfile.TemporaryFile() as out:
            command = [sys.executable, "-m", "qrelsmith", *words]
            process = subprocess.Popen(command, stdout=out)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"qrelsmith {words[0]} ended with status {process.returncode}")
        least = min(least, usage.ru_utime + usage.ru_stime)
        if least > LONG_S:
            break
    return least


def measure(path: Path, only: Sequence[str]) -> None:
    """Measure what the file lacks, and add it, size by size."""
    there = {(row["part"], int(row["size"])) for row in rows_of(path)}
    with path.open("a", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        if not path.stat().st_size:
            writer.writerow(COLUMNS)
        for part, (sizes, seconds_of) in PARTS.items():
            for size in sizes if not only or part in only else ():
                if (part, size) in there:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    writer.writerow((part, size, f"{seconds_of(Path(folder), size):.4f}"))
                out.flush()


def rows_of(path: Path) -> list[dict[str, str]]:
    """What was measured."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The exponent c of a + b · size^c."""
    size, took = np.array(sizes, dtype=float), np.array(seconds)

    def error(c: float) -> float:
        columns = np.stack([np.ones(size.size), (size / size[-1]) ** c], axis=1) / took[:, None]
        return float(nnls(columns, np.ones(size.size))[1])

    return float(min(np.arange(0.02, 3, 0.02), key=error))


def table(path: Path) -> str:
    """Markdown: sizes, seconds, exponents."""
    lines = [
        "| quantity | sizes | processor time (s) | exponent | last |",
        "| --- | --- | --- | ---: | ---: |",
    ]
    rows = rows_of(path)
    for part in PARTS:
        found = [(int(row["size"]), float(row["seconds"])) for row in rows if row["part"] == part]
        if len(found) < 3:
            continue
        found.sort()
        sizes, seconds = zip(*found, strict=True)
        last = [math.log(t / s) / math.log(n / m) for (m, s), (n, t) in pairwise(found)][-1]
        # Of three sizes, or where hardly anything grows, a start-up cannot be told from the rest.
        grows = len(found) > 3 and max(seconds) > 2 * min(seconds)
        lines.append(
            f"| `{part}` | {', '.join(f'{size:,}' for size in sizes)}"
            f" | {', '.join(f'{took:.3g}' for took in seconds)}"
            f" | {f'{exponent(sizes, seconds):.2f}' if grows else '–'} | {last:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("do", choices=["measure", "table"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", action="append", default=[], choices=PARTS)
    options = parser.parse_args()
    if options.do == "measure":
        measure(options.file, options.only)
    print(table(options.file))


if __name__ == "__main__":
    main()
