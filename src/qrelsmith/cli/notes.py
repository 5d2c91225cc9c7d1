"""Notes and warnings on stderr: held until there is a result, so that an error stands alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click


class Notes:
    """The lines that one command writes to stderr besides an error.

    It is not click's context, which a warning from a thread would not find.
    """

    def __init__(self) -> None:
        self.quiet = False
        self._held: list[str] | None = None
        self._outdated: dict[str, None] = {}

    def keep_outdated(self, old: str, new: str) -> None:
        """Keep a note on an old spelling until the command has succeeded."""
        self._outdated[f"qrelsmith: note: {old} is now {new}; the old form works until 0.4.0"] = (
            None
        )

    def tell_outdated(self) -> None:
        """Show the notes on old spellings."""
        for line in self._outdated:
            click.echo(line, err=True)

    def tell(self, line: str) -> None:
        """Show a line: at once, or, while lines are held, with the result."""
        if self._held is None:
            click.echo(line, err=True)
        else:
            self._held.append(line)

    def release(self) -> None:
        """Show the lines that are held."""
        held = self._held or []
        for line in held:
            click.echo(line, err=True)
        held.clear()

    @contextmanager
    def hold(self, *, quiet: bool) -> Iterator[None]:
        """Hold lines until `release` or the end; after an error they are not shown at all."""
        self.quiet, self._held = quiet, []
        if quiet:
            self._outdated.clear()
        try:
            yield
            self.release()
        finally:
            self.quiet, self._held = False, None


def notes() -> Notes:
    """Return the notes of the command that runs."""
    context = click.get_current_context(silent=True)
    found = None if context is None else context.find_object(Notes)
    return found or Notes()
