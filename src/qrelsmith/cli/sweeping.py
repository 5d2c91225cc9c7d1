"""Computation of a sweep's cells for commands, locally or on a cluster, with progress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from qrelsmith.base.errors import QrelsmithError
from qrelsmith.base.options import Option
from qrelsmith.base.tables import Table
from qrelsmith.cli.progress import progress

if TYPE_CHECKING:
    from qrelsmith.sweep import Cell, Parts

CELLS = "Cache results in this folder, so that an interrupted command can resume."
DASK = (
    "Compute on the workers of a Dask cluster; ADDRESS is the scheduler's address, such as"
    " tcp://127.0.0.1:8786."
)
DaskAddress = Annotated[str | None, Option(DASK, metavar="ADDRESS")]


@dataclass(slots=True)
class Sweeper:
    """A function that computes cells for a command.

    Attributes
    ----------
    parts : Parts or None
        Storage of computed rows.
    jobs : int or None
        Number of processes without a cluster.
    cluster : str or None
        The address of a cluster's scheduler.
    quiet : bool
        Whether progress is not shown.
    doing : str
        Label of the progress bar.
    """

    parts: Parts | None
    jobs: int | None
    cluster: str | None
    quiet: bool
    doing: str = "computing"

    def __call__(self, cells: Sequence[Cell]) -> list[Table]:
        """Compute the tables of the cells, in their order."""
        from qrelsmith.sweep import run_cells

        with progress(self.doing, len(cells), quiet=self.quiet) as advance, _if_one_dies():
            return run_cells(
                cells, parts=self.parts, jobs=self.jobs, cluster=self.cluster, advance=advance
            )


@contextmanager
def _if_one_dies() -> Iterator[None]:
    """Report a killed process of the sweep in one line, with advice."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        yield
    except BrokenProcessPool:
        raise QrelsmithError(
            "a process was killed, perhaps because memory ran out. Finished results are kept: to"
            " resume, run the command again, with fewer --jobs if memory is short"
        ) from None
