"""Parallel computation of cells in independent processes, local or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from threadpoolctl import threadpool_limits

from qrelsmith.base.errors import UsageError
from qrelsmith.base.plugins import PLUGINS
from qrelsmith.base.tables import Table
from qrelsmith.sweep.cells import Cell
from qrelsmith.sweep.cluster import computed_there
from qrelsmith.sweep.freed_memory import keep_freed_memory
from qrelsmith.sweep.parts import Parts

Sweep: TypeAlias = Callable[[Sequence[Cell]], list[Table]]
"""A way to compute cells: locally, in parallel, or on a cluster."""


def run_cells(
    cells: Sequence[Cell],
    *,
    parts: Parts | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    advance: Callable[[], None] | None = None,
) -> list[Table]:
    """Compute cells, in any order, and return their rows in the order of the cells.

    The rows are the same for any number of jobs, locally or on a cluster, because cells are
    independent and linear algebra uses one thread. Rows are stored as soon as they are computed, so
    that a stopped sweep resumes. If a worker dies, another worker computes its cell.

    Parameters
    ----------
    cells : sequence of Cell
        The cells to compute.
    parts : Parts, optional
        Storage of the rows; without it, no rows are stored.
    jobs : int, optional
        Number of processes, by default one per processor; not used on a cluster.
    cluster : str, optional
        Address of the scheduler of a Dask cluster, such as `tcp://127.0.0.1:8786`, whose workers
        have the same version of qrelsmith.
    advance : callable, optional
        Called after each cell, to show progress.

    Raises
    ------
    UsageError
        If two cells are the same, jobs is below 1, or no scheduler or no worker answers.
    QrelsmithError
        If the scheduler of a cluster disappears.
    MissingDependencyError
        If a cluster is requested and Dask is not installed.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs={jobs}; expected 1 or more")
    keys = [cell.key for cell in cells]
    if len(set(keys)) < len(keys):
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        cell = cells[keys.index(twice)]
        raise UsageError(f"the cell {cell.work} {dict(cell.parameters)} appears twice in the sweep")
    rows_by_key: dict[str, Table] = {}
    if parts is not None:
        kept = {cell.key: parts.get(cell) for cell in cells}
        rows_by_key = {key: rows for key, rows in kept.items() if rows is not None}
    todo = [cell for cell in cells if cell.key not in rows_by_key]
    if advance is not None:
        for _ in rows_by_key:
            advance()
    for place, rows in _compute_cells(todo, jobs, cluster):
        cell = todo[place]
        if parts is not None:
            parts.put(cell, rows)
        rows_by_key[cell.key] = rows
        if advance is not None:
            advance()
    return [rows_by_key[key] for key in keys]


def _compute_cells(
    cells: Sequence[Cell], jobs: int | None, cluster: str | None
) -> Iterator[tuple[int, Table]]:
    """Yield the position and the rows of each cell as they are computed."""
    if not cells:
        return
    # Independent processes do not know the files named in this process.
    compute = partial(_compute, PLUGINS.files)
    if cluster is not None:
        yield from computed_there(cells, compute, cluster)
        return
    from joblib import Parallel, delayed, parallel_config

    processes = jobs or os.cpu_count() or 1
    with parallel_config("loky", n_jobs=processes, inner_max_num_threads=1):
        work = Parallel(return_as="generator_unordered")
        yield from work(delayed(compute)(place, cell) for place, cell in enumerate(cells))


def _compute(plugins: Sequence[str], place: int, cell: Cell) -> tuple[int, Table]:
    PLUGINS.add_files(plugins)
    keep_freed_memory()
    # Several threads could sum in a different order, which would change the last digits.
    with threadpool_limits(1):
        return place, cell.compute()
