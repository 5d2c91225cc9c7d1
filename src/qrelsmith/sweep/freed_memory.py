"""Memory that arrays have given back, kept by the process for those to come."""

from __future__ import annotations

import ctypes
from functools import cache

# Parameters of glibc's mallopt, and what they are set to; 32 MiB is the most that the second takes.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT, _LARGE = 64 << 20, 32 << 20


@cache
def keep_freed_memory() -> bool:
    """Tell the allocator to keep freed blocks, once a process; return whether it does.

    Otherwise Linux's gives back each large block, and fetches it anew page by page, which can take
    most of the time of a cell; Dask's nanny makes that the rule for its workers. Other allocators
    stay as they are.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(_TRIM_THRESHOLD, _KEPT)) and bool(mallopt(_MMAP_THRESHOLD, _LARGE))
