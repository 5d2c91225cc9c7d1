"""Error responses as `application/problem+json` (RFC 9457), which list all invalid fields."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from django.http import JsonResponse

from qrelsmith.web.openapi.composites import Fields, Items, Nullable
from qrelsmith.web.openapi.schemas import Fault, Text, Whole

PROBLEM_TYPE = "application/problem+json"
# Further errors are counted, but not listed.
_MOST = 100
_LIST = "judgments"

_PLACE = Fields(
    "Place",
    {
        "item": Nullable(Whole("The index of the judgment in the batch, counted from 0.")),
        "field": Text("The field of the judgment or of the request.", longest=500),
        "reason": Text("The kind of error, as a word for programs."),
        "found": Text("The value that was found.", longest=500),
        "expected": Text("The value that was expected.", longest=2000),
    },
    "One error in the request.",
)
PROBLEM = Fields(
    "Problem",
    {
        "type": Text(),
        "title": Text(),
        "status": Whole(),
        "detail": Text(longest=2000),
        "problems": Items(_PLACE),
    },
    "Why a request was refused (RFC 9457). Nothing was recorded.",
)


def problem(status: int, detail: str, faults: Iterable[Fault] = ()) -> JsonResponse:
    """Return an error response."""
    title = HTTPStatus(status).phrase
    content = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    places = [_place(each) for each in tuple(faults)[:_MOST]]
    return JsonResponse(
        content | {"problems": places},
        status=status,
        content_type=PROBLEM_TYPE,
        json_dumps_params={"ensure_ascii": False},
    )


def counted(faults: tuple[Fault, ...]) -> str:
    """Return a sentence with the number of errors and the first error."""
    first = faults[0]
    where = "/".join(map(str, first.place)).encode("utf-8", "replace").decode("utf-8")
    place = f" at {where}" if where else ""
    more = f"; {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"Found {first.found}{place}; expected {first.expected}{more}. Nothing was recorded."


def _place(fault: Fault) -> dict[str, Any]:
    is_item = fault.place[:1] == (_LIST,) and len(fault.place) > 1
    rest = "/".join(map(str, fault.place[2:] if is_item else fault.place))
    return {
        "item": fault.place[1] if is_item else None,
        "field": rest.encode("utf-8", "replace").decode("utf-8"),
        "reason": fault.reason,
        "found": fault.found,
        "expected": fault.expected,
    }
