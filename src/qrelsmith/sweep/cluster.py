"""The workers of a Dask cluster, as joblib uses them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from qrelsmith.data.checkout import running_version
from qrelsmith.errors import MissingDependencyError, UsageError, quoted

# How long a scheduler and a first worker may take to answer.
_PATIENCE_S = 30


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Inside the block joblib's work runs on the workers of a cluster.

    Raises
    ------
    MissingDependencyError
        If Dask is not installed.
    UsageError
        If no scheduler or no worker answers, or a worker has another version of qrelsmith.
    """
    try:
        from distributed import Client
    except ImportError:
        raise MissingDependencyError(
            "dask[distributed]", extra="cluster", purpose="a sweep on a cluster"
        ) from None
    from joblib import parallel_config

    try:
        client = Client(address, timeout=_PATIENCE_S, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError):
        raise UsageError(
            f"no Dask scheduler answers at {quoted(address)} within {_PATIENCE_S} s; expected an"
            " address such as tcp://127.0.0.1:8786"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE_S)
        except TimeoutError:
            raise UsageError(
                f"the Dask scheduler at {quoted(address)} has no worker; start one with"
                f" dask worker {address}"
            ) from None
        _check_versions(client.run(_version))
        with parallel_config("dask", client=client, n_jobs=-1):
            yield


def _version() -> str:
    """What a worker answers when it is asked for its version of qrelsmith."""
    return running_version()


def _check_versions(versions: dict[str, str]) -> None:
    here = running_version()
    for worker, version in sorted(versions.items()):
        if version != here:
            raise UsageError(
                f"the worker {worker} has qrelsmith {version}; expected {here}, as here"
            )
