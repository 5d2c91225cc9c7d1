"""Progress on stderr, for work that takes more than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE_S = 1.0


@contextmanager
def progress(label: str, total: int, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """A function to call after each of `total` steps; a line on stderr shows how far the work is.

    Nothing is shown during the first second, to a pipe or a file, or when asked to be quiet.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    started, done, shown = time.monotonic(), 0, False

    def advance() -> None:
        nonlocal done, shown
        done += 1
        elapsed = time.monotonic() - started
        if elapsed > _PATIENCE_S:
            shown = True
            left = elapsed / done * (total - done)
            sys.stderr.write(f"\r\x1b[K{label}: {done}/{total}, about {left:.0f} s left")
            sys.stderr.flush()

    try:
        yield advance
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
