"""Schemas of arrays and objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from qrelsmith.web.openapi.schemas import (
    Document,
    Fault,
    Place,
    Scalar,
    Schema,
    Text,
    remarks,
    shown,
)

_LONGEST_KEY = 100
_KEY = Text(shortest=1, longest=_LONGEST_KEY)


@dataclass(frozen=True, slots=True)
class Items:
    """An array."""

    each: Schema
    about: str = ""
    fewest: int = 0
    most: int | None = None

    def document(self) -> Document:
        """Return the JSON Schema."""
        found: Document = {"type": "array", "items": self.each.document()}
        found |= {"minItems": self.fewest} if self.fewest else {}
        found |= {"maxItems": self.most} if self.most is not None else {}
        return found | remarks(self.about)

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of the value and its items."""
        if not isinstance(value, list):
            yield Fault(place, shown(value), "an array")
            return
        if len(value) < self.fewest or (self.most is not None and len(value) > self.most):
            yield Fault(place, f"{len(value)} items", f"{self.fewest} to {self.most} items")
            return
        for number, item in enumerate(value):
            yield from self.each.faults(item, (*place, number))


@dataclass(frozen=True, slots=True)
class Fields:
    """An object with known keys; an object with a name is a component of the document.

    Attributes
    ----------
    of : mapping of str to Schema
        Its keys.
    optional : frozenset of str
        The optional keys.
    """

    name: str
    of: Mapping[str, Schema] = field(hash=False)
    about: str = ""
    optional: frozenset[str] = frozenset()

    def document(self) -> Document:
        """Return a reference to the component."""
        return {"$ref": f"#/components/schemas/{self.name}"}

    def component(self) -> Document:
        """Return the JSON Schema itself."""
        needed = [key for key in self.of if key not in self.optional]
        return {
            "type": "object",
            "properties": {key: each.document() for key, each in self.of.items()},
            **({"required": needed} if needed else {}),
            "additionalProperties": False,
            **remarks(self.about),
        }

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of the value and its parts."""
        if not isinstance(value, dict):
            yield Fault(place, shown(value), "an object")
            return
        for key in value:
            if key not in self.of:
                expected = f"one of the keys {', '.join(self.of)}"
                yield Fault(place, f"the key {shown(key)}", expected)
        for key, each in self.of.items():
            if key in value:
                yield from each.faults(value[key], (*place, key))
            elif key not in self.optional:
                yield Fault((*place, key), "nothing", f"the key {key}")


@dataclass(frozen=True, slots=True)
class NamedSchema:
    """An object with keys chosen by the client, and scalars as values."""

    about: str = ""
    most: int = 50

    def document(self) -> Document:
        """Return the JSON Schema."""
        found: Document = {"type": "object", "maxProperties": self.most}
        found["propertyNames"] = _KEY.document()
        found["additionalProperties"] = Scalar().document()
        return found | remarks(self.about)

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of the value and its parts."""
        if not isinstance(value, dict) or len(value) > self.most:
            found = shown(value) if not isinstance(value, dict) else f"{len(value)} keys"
            yield Fault(place, found, f"an object of at most {self.most} keys")
            return
        for key, inner in value.items():
            yield from _KEY.faults(key, place)
            yield from Scalar().faults(inner, (*place, key[:_LONGEST_KEY]))


@dataclass(frozen=True, slots=True)
class Nullable:
    """A value of a schema, or null."""

    of: Schema

    def document(self) -> Document:
        """Return the JSON Schema."""
        return {"anyOf": [self.of.document(), {"type": "null"}]}

    def faults(self, value: Any, place: Place = ()) -> Iterator[Fault]:
        """Yield the errors of the value."""
        if value is not None:
            yield from self.of.faults(value, place)
