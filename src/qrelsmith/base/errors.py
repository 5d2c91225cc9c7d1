"""The errors and warnings that qrelsmith raises on purpose.

QrelsmithError
├── InputError              a file holds something that it must not hold (names file and line)
├── UsageError              a call or a command is wrong: unknown name, parameter out of range
│   ├── UnknownNameError    a name that the registry asked does not know (names the choices)
│   └── ShapeError          arrays whose shapes or values do not fit together
├── UndefinedError          the question has no answer on these data, and a number would mislead
└── MissingDependencyError  an optional package is needed (names the extra that brings it)

InputWarning (a UserWarning) tells of something odd in a file that has a decided reading;
NotConvergedWarning (a UserWarning) of an iteration that reached its limit: its result says so too.

The text of an error is one line that names what stood there and what was expected. The command
line prints it as it is and exits with status 2.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from os import PathLike
from typing import Any


class QrelsmithError(Exception):
    """Base of every error that qrelsmith raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        # A worker process hands its errors over in this form; `__init__` has other arguments.
        return _rebuilt, (type(self), self.args), self.__dict__


class InputError(QrelsmithError):
    """A file holds something that it must not hold.

    Parameters
    ----------
    problem : str
        What stood there and what was expected, in one line.
    path : path, optional
        The file as the user named it.
    line : int, optional
        Line number, counted from 1.
    """

    def __init__(
        self, problem: str, *, path: str | PathLike[str] | None = None, line: int | None = None
    ) -> None:
        self.problem = problem
        self.path = None if path is None else str(path)
        self.line = line
        place = "" if self.path is None else printable(self.path)
        if line is not None:
            place += f":{line}"
        super().__init__(f"{place}: {problem}" if place else problem)


class UsageError(QrelsmithError, ValueError):
    """A call or a command is wrong: its text names the value and what would be right."""


class UnknownNameError(UsageError):
    """A name is not in the registry that was asked.

    Parameters
    ----------
    kind, name : str
        What was asked for.
    choices : iterable of str
        The names that there are.
    meant : str, optional
        What another program's name means here; by default the nearest choice.
    """

    def __init__(
        self, kind: str, name: str, choices: Iterable[str], *, meant: str | None = None
    ) -> None:
        self.kind = kind
        self.name = name
        self.choices = tuple(choices)
        near = meant or nearest(name, self.choices)
        hint = f"; did you mean {near}?" if near else ""
        super().__init__(
            f"unknown {kind} {quoted(name)}{hint} (choices: {', '.join(self.choices)})"
        )


class ShapeError(UsageError):
    """Arrays whose shapes or values do not fit together."""


class UndefinedError(QrelsmithError):
    """The question has no answer on these data, and any number would mislead."""


class MissingDependencyError(QrelsmithError, ImportError):
    """An optional package is needed.

    Parameters
    ----------
    extra : str
        The extra of qrelsmith that installs it.
    purpose : str
        What it is needed for.
    """

    def __init__(self, package: str, *, extra: str, purpose: str) -> None:
        self.package = package
        self.extra = extra
        from qrelsmith.base.installation import install_command

        super().__init__(f"{purpose} needs the package {package}: {install_command(extra)}")


class InputWarning(UserWarning):
    """A warning of something odd in a file that has a decided, documented reading."""


class InputNote(InputWarning):
    """A note of how a file was read; nothing in it is odd."""


class NotConvergedWarning(UserWarning):
    """An iteration ended at its limit: the numbers are those of the last step."""


def nearest(name: str, choices: Iterable[str]) -> str | None:
    """Return the choice that a name was probably meant to be, whatever its case and its dashes.

    >>> nearest("Alpha_Ordinal", ["alpha-nominal", "alpha-ordinal"])
    'alpha-ordinal'
    """
    plain = {_fold(choice): choice for choice in choices}
    near = difflib.get_close_matches(_fold(name), plain, n=1)
    return plain[near[0]] if near else None


def _fold(name: str) -> str:
    return name.lower().replace("_", "-").replace(" ", "-")


def quoted(value: object, *, limit: int = 80) -> str:
    r"""`value` as it is shown inside an error: one line, quoted, shortened, nothing unprintable.

    >>> quoted("a\tb")
    "'a\\tb'"
    """
    text = value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return " aspect ".join(map(repr, text.split("\x1f")))


def printable(text: str) -> str:
    """Return the text in one line: what cannot be printed, a newline above all, is escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _rebuilt(kind: type[QrelsmithError], args: tuple[Any, ...]) -> QrelsmithError:
    """Return an error as it was, but for its attributes, without a call of `__init__`."""
    error = kind.__new__(kind)
    error.args = args
    return error
