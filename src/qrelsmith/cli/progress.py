"""A progress bar on stderr, shown if a computation takes more than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE_S = 1.0


@contextmanager
def progress(label: str, total: int | None, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """Show a progress bar on stderr; yield a function to call after each of `total` steps.

    If `total` is None, the bar only shows activity. Nothing is shown during the first second, in a
    pipe or a file, or with --quiet.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    started, done = time.monotonic(), 0
    bar: Progress | None = None

    def advance() -> None:
        nonlocal done, bar
        done += 1
        if bar is None and time.monotonic() - started > _PATIENCE_S:
            from rich.console import Console
            from rich.progress import Progress as RichProgress

            bar = RichProgress(console=Console(stderr=True), transient=True)
            bar.add_task(label, total=total)
            bar.start()
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done)
            if done == total:
                bar.stop()  # a later step may have another bar

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()
