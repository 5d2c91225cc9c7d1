"""Schemas of JSON values: each generates its JSON Schema and checks values.

Arrays and objects are in `composites`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Place = tuple[str | int, ...]
Document = dict[str, Any]
_SHOWN = 80
_LISTED = 12


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a value.

    Attributes
    ----------
    place : tuple of str and int
        The keys and indices that lead to the value.
    found : str
        The value found, as JSON, or `nothing`.
    expected : str
        The expected value.
    reason : str
        The reason for programs: `schema`, or the code of a refused judgment.
    """

    place: Place
    found: str
    expected: str
    reason: str = "schema"


class Schema(Protocol):
    """A schema, which documents JSON values and checks them in requests."""

    def document(self) -> Document:
        """Return the JSON Schema; named objects are references."""

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of a value at the given place of a request."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string without NUL, which databases cannot store.

    Attributes
    ----------
    pattern : str
        A regular expression for the whole string, valid in Python and JavaScript; empty: any
        string.
    like : str
        A description of strings that match the pattern.
    """

    about: str = ""
    shortest: int = 0
    longest: int = 200
    pattern: str = ""
    like: str = ""
    examples: tuple[str, ...] = ()

    def document(self) -> Document:
        """Return the JSON Schema."""
        found: Document = {"type": "string", "maxLength": self.longest}
        if self.shortest:
            found["minLength"] = self.shortest
        found["pattern"] = self.pattern or "^[^\\u0000]*$"
        return found | remarks(self.about, self.examples)

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of the value."""
        fits = isinstance(value, str) and self.shortest <= len(value) <= self.longest
        if fits and self.pattern:
            fits = re.fullmatch(self.pattern.removeprefix("^").removesuffix("$"), value) is not None
        if not fits or not _storable(value):
            yield Fault(place, shown(value), self._expectation())

    def _expectation(self) -> str:
        if self.like:
            return self.like
        least = f"{self.shortest} to " if self.shortest else "at most "
        return f"a string of {least}{self.longest} characters, without NUL"


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number."""

    about: str = ""
    least: int = 0
    most: int = 2**31 - 1
    examples: tuple[int, ...] = ()

    def document(self) -> Document:
        """Return the JSON Schema."""
        found: Document = {"type": "integer", "minimum": self.least, "maximum": self.most}
        return found | remarks(self.about, self.examples)

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of the value; 2.0 counts as an integer, as in JSON Schema."""
        is_whole = _is_number(value) and (isinstance(value, int) or value.is_integer())
        if not is_whole or not self.least <= value <= self.most:
            yield Fault(place, shown(value), f"a whole number from {self.least} to {self.most}")


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number."""

    about: str = ""
    most: float = 1e15
    examples: tuple[float, ...] = ()

    def document(self) -> Document:
        """Return the JSON Schema."""
        found: Document = {"type": "number", "minimum": -self.most, "maximum": self.most}
        return found | remarks(self.about, self.examples)

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of the value."""
        if not _is_number(value) or not abs(value) <= self.most:
            yield Fault(place, shown(value), f"a number of at most {self.most:g}")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words."""

    words: tuple[str, ...]
    about: str = ""

    def document(self) -> Document:
        """Return the JSON Schema."""
        return {"type": "string", "enum": list(self.words)} | remarks(self.about)

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of the value."""
        if value not in self.words:
            yield Fault(place, shown(value), f"one of {', '.join(self.words)}")


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    about: str = ""

    def document(self) -> Document:
        """Return the JSON Schema."""
        return {"type": "boolean"} | remarks(self.about)

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of the value."""
        if not isinstance(value, bool):
            yield Fault(place, shown(value), "true or false")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, a number, true, false or null."""

    longest: int = 10_000

    def document(self) -> Document:
        """Return the JSON Schema."""
        return {"anyOf": [*(each.document() for each in self._kinds()), *_BARE]}

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of the value."""
        is_bare = value is None or isinstance(value, bool)
        if not is_bare and all(any(kind.faults(value)) for kind in self._kinds()):
            yield Fault(place, shown(value), "a string, a number, true, false or null")

    def _kinds(self) -> tuple[Schema, ...]:
        return Text(longest=self.longest), Number()


def remarks(about: str, examples: tuple[Any, ...] = ()) -> Document:
    """Return the description and examples of a JSON Schema for readers."""
    found: Document = {"description": about} if about else {}
    return found | ({"examples": list(examples)} if examples else {})


def shown(value: Any) -> str:
    """Return a value as JSON for a message, truncated if it is long."""
    try:
        text = json.dumps(value)
    except RecursionError:
        return "something nested too deeply"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


_BARE: tuple[Document, ...] = ({"type": "boolean"}, {"type": "null"})


def name_list(names: Sequence[object]) -> str:
    """Return names as a string; from a long list, only the first names and the last name."""
    more = f", … {names[-1]}" if len(names) > _LISTED else ""
    return ", ".join(map(str, names[:_LISTED])) + more or "there is none"


def _is_number(value: Any) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and (isinstance(value, int) or math.isfinite(value))


def _storable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\x00" not in text
