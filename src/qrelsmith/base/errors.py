"""The errors and warnings that qrelsmith raises.

QrelsmithError
├── InputError              a file has invalid content (names file and line)
├── UsageError              a wrong call or command: unknown name, parameter out of range
│   ├── UnknownNameError    a name that is not in the registry (names the choices)
│   └── ShapeError          arrays with incompatible shapes or values
├── UndefinedError          the question has no answer for these data, and a number would mislead
└── MissingDependencyError  an optional package is required (names the extra that installs it)

InputWarning (a UserWarning) reports unusual file content that is interpreted by a documented rule.
NotConvergedWarning (a UserWarning) reports an iteration that reached its limit; the result reports
this, too.

The text of an error is one line with the value found and the value expected. The command line
prints the text unchanged and exits with status 2.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from os import PathLike
from typing import Any


class QrelsmithError(Exception):
    """The base class of all errors that qrelsmith raises."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Worker processes pass errors in this form, because `__init__` takes different arguments.
        return _rebuilt, (type(self), self.args), self.__dict__


class InputError(QrelsmithError):
    """A file has invalid content.

    Parameters
    ----------
    problem : str
        The value found and the value expected, in one line.
    path : path, optional
        The file, as named by the user.
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
    """A call or a command is wrong; the text contains the value and the correct alternatives."""


class UnknownNameError(UsageError):
    """A name is not in the registry.

    Parameters
    ----------
    kind, name : str
        Kind of the entry, and the requested name.
    choices : iterable of str
        The names in the registry.
    meant : str, optional
        The suggestion for another program's name; by default the nearest choice.
    """

    def __init__(
        self, kind: str, name: str, choices: Iterable[str], *, meant: str | None = None
    ) -> None:
        self.kind = kind
        self.name = name
        self.choices = tuple(choices)
        near = meant or nearest(name, self.choices)
        near = near or nearest(name.rsplit("/", 1)[-1], self.choices)  # a path of a run
        hint = f"; did you mean {near}?" if near else ""
        super().__init__(
            f"unknown {kind} {quoted(name)}{hint} (choices: {', '.join(self.choices)})"
        )


class ShapeError(UsageError):
    """Arrays have incompatible shapes or values."""


class UndefinedError(QrelsmithError):
    """The question has no answer for these data, and any number would mislead."""


class MissingDependencyError(QrelsmithError, ImportError):
    """An optional package is required.

    Parameters
    ----------
    extra : str
        The extra of qrelsmith that installs the package.
    purpose : str
        The purpose of the package.
    """

    def __init__(self, package: str, *, extra: str, purpose: str) -> None:
        self.package = package
        self.extra = extra
        from qrelsmith.base.installation import install_command

        super().__init__(f"{purpose} needs the package {package}: {install_command(extra)}")


class InputWarning(UserWarning):
    """A warning about unusual file content that is interpreted by a documented rule."""


class InputNote(InputWarning):
    """A note on how a file with normal content was read."""


class NotConvergedWarning(UserWarning):
    """An iteration ended at its limit; the numbers are from the last step."""


def nearest(name: str, choices: Iterable[str]) -> str | None:
    """Return the choice most similar to a name, ignoring case and dashes.

    >>> nearest("Alpha_Ordinal", ["alpha-nominal", "alpha-ordinal"])
    'alpha-ordinal'
    """
    plain = {_fold(choice): choice for choice in choices}
    near = difflib.get_close_matches(_fold(name), plain, n=1)
    return plain[near[0]] if near else None


def _fold(name: str) -> str:
    return name.lower().replace("_", "-").replace(" ", "-")


def quoted(value: object, *, limit: int = 80) -> str:
    r"""Return a value for an error: quoted, shortened, on one line, special characters escaped.

    >>> quoted("a\tb")
    "'a\\tb'"
    """
    text = value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return " aspect ".join(map(repr, text.split("\x1f")))


def printable(text: str) -> str:
    """Return a string as one line, with newlines and other unprintable characters escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _rebuilt(kind: type[QrelsmithError], args: tuple[Any, ...]) -> QrelsmithError:
    """Recreate an error from its arguments, without calling `__init__`."""
    error = kind.__new__(kind)
    error.args = args
    return error
