"""An operation of the API: what its view checks a request against, and its document tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from qrelsmith.web.openapi.composites import Fields
from qrelsmith.web.openapi.schemas import Fault, Schema, Text, Whole, shown


class RequestError(Exception):
    """A request that is not as the operation says.

    Parameters
    ----------
    faults : iterable of Fault
        All that is wrong with it.
    status : int
        The status of the answer.
    """

    def __init__(self, faults: Iterable[Fault], *, status: int = 400) -> None:
        self.faults = tuple(faults)
        self.status = status
        super().__init__(f"{len(self.faults)} faults")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter in the query of an address; all have a default."""

    name: str
    schema: Text | Whole
    default: str | int


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation.

    Attributes
    ----------
    path, method : str
        Where it is.
    name : str
        What programs call it.
    summary, about : str
        What it does, in a line and in full.
    scope : str
        What a token must be good for.
    answer : Fields
        What it answers.
    parameters : tuple of Parameter
        What the query of the address may hold.
    body : Fields or None
        What the request carries.
    problems : mapping of int to str
        The refusals that are its own, by status, with what they mean.
    """

    path: str
    method: str
    name: str
    summary: str
    scope: str
    answer: Fields
    about: str = ""
    parameters: tuple[Parameter, ...] = ()
    body: Fields | None = None
    problems: tuple[tuple[int, str], ...] = ()

    def query(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the parameters of a request.

        Raises
        ------
        RequestError
            If one is unknown, or is not what its schema says.
        """
        declared = {parameter.name: parameter for parameter in self.parameters}
        values: dict[str, Any] = {each.name: each.default for each in self.parameters}
        faults = []
        for name, text in texts.items():
            if name not in declared:
                expected = f"one of {', '.join(declared)}" if declared else "no parameter"
                faults.append(Fault((), f"the parameter {shown(name)}", expected))
                continue
            schema = declared[name].schema
            value = _number(text) if isinstance(schema, Whole) else text
            faults += schema.faults(value, (name,))
            values[name] = value
        if faults:
            raise RequestError(faults)
        return values

    def part(self, key: str) -> Schema:
        """Return the part of the body under a key.

        Raises
        ------
        KeyError
            If there is no such key.
        """
        if self.body is None:
            raise KeyError(key)
        return self.body.of[key]

    def check(self, body: Any) -> dict[str, Any]:
        """Return the body of a request, once nothing is wrong with it.

        Raises
        ------
        RequestError
            If anything is.
        """
        faults = tuple(self.body.faults(body)) if self.body else ()
        if faults:
            raise RequestError(faults)
        checked: dict[str, Any] = body
        return checked


def _number(text: str) -> int | str:
    """Return the number that a text in an address is; the text itself if it is none."""
    return int(text) if re.fullmatch("-?[0-9]{1,16}", text, re.ASCII) else text
