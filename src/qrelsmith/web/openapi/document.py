"""The OpenAPI document of some operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.urls import get_script_prefix

from qrelsmith import __version__
from qrelsmith.web.openapi.composites import Fields, Items, Nullable
from qrelsmith.web.openapi.operations import Operation, Parameter
from qrelsmith.web.openapi.problems import PROBLEM, PROBLEM_TYPE
from qrelsmith.web.openapi.schemas import Schema

_TOKEN = "token"  # noqa: S105 - the name of the scheme
_ALWAYS = (
    (400, "The request does not match this document; `problems` lists all errors."),
    (401, "The token is missing, unknown, revoked or expired."),
    (403, "The token does not have the required scope."),
    (429, "Too many requests without a valid token came from this address. Try again later."),
)


def openapi(operations: Iterable[Operation], *, title: str, about: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    listed = tuple(operations)
    paths: dict[str, dict[str, Any]] = {}
    for operation in listed:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    named = {each.name: each for each in _schemas_by_name(listed)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": title,
            "version": __version__,
            "description": about,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": get_script_prefix()}],
        "paths": paths,
        "components": {
            "schemas": {name: named[name].component() for name in sorted(named)},
            "securitySchemes": {
                _TOKEN: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of one model assessor, created by an organiser.",
                }
            },
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    problems = {
        str(status): {
            "description": meaning,
            "content": {PROBLEM_TYPE: {"schema": PROBLEM.document()}},
        }
        for status, meaning in sorted((*_ALWAYS, *operation.problems))
    }
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": f"{operation.about}\n\nNeeds a token with the scope `{operation.scope}`.",
        "security": [{_TOKEN: [operation.scope]}],
        "responses": {
            "200": {"description": operation.summary, "content": _json(operation.answer)},
            **problems,
        },
    }
    if operation.parameters:
        described["parameters"] = [_parameter(each) for each in operation.parameters]
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": _json(operation.body)}
    return described


def _parameter(parameter: Parameter) -> dict[str, Any]:
    schema = parameter.schema.document()
    about = schema.pop("description", "")
    return {
        "name": parameter.name,
        "in": "query",
        "required": False,
        "description": about,
        "schema": schema | {"default": parameter.default},
    }


def _json(schema: Schema) -> dict[str, Any]:
    return {"application/json": {"schema": schema.document()}}


def _schemas_by_name(operations: Iterable[Operation]) -> Iterator[Fields]:
    """Yield the object schemas that the operations use, directly or nested."""
    yield from _inside(PROBLEM)
    for operation in operations:
        yield from _inside(operation.answer)
        if operation.body is not None:
            yield from _inside(operation.body)


def _inside(schema: Schema) -> Iterator[Fields]:
    if isinstance(schema, Fields):
        yield schema
        for each in schema.of.values():
            yield from _inside(each)
    elif isinstance(schema, Items):
        yield from _inside(schema.each)
    elif isinstance(schema, Nullable):
        yield from _inside(schema.of)
