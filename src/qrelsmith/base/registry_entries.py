"""Entries of a registry, and calls by name."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from qrelsmith.base.errors import QrelsmithError, UsageError
from qrelsmith.base.registration import Parameter

F = TypeVar("F", bound=Callable[..., Any])
_WHOLE = (int, int | None, "int", "int | None")


@dataclass(frozen=True, slots=True)
class Entry(Generic[F]):
    """A registered function.

    Attributes
    ----------
    name : str
        The name of the entry.
    function : callable
        The function itself.
    parameters : mapping
        The parameters that a name may set, with their defaults.
    takes : frozenset of str
        All keywords of the function, including those that a name may not set.
    cutoff : bool
        Whether a name may end in `@k`.
    formula, source : str
        Formula and source, for the list of the registry and the docs.
    always : frozenset of str
        Parameters that a label shows even if they have their default values.
    about : mapping
        Additional attributes of the entry, with defaults for those not given.
    finish : callable, optional
        Checks the result of a plug-in's function: label, result, arguments → result.
    """

    name: str
    function: F
    parameters: Mapping[str, Parameter]
    takes: frozenset[str]
    cutoff: bool
    formula: str
    source: str
    always: frozenset[str]
    about: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    finish: Callable[..., Any] | None = None

    @property
    def is_ours(self) -> bool:
        """Whether the function is part of qrelsmith and not of a plug-in."""
        module: str = getattr(self.function, "__module__", "")
        return module.partition(".")[0] in ("qrelsmith", "qrelsmith_papers")

    @property
    def whole(self) -> frozenset[str]:
        """The keywords annotated as whole numbers."""
        parameters = inspect.signature(self.function).parameters.values()
        return frozenset(each.name for each in parameters if each.annotation in _WHOLE)

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]


@dataclass(frozen=True, slots=True)
class Named(Generic[F]):
    """An entry with the parameters and the cutoff of a name."""

    entry: Entry[F]
    parameters: Mapping[str, Parameter]
    cutoff: float | int | None = None

    @property
    def label(self) -> str:
        """The full name, with all non-default parameters in alphabetical order."""
        placed = self.entry.about.get("placed", "")
        shown = [_literal(self.parameters[placed])] if placed else []
        shown += [
            f"{key}={_literal(value)}"
            for key, value in sorted(self.parameters.items())
            if key != placed and (key in self.entry.always or value != self.entry.parameters[key])
        ]
        text = self.entry.name + (f"({','.join(shown)})" if shown else "")
        return text if self.cutoff is None else f"{text}@{_literal(self.cutoff)}"

    def __call__(self, *args: Any, **context: Any) -> Any:
        """Call the function with the name's parameters and the caller's `context`.

        Context that the function does not accept is omitted, so that callers can pass everything.

        Raises
        ------
        UsageError
            If the function is a plug-in's and fails.
        """
        known = {key: value for key, value in context.items() if key in self.entry.takes}
        if self.entry.cutoff:
            known["cutoff"] = self.cutoff
        try:
            result = self.entry.function(*args, **known, **self.parameters)
        except Exception as error:
            if isinstance(error, QrelsmithError) or self.entry.is_ours:
                raise
            frames = traceback.extract_tb(error.__traceback__)
            own = inspect.getsourcefile(self.entry.function)
            frame = next((each for each in reversed(frames) if each.filename == own), frames[-1])
            problem = " ".join(f"{type(error).__name__}: {error}".splitlines())
            place = f"{frame.filename}:{frame.lineno}"
            raise UsageError(f"{self.label} of a plug-in failed: {problem} ({place})") from error
        if self.entry.finish is None or self.entry.is_ours:
            return result
        return self.entry.finish(f"{self.label} of a plug-in", result, *args, **context)


def whole_where_it_is(value: float | int) -> float | int:
    """Convert integral floats to int, so that `2.0` and `2` have the same label."""
    return int(value) if float(value).is_integer() else value


def _literal(value: Parameter) -> str:
    """Format a parameter for a label, with strings in single quotes."""
    if isinstance(value, str):
        # repr uses single quotes for a text that begins with a double quote.
        return "'" + repr('"' + value)[2:]
    return repr(value)
