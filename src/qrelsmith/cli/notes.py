"""Notes and warnings on stderr, delayed until the result, so that an error is shown alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click


class Notes:
    """The lines that a command writes to stderr in addition to errors.

    The lines are not stored in click's context, which is not available to warnings from threads.
    """

    def __init__(self) -> None:
        self.quiet = False
        self._held: list[str] | None = None
        self._outdated: dict[str, None] = {}

    def keep_outdated(self, old: str, new: str) -> None:
        """Store a note on an old name until the command has succeeded."""
        self._outdated[f"qrelsmith: note: {old} is now {new}; the old form works until 0.4.0"] = (
            None
        )

    def tell_outdated(self) -> None:
        """Show the notes on old names."""
        for line in self._outdated:
            click.echo(line, err=True)

    def tell(self, line: str) -> None:
        """Show a line immediately, or together with the result while lines are delayed."""
        if self._held is None:
            click.echo(line, err=True)
        else:
            self._held.append(line)

    def release(self) -> None:
        """Show the delayed lines."""
        held = self._held or []
        for line in held:
            click.echo(line, err=True)
        held.clear()

    @contextmanager
    def hold(self, *, quiet: bool) -> Iterator[None]:
        """Delay lines until `release` or the end of the block; after an error, drop the lines."""
        self.quiet, self._held = quiet, []
        if quiet:
            self._outdated.clear()
        try:
            yield
            self.release()
        finally:
            self.quiet, self._held = False, None


def notes() -> Notes:
    """Return the notes of the running command."""
    context = click.get_current_context(silent=True)
    found = None if context is None else context.find_object(Notes)
    return found or Notes()
