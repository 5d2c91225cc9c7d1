"""Runs held in memory, for work that looks at the same runs again and again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from qrelsmith.data.runs import Run, distinct_names, read_run
from qrelsmith.data.text import FilePath
from qrelsmith.evaluation.scorer import rank_cutoff
from qrelsmith.measures import MEASURES


def load_runs(
    paths: Sequence[FilePath], *, depth: int | None, order: str = "trec", jobs: int | None = None
) -> tuple[Run, ...]:
    """Read runs; two that bear one tag go by their files' names.

    Parameters
    ----------
    paths : sequence of path
        Run files.
    depth : int or None
        Keep only the first docs of every topic; None: all of them.
    order : str
        One of `RUN_ORDERS`.
    jobs : int, optional
        Threads; by default one a processor.

    Raises
    ------
    InputError
        At the first line that is not as it should be.
    """
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        runs = list(pool.map(lambda path: read_run(path, order=order, depth=depth), paths))
    names = distinct_names([run.name for run in runs], paths)
    return tuple(replace(run, name=name) for run, name in zip(runs, names, strict=True))


def deepest_rank(measures: Sequence[str], *, condensed: bool = False) -> int | None:
    """The last rank that any of the measures looks at; None where one looks at whole runs.

    Runs whose unjudged docs are to be removed are looked at as a whole.
    """
    cutoffs = [rank_cutoff(MEASURES.get(name)) for name in measures]
    known = [cutoff for cutoff in cutoffs if cutoff is not None]
    if condensed or len(known) < len(cutoffs):
        return None
    return max(known, default=None)
