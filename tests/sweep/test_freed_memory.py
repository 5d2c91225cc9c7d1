"""Freed memory of arrays stays with the process, even if the environment says otherwise."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

WORK = """
import resource
import numpy as np
from qrelsmith.sweep.freed_memory import keep_freed_memory
{first}
np.ones(2 << 20)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    np.ones(2 << 20)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def page_faults(first: str) -> int:
    """Return how many pages 20 arrays of 16 MiB fetch after the first, as below Dask's nanny."""
    environment = {**os.environ, "MALLOC_TRIM_THRESHOLD_": "65536"}
    done = subprocess.run(
        [sys.executable, "-c", WORK.format(first=first)],
        env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="it is glibc's allocator that is told")
def test_pages_are_fetched_only_once() -> None:
    kept = page_faults("assert keep_freed_memory()")
    assert kept < 0.1 * page_faults("")
