"""The workers of a Dask cluster."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from qrelsmith.base.errors import MissingDependencyError, QrelsmithError, UsageError, quoted
from qrelsmith.base.tables import Table
from qrelsmith.io.checkout import running_version
from qrelsmith.sweep.cells import Cell

# Timeout for the scheduler and for the first worker.
_PATIENCE_S = 30
# Other protocols, such as ucx, need packages that the extra does not install.
_PROTOCOLS = ("tcp", "tls", "ws", "wss", "inproc")
_ENCRYPTED = ("tls", "wss")
Compute = Callable[[int, Cell], tuple[int, Table]]


def computed_there(
    cells: Sequence[Cell], compute: Compute, address: str
) -> Iterator[tuple[int, Table]]:
    """Yield each cell's position and rows, as the workers of a cluster finish them.

    All cells are submitted at once, so that workers that join later get cells too, and no worker
    waits for the next cell. (joblib's backend submits two cells per initial worker, and computes
    locally if there is only one worker with one thread.)

    Raises
    ------
    MissingDependencyError
        If Dask is not installed.
    UsageError
        If no scheduler or worker answers, or a worker has another version of qrelsmith.
    QrelsmithError
        If the scheduler disappears, or the workers of a cell die repeatedly.
    """
    with _connect(address) as client:
        from distributed import as_completed

        work = partial(_as_here, compute, running_version())
        futures = client.map(work, range(len(cells)), cells, pure=False)
        done = as_completed(futures, loop=client.loop, with_results=True)  # type: ignore[no-untyped-call]
        for future, found in done:
            if isinstance(found, BaseException):  # the result of a cancelled cell
                raise found
            # The worker can free the result.
            future.release()
            yield found


@contextmanager
def _connect(address: str) -> Iterator[Any]:
    """Connect a client to a cluster with at least one worker."""
    try:
        from distributed import Client
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise MissingDependencyError(
            "dask[distributed]", extra="cluster", purpose="a sweep on a cluster"
        ) from None
    _check_protocol(address)
    client = None
    with suppress(OSError, ValueError):
        client = Client(address, timeout=_PATIENCE_S, set_as_default=False)  # type: ignore[no-untyped-call]
    if client is None:
        # The failed client is finalised under a lock that the next client holds while it starts.
        gc.collect()
        raise UsageError(
            f"no Dask scheduler answered at {quoted(address)} within {_PATIENCE_S} s; expected an"
            " address such as tcp://127.0.0.1:8786"
        )
    with _silent(), client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE_S)
        except TimeoutError:
            raise UsageError(
                f"the Dask scheduler at {quoted(address)} has no workers; expected at "
                f"least one. Start one with dask worker {address}"
            ) from None
        try:
            for worker, version in sorted(client.run(_version).items()):
                _check(version, running_version(), f"the worker {worker}")
            yield client
        except (CommClosedError, CancelledError):
            raise QrelsmithError(
                f"the Dask scheduler at {quoted(address)} stopped answering. Finished "
                "cells are kept: start it with its workers, and run the command again to resume"
            ) from None
        except KilledWorker as error:
            raise QrelsmithError(
                f"{error.allowed_failures + 1} workers died while computing the same cell, "
                "perhaps because memory ran out. Finished cells are kept"
            ) from None


def _check_protocol(address: str) -> None:
    """Reject addresses that Dask's client would reject only after its start."""
    from distributed.security import Security

    protocol, mark, _ = address.partition("://")
    if mark and protocol not in _PROTOCOLS:
        raise UsageError(
            f"the Dask scheduler's address is {quoted(address)}; expected one of the protocols"
            f" {', '.join(_PROTOCOLS)}, such as tcp://127.0.0.1:8786"
        )
    own = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    if protocol in _ENCRYPTED and own.get("ssl_context") is None:
        raise UsageError(
            f"the Dask scheduler's address is {quoted(address)}, but no certificate "
            "is configured; set distributed.comm.tls in Dask's configuration"
        )


@contextmanager
def _silent() -> Iterator[None]:
    """Silence Dask's client inside the block; its errors are reported in one line afterwards."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _version() -> str:
    """Return the worker's version of qrelsmith."""
    return running_version()


def _as_here(compute: Compute, version: str, place: int, cell: Cell) -> tuple[int, Table]:
    """Compute a cell on a worker; check its version again, because it may have joined later."""
    _check(running_version(), version, "a worker")
    return compute(place, cell)


def _check(version: str, here: str, worker: str) -> None:
    if version != here:
        raise UsageError(f"{worker} has qrelsmith {version}; expected {here}")
