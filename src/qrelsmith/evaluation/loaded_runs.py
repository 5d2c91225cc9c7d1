"""Runs held in memory, for work that uses the same runs repeatedly."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from qrelsmith.collection.run_names import distinct_names
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.collection.shared_docs import share_docs
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.evaluation.scorer import rank_cutoff
from qrelsmith.forms.reading import ReadingOptions, bind_reading, reading
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.run_sources import RunsLike, runs_of


def read_runs(
    runs: RunsLike,
    *,
    order: str = "trec",
    depth: int | None = None,
    jobs: int | None = None,
    **how: Unpack[ReadingOptions],
) -> list[Run]:
    """Load runs into memory from files, folders, data frames or mappings.

    Parameters
    ----------
    runs : path, folder, data frame, mapping, campaign, or a list of these
        A folder: every file. A DataFrame: one run per system, named by a column `run`, `name`,
        `system`, `run_id` or `tag`. A mapping: one run per key, as {name: frame} or {name: {topic:
        {doc: score}}}. A campaign: its runs.
    order : str
        Ranking order of docs: one of `RUN_ORDERS`.
    depth : int, optional
        Keep only the first docs of every topic.
    jobs : int, optional
        Threads; by default one per processor.

    **how
        `form` and `columns`: file format and column names, if the content does not show them.

    Returns
    -------
    list of Run
        Runs with the same tag are named after their files.

    Raises
    ------
    InputError
        At the first malformed line, or if a folder is empty.
    UsageError
        If the source has another type, or two runs have the same name.

    Examples
    --------
    >>> import pandas
    >>> columns = {"qid": ["1", "1"], "docno": ["a", "a"], "score": [0.5, 2.0], "name": ["x", "y"]}
    >>> read_runs(pandas.DataFrame(columns))
    [<Run 'x': 1 docs, 1 topics>, <Run 'y': 1 docs, 1 topics>]
    """
    if how:
        with reading(**how):
            return read_runs(runs, order=order, depth=depth, jobs=jobs)
    return list(load_runs(runs_of(runs, order=order), depth=depth, order=order, jobs=jobs))


def load_runs(
    paths: Sequence[Run | FilePath],
    *,
    depth: int | None,
    order: str = "trec",
    jobs: int | None = None,
) -> tuple[Run, ...]:
    """Read runs, naming runs with the same tag after their files.

    Parameters
    ----------
    paths : sequence of path or Run
        Run files; runs in memory are only cut to the depth.
    depth : int or None
        Keep only the first docs of every topic; None: all of them.
    order : str
        One of `RUN_ORDERS`, for files; runs in memory keep their order.
    jobs : int, optional
        Threads; by default one per processor.

    Raises
    ------
    InputError
        At the first malformed line.
    UsageError
        If the depth is below 1, or two runs have the same name.
    """
    from concurrent.futures import ThreadPoolExecutor

    def load(source: Run | FilePath) -> Run:
        if isinstance(source, Run):
            return source if depth is None else source.to_depth(depth)
        return read_run(source, order=order, depth=depth)

    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        runs = list(pool.map(bind_reading(load), paths))
    names = distinct_names([run.name for run in runs], paths)
    named = tuple(
        run if run.name == name else replace(run, name=name)
        for run, name in zip(runs, names, strict=True)
    )
    share_docs(named)
    return named


def deepest_rank(measures: Sequence[str], *, condensed: bool = False) -> int | None:
    """Return the deepest rank that the measures use, or None if a measure uses whole runs.

    Condensed runs are always used whole.
    """
    cutoffs = [rank_cutoff(MEASURES.get(name)) for name in measures]
    known = [cutoff for cutoff in cutoffs if cutoff is not None]
    if condensed or len(known) < len(cutoffs):
        return None
    return max(known, default=None)
