"""Checks of registered functions: a callable signature and known attributes.

A function with a wrong signature is rejected at registration, not when a user requests it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from qrelsmith.base.errors import UsageError

Parameter = str | int | float | None

# The default of a required attribute.
REQUIRED = object()

_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def keywords_of(
    function: Callable[..., Any], arguments: Sequence[str], context: Set[str], *, what: str
) -> dict[str, Any]:
    """Return the keywords of a function, with their defaults.

    Parameters
    ----------
    function : callable
        The function to register.
    arguments : sequence of str
        The positional arguments of its calls.
    context : set of str
        Keywords supplied by the caller; all others must have a default that a name can change.
    what : str
        A description for errors: `measure nDCG`.

    Raises
    ------
    UsageError
        If the function cannot be called with these arguments.
    """
    parameters = inspect.signature(function).parameters
    placed = [each for each in parameters.values() if each.kind in _BY_POSITION]
    needed = [each for each in placed if each.default is each.empty]
    if not len(needed) <= len(arguments) <= len(placed):
        raise UsageError(
            f"the {what} takes ({_name_list(each.name for each in placed)}) by position; expected"
            f" ({_name_list(arguments)})"
        )
    keywords = {}
    for name, parameter in parameters.items():
        if parameter.kind in _BY_POSITION:
            continue
        if parameter.kind is not parameter.KEYWORD_ONLY:
            raise UsageError(f"the {what} takes {parameter}; expected named keywords")
        default = parameter.default
        if name not in context and not (default is None or isinstance(default, str | int | float)):
            given = _name_list(sorted(context)) or "none"
            raise UsageError(
                f"the {what} takes the keyword {name}, which qrelsmith does not pass "
                f"and whose default is not a number, text or None (passed: {given})"
            )
        keywords[name] = default
    return keywords


def facts_of(
    facts_given: Mapping[str, Any], defaults: Mapping[str, Any], *, what: str
) -> Mapping[str, Any]:
    """Return all attributes of an entry: the given attributes, and defaults for the rest.

    Raises
    ------
    UsageError
        If an attribute is unknown, or a required one is missing.
    """
    for name in facts_given:
        if name not in defaults:
            choices = _name_list(sorted(defaults))
            raise UsageError(f"the {what} has the unknown attribute {name} (choices: {choices})")
    facts = {**defaults, **facts_given}
    for name, value in facts.items():
        if value is REQUIRED:
            raise UsageError(f"the {what} lacks the attribute {name}")
    return MappingProxyType(facts)


_SECTION = re.compile(r"\n\n(Parameters|Returns|Raises|Warns|Notes|References|Examples)\n-+\n")


_ORDER = ("Parameters", "Returns", "Raises", "Warns", "Notes", "References", "Examples")


def document(function: Callable[..., Any], contract: Callable[..., Any]) -> None:
    """Add the common parameters and errors of a registry to a docstring, for `help()`.

    Parameters
    ----------
    function : callable
        A registered function; its own descriptions of parameters and errors are kept.
    contract : callable
        A function whose docstring has the common parameters and errors.
    """
    if not function.__doc__:
        return
    summary, sections = _sections(function)
    places = {name: place for place, name in enumerate(inspect.signature(function).parameters)}
    for title, shared in _sections(contract)[1].items():
        own = _entries(sections.get(title, ""))
        said = {name for entry in own for name in _names(entry)}
        for entry in _entries(shared):
            is_taken = title != "Parameters" or places.keys() & set(_names(entry))
            own += [entry] if is_taken and said.isdisjoint(_names(entry)) else []
        if own:
            own.sort(key=lambda entry: places.get(_names(entry)[0], 0))
            sections[title] = "\n".join(own)
    parts = [f"{each}\n{'-' * len(each)}\n{sections[each]}" for each in _ORDER if each in sections]
    function.__doc__ = "\n\n".join([summary, *parts])


def _sections(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return the summary of a docstring, and its sections by title."""
    summary, *rest = _SECTION.split(inspect.cleandoc(function.__doc__ or ""))
    return summary, dict(zip(rest[::2], rest[1::2], strict=True))


def _entries(section: str) -> list[str]:
    return re.split(r"\n(?=\S)", section.strip()) if section else []


def _names(entry: str) -> list[str]:
    """Return the names described by an entry of a docstring's section."""
    return entry.partition("\n")[0].partition(" : ")[0].split(", ")


def _name_list(names: Iterable[str]) -> str:
    return ", ".join(names)


def load_modules(package: str, folders: Iterable[str], mark: str) -> None:
    """Import the modules of a package that register entries.

    Parameters
    ----------
    package : str
        The name of the package.
    folders : iterable of str
        The `__path__` of the package.
    mark : str
        The start of the decorator in their source: `@DAMAGES.add(`.
    """
    for folder in folders:
        for file in sorted(Path(folder).glob("*.py")):
            if not file.name.startswith("_") and mark in file.read_text("utf-8"):
                import_module(f"{package}.{file.stem}")
