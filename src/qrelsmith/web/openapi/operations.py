"""An operation of the API: the schemas for checking its requests and documenting it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from qrelsmith.web.openapi.composites import Fields
from qrelsmith.web.openapi.schemas import Fault, Schema, Text, Whole, shown


class RequestError(Exception):
    """An invalid request.

    Parameters
    ----------
    faults : iterable of Fault
        All errors of the request.
    status : int
        The HTTP status of the response.
    """

    def __init__(self, faults: Iterable[Fault], *, status: int = 400) -> None:
        self.faults = tuple(faults)
        self.status = status
        super().__init__(f"{len(self.faults)} faults")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A query parameter; all parameters have a default."""

    name: str
    schema: Text | Whole
    default: str | int


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation.

    Attributes
    ----------
    path, method : str
        The address and the HTTP method.
    name : str
        The operation's name for programs.
    summary, about : str
        A one-line summary, and the full description.
    scope : str
        The required scope of a token.
    answer : Fields
        The schema of the response.
    parameters : tuple of Parameter
        The query parameters.
    body : Fields or None
        The schema of the request body.
    problems : mapping of int to str
        The error responses specific to the operation: descriptions by status.
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
        """Return the query parameters of a request.

        Raises
        ------
        RequestError
            If a parameter is unknown or invalid.
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
        """Return the schema of the body's value under a key.

        Raises
        ------
        KeyError
            If there is no such key.
        """
        if self.body is None:
            raise KeyError(key)
        return self.body.of[key]

    def check(self, body: Any) -> dict[str, Any]:
        """Check the body of a request, and return it.

        Raises
        ------
        RequestError
            If the body is invalid.
        """
        faults = tuple(self.body.faults(body)) if self.body else ()
        if faults:
            raise RequestError(faults)
        checked: dict[str, Any] = body
        return checked


def _number(text: str) -> int | str:
    """Return the number in a string, or the string itself if it is not a number."""
    return int(text) if re.fullmatch("-?[0-9]{1,16}", text, re.ASCII) else text
