"""Strict parsing of request parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext

from qrelsmith.web.core.fields import OP_ID
from qrelsmith.web.core.submissions import Submission, Timing
from qrelsmith.web.openapi.composites import Fields, Items
from qrelsmith.web.openapi.declared import is_needed, name_of, python_value
from qrelsmith.web.openapi.schemas import Choice, Number, Schema, Text, Whole

_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,20}\.?[0-9]{0,20}|\.[0-9]{1,20})(?:[eE][+-]?[0-9]{1,3})?")
_LARGEST = Whole().most
_LONGEST_FORM_NUMBER = 9_999_999_999
Given = TypeVar("Given", bound=Submission)


class ParameterError(Exception):
    """An invalid parameter; its text is shown in the response."""


def json_body(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object in a request's body.

    Raises
    ------
    ParameterError
        If the body is not a JSON object.
    """
    if request.content_type != "application/json":
        raise ParameterError(
            gettext("The request body must have the content type application/json.")
        )
    try:
        body = json.loads(request.body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ParameterError(gettext("The request body is not JSON.")) from None
    if not isinstance(body, dict):
        raise ParameterError(gettext("The request body is not a JSON object."))
    return body


def submission_of(given: type[Given], body: Mapping[str, Any]) -> Given:
    """Parse a judgment in a request's body, using the class that declares its fields."""
    return given(**_values(given, {"input_kind": "key", **body}, {"timing": timing_of}))


def timing_of(value: Any) -> Timing:
    """Return the times measured by a client."""
    if not isinstance(value, dict):
        raise ParameterError(gettext("%(name)s is not an object.") % {"name": "timing"})
    return Timing(**_values(Timing, value, {}))


def op_id_of(body: Mapping[str, Any]) -> str:
    """Return the client's id of an operation."""
    return str(_check_value(body.get("op_id", ""), "op_id", OP_ID))


def whole(body: Mapping[str, Any], name: str) -> int | None:
    """Return a non-negative whole number, or None if it is missing."""
    value = body.get(name)
    return None if value is None else int(_check_value(value, name, Whole()))


def whole_numbers(body: Mapping[str, Any], name: str, *, most: int) -> list[int]:
    """Return a list of at most `most` non-negative whole numbers."""
    numbers: list[int] = _check_value(body.get(name), name, Items(Whole(), most=most))
    return numbers


def choice(value: Any, name: str, choices: tuple[str, ...]) -> str:
    """Return a value that must be one of the given choices."""
    return str(_check_value(value, name, Choice(choices)))


def query_whole(
    query: QueryDict, name: str, *, default: int, least: int = 0, most: int = _LARGEST
) -> int:
    """Return a whole number of at least `least` (default 0) from the query of a URL."""
    text = query.get(name, str(default))
    if not re.fullmatch("[0-9]{1,10}", text) or not least <= int(text) <= most:
        raise _no_whole(name, least, most)
    return int(text)


def query_text(query: QueryDict, name: str, *, longest: int = 500) -> str:
    """Return a string from the query of a URL; an empty string if it is missing."""
    return str(_check_value(query.get(name, ""), name, Text(longest=longest)))


def form_text(request: HttpRequest, name: str, *, longest: int = 150) -> str:
    """Return a string from a form field; an empty string if it is missing."""
    return str(_check_value(request.POST.get(name, ""), name, Text(longest=longest)))


def form_whole(request: HttpRequest, name: str) -> int:
    """Return a non-negative whole number from a form field."""
    text = request.POST.get(name, "")
    if not re.fullmatch("[0-9]{1,10}", text):
        raise _no_whole(name, 0, _LONGEST_FORM_NUMBER)
    return int(text)


def form_op_id(request: HttpRequest) -> str:
    """Return the client's id of an operation from a form."""
    return op_id_of(request.POST)


def form_number(request: HttpRequest, name: str) -> float:
    """Return a number from a form field."""
    text = request.POST.get(name, "")
    if not _NUMBER.fullmatch(text):
        raise no_number(name)
    return float(text)


def _values(
    data: type, body: Mapping[str, Any], readers: Mapping[str, Callable[[Any], Any]]
) -> dict[str, Any]:
    """Return the values of a dataclass from a body, each parsed as its field declares."""
    named = {name_of(column): column for column in fields(data)}
    for name in body:
        if name not in named:
            raise none_of(name[:40], sorted(named))
    values = {}
    for name, column in named.items():
        value = body.get(name)
        if value is None:
            if is_needed(column):
                raise missing(name)
        elif name in readers:
            values[column.name] = readers[name](value)
        else:
            values[column.name] = _check_value(value, name, column.metadata["schema"])
    return values


def _check_value(value: Any, name: str, schema: Schema) -> Any:
    """Convert a value to the type that the app uses.

    Raises
    ------
    ParameterError
        If the value does not match its schema.
    """
    if any(schema.faults(value)):
        raise _fault_in(value, name, schema)
    return python_value(schema, value)


def _fault_in(value: Any, name: str, schema: Schema) -> ParameterError:
    """Return the error of a value that does not match its schema, in the user's language."""
    if isinstance(schema, Whole):
        return _no_whole(name, schema.least, schema.most)
    if isinstance(schema, Number):
        return no_number(name)
    if isinstance(schema, Items):
        if isinstance(value, list) and len(value) <= (schema.most or len(value)):
            wrong = next(item for item in value if any(schema.each.faults(item)))
            return _fault_in(wrong, name, schema.each)
        limits = {"name": name, "most": schema.most}
        return ParameterError(
            gettext("%(name)s is not an array of at most %(most)s values.") % limits
        )
    if isinstance(schema, Fields):
        if not isinstance(value, dict) or value.keys() != schema.of.keys():
            keys = {"name": name, "keys": ", ".join(schema.of)}
            return ParameterError(
                gettext(
                    "%(name)s contains an item that does not have exactly these keys: %(keys)s."
                )
                % keys
            )
        wrong = next(key for key, each in schema.of.items() if any(each.faults(value[key])))
        return _fault_in(value[wrong], wrong, schema.of[wrong])
    if isinstance(schema, Choice):
        return none_of(name, schema.words)
    if not isinstance(schema, Text):
        raise TypeError(f"no error message for values of {type(schema).__name__}")
    if not isinstance(value, str) or len(value) > schema.longest:
        limits = {"name": name, "longest": schema.longest}
        return ParameterError(
            gettext("%(name)s is not a string of at most %(longest)s characters.") % limits
        )
    if schema.pattern:
        return wrong_form(name)
    if "\x00" in value:
        return ParameterError(gettext("%(name)s contains a NUL character.") % {"name": name})
    return ParameterError(gettext("%(name)s contains an unpaired surrogate.") % {"name": name})


def none_of(name: str, choices: Iterable[str]) -> ParameterError:
    """Return the error of a value that is not one of the expected choices."""
    listed = ", ".join(choices)
    return ParameterError(
        gettext("%(name)s is not one of %(choices)s.") % {"name": name, "choices": listed}
    )


def no_number(name: str) -> ParameterError:
    """Return the error of a value that is not a finite number."""
    return ParameterError(gettext("%(name)s is not a finite number.") % {"name": name})


def missing(name: str) -> ParameterError:
    """Return the error of a missing parameter."""
    return ParameterError(gettext("%(name)s is missing.") % {"name": name})


def wrong_form(name: str) -> ParameterError:
    """Return the error of a string with the wrong format."""
    return ParameterError(gettext("%(name)s has an unexpected format.") % {"name": name})


def _no_whole(name: str, least: int, most: int) -> ParameterError:
    limits = {"name": name, "least": least, "most": most}
    return ParameterError(
        gettext("%(name)s is not a whole number from %(least)s to %(most)s.") % limits
    )


def _no_constant(name: str) -> float:
    raise ValueError(name)
