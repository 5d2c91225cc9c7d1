"""Old names of options, which work until 0.4.0 with a note or a `DeprecationWarning`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Renamed(NamedTuple):
    """The new name of an option or keyword.

    Attributes
    ----------
    name : str
        The new name of the keyword or option; the same name if only values have new names.
    values : mapping of str to str
        New values by old values; other values are unchanged.
    """

    name: str
    values: Mapping[str, str] = {}


def changed_meaning(problem: object, old: str, new: str) -> str:
    """Return the error message for a name that had another meaning before 0.3.0.

    >>> changed_meaning("--order needs an argument", "--order", "--ranking")
    '--order needs an argument. The former --order is now --ranking.'
    """
    return f"{str(problem).rstrip('.')}. The former {old} is now {new}."


def renamed_words(
    words: Sequence[str], old: Mapping[str, Renamed], note: Callable[[str, str], None]
) -> list[str]:
    """Replace old options in the arguments of a command by their current names.

    >>> old = {"--topics": Renamed("--missing-topics", {"intersection": "drop"})}
    >>> renamed_words(["q", "--topics", "intersection"], old, lambda *names: None)
    ['q', '--missing-topics', 'drop']
    """
    new: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*new, word, *rest]
        name, equals, value = word.partition("=")
        if name not in old:
            new.append(word)
            continue
        now = old[name]
        given = value if equals else (rest[0] if now.values and rest else "")
        became = now.values.get(given, given)
        if now.name != name or became != given:
            shown = f" {became}" if became != given else ""
            note(f"{name} {given}" if shown else name, f"{now.name}{shown}")
        if equals:
            new.append(f"{now.name}={became}")
            continue
        new.append(now.name)
        if now.values and rest:
            new.append(became)
            rest.pop(0)
    return new


def accept_old_keywords(**old: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for functions with renamed keywords: old=new."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        names = {before: Renamed(now) for before, now in old.items()}

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return function(*args, **renamed_keywords(function.__name__, kwargs, names))

        return call

    return decorate


def renamed_keywords(
    question: str, keywords: Mapping[str, Any], old: Mapping[str, Renamed]
) -> dict[str, Any]:
    """Replace old keywords of a call by their current names, with a warning."""
    new: dict[str, Any] = {}
    for name, value in keywords.items():
        now = old.get(name, Renamed(name))
        became = now.values.get(value, value) if isinstance(value, str) else value
        if now.name != name or became is not value:
            shown = f"{now.name}={became!r}" if became is not value else now.name
            warnings.warn(
                f"{question}: {name} is now {shown}; the old form works until 0.4.0",
                DeprecationWarning, stacklevel=3,
            )  # fmt: skip
        new[now.name] = became
    return new
