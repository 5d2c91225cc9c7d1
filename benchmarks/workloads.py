"""Write the benchmark workloads: synthetic runs and qrels of fixed size.

    python benchmarks/workloads.py FOLDER [--only many-runs] [--gzip]

`many-runs`   50 runs × 250 topics × 1,000 docs, 200 judged docs a topic (a TREC track)
`twenty-runs` the first 20 of them
`many-topics`  1 run × 6,980 topics × 1,000 docs, about one judged doc a topic (MS MARCO dev)
`small`       10 runs × 50 topics × 100 docs, 100 judged docs a topic

Scores fall with the rank and have as many digits as real runs have; one pair of neighbours in
fifty is tied, because real runs have ties. The files depend on nothing but the seed.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Workload:
    """Size of one workload: counts of runs, topics, docs a topic, judged docs a topic."""

    name: str
    runs: int
    topics: int
    docs: int
    judged: int
    corpus: int
    docno: Callable[[np.ndarray], np.ndarray]


def _clueweb_like(ids: np.ndarray) -> np.ndarray:
    """25-character ids such as `clueweb12-0123tw-45-67890`."""
    return np.array(
        [
            f"clueweb12-{i // 10_000_000:04d}tw-{i // 100_000 % 100:02d}-{i % 100_000:05d}"
            for i in ids
        ]
    )


def _integer(ids: np.ndarray) -> np.ndarray:
    return ids.astype(str)


WORKLOADS = (
    Workload("many-runs", 50, 250, 1000, 200, 50_000_000, _clueweb_like),
    Workload("twenty-runs", 20, 250, 1000, 200, 50_000_000, _clueweb_like),
    Workload("many-topics", 1, 6980, 1000, 1, 8_841_823, _integer),
    Workload("small", 10, 50, 100, 100, 500_000, _clueweb_like),
)


def write_workload(
    workload: Workload, folder: Path, *, seed: int = 0, gzipped: bool = False
) -> None:
    """Write `qrels` and `runNN.run` (or `.run.gz`) of one workload into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([seed, workload.topics])
    topics = [str(101 + 7 * t) for t in range(workload.topics)]
    # Every topic has a set of candidate docs from which all runs and the judged docs are drawn.
    candidates = [
        workload.docno(rng.choice(workload.corpus, size=2 * workload.docs, replace=False))
        for _ in topics
    ]
    with open(folder / "qrels", "w", encoding="utf-8", newline="\n") as out:
        for topic, docs in zip(topics, candidates, strict=True):
            judged = max(1, workload.judged)
            grades = rng.choice(4, size=judged, p=[0.7, 0.15, 0.1, 0.05])
            if judged == 1:
                grades[:] = 1
            out.writelines(
                f"{topic} 0 {doc} {grade}\n"
                for doc, grade in zip(docs[:judged], grades, strict=True)
            )
    for number in range(workload.runs):
        name = f"run{number:02d}"
        path = folder / (f"{name}.run.gz" if gzipped else f"{name}.run")
        opener = gzip.open if gzipped else open
        with opener(path, "wt", encoding="utf-8", newline="\n") as out:
            for topic, docs in zip(topics, candidates, strict=True):
                # Judged docs (the first candidates) are likelier to be ranked, and higher.
                merit = rng.normal(size=docs.size)
                merit[: workload.judged] += 0.5 + number / 50
                top = np.argsort(-merit, kind="stable")[: workload.docs]
                scores = np.round(np.sort(rng.gamma(4.0, 3.0, size=top.size))[::-1], 6)
                tied = np.flatnonzero(rng.random(top.size - 1) < 0.02) + 1
                scores[tied] = scores[tied - 1]
                out.writelines(
                    f"{topic} Q0 {doc} {rank} {score!r} {name}\n"
                    for rank, (doc, score) in enumerate(
                        zip(docs[top].tolist(), scores.tolist(), strict=True), start=1
                    )
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=[w.name for w in WORKLOADS])
    parser.add_argument("--gzip", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for workload in WORKLOADS:
        if options.only in (None, workload.name):
            folder = options.folder / (workload.name + ("-gz" if options.gzip else ""))
            write_workload(workload, folder, seed=options.seed, gzipped=options.gzip)
            print(folder)


if __name__ == "__main__":
    main()
