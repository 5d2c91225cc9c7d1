"""Freed memory of arrays, kept by the process for later arrays."""

from __future__ import annotations

import ctypes
from functools import cache

# Parameters of glibc's mallopt and their values; 32 MiB is the maximum for the second.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT, _LARGE = 64 << 20, 32 << 20


@cache
def keep_freed_memory() -> bool:
    """Make the allocator keep freed blocks, once per process; return whether this succeeded.

    By default, Linux's allocator returns each large block to the system and requests it again page
    by page. This can take most of the time of a cell. Dask's nanny sets this behaviour for its
    workers. Other allocators are unchanged.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(_TRIM_THRESHOLD, _KEPT)) and bool(mallopt(_MMAP_THRESHOLD, _LARGE))
