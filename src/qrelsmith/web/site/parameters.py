"""Parameters of requests, read strictly."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, QueryDict

from qrelsmith.web.core.submissions import JudgmentSubmission, PairSubmission, Timing
from qrelsmith.web.docs.passages import LONGEST, Passage, passage_fault

OP_ID = re.compile("[0-9A-Za-z_-]{8,64}")
_SHA256 = re.compile("[0-9a-f]{64}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,20}\.?[0-9]{0,20}|\.[0-9]{1,20})(?:[eE][+-]?[0-9]{1,3})?")
_LONGEST_NOTE = 10_000
_LONGEST_EXCERPT = 20_000
_INPUTS = ("key", "click", "touch", "slider", "number", "form")
# A month: longer no judgment waits for a connection.
_MOST_MS = 31 * 24 * 3600 * 1000
_MOST_WHOLE = 2**31 - 1
_MOST_OUTCOME = 2


class ParameterError(Exception):
    """A parameter that is not as it should be; its text is for the answer."""


def json_body(request: HttpRequest) -> dict[str, Any]:
    """The JSON object that a request carries.

    Raises
    ------
    ParameterError
        If it carries something else.
    """
    if request.content_type != "application/json":
        raise ParameterError("expected a body of the type application/json")
    try:
        body = json.loads(request.body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ParameterError("the body is no JSON") from None
    if not isinstance(body, dict):
        raise ParameterError("the body is no JSON object")
    return body


def submission_of(body: Mapping[str, Any]) -> JudgmentSubmission:
    """A judgment from a request's body."""
    _known(body, _SUBMISSION)
    return JudgmentSubmission(
        assigned=_required(whole(body, "doc"), "doc"),
        value=_number(body, "value"),
        sha256=_text(body, "sha256", pattern=_SHA256),
        scale_version=whole(body, "scale_version"),
        note=_text(body, "note", longest=_LONGEST_NOTE),
        excerpt=_text(body, "excerpt", longest=_LONGEST_EXCERPT),
        **_common(body, sided=False),
    )


def pair_submission_of(body: Mapping[str, Any]) -> PairSubmission:
    """An answer to a pair from a request's body."""
    _known(body, _PAIR_SUBMISSION)
    outcome = body.get("outcome")
    if isinstance(outcome, bool) or not isinstance(outcome, int) or abs(outcome) > _MOST_OUTCOME:
        raise ParameterError(f"outcome is no whole number from -{_MOST_OUTCOME} to {_MOST_OUTCOME}")
    return PairSubmission(
        pair=_required(whole(body, "pair"), "pair"),
        outcome=outcome,
        left_sha256=_text(body, "left_sha256", pattern=_SHA256),
        right_sha256=_text(body, "right_sha256", pattern=_SHA256),
        settings_version=whole(body, "settings_version"),
        **_common(body, sided=True),
    )


def _common(body: Mapping[str, Any], *, sided: bool) -> dict[str, Any]:
    """The fields that every judgment has."""
    return {
        "op_id": op_id_of(body),
        "base_revision": _required(whole(body, "base_revision"), "base_revision"),
        "topic_version": whole(body, "topic_version"),
        "passages": _passages(body, sided=sided),
        "input_kind": choice(body.get("input_kind", "key"), "input_kind", _INPUTS),
        "timing": timing_of(body.get("timing", {})),
    }


def timing_of(value: Any) -> Timing:
    """The times that a client measured."""
    if not isinstance(value, dict):
        raise ParameterError("timing is no object")
    _known(value, _TIMING)
    return Timing(
        delay_ms=whole(value, "delay_ms", most=_MOST_MS) or 0,
        shown_for_ms=whole(value, "shown_for_ms", most=_MOST_MS),
        client_ms=whole(value, "client_ms", most=2**53),
        active_ms=whole(value, "active_ms", most=_MOST_MS),
        idle_ms=whole(value, "idle_ms", most=_MOST_MS),
    )


def op_id_of(body: Mapping[str, Any]) -> str:
    """The client's name of an operation."""
    return _text(body, "op_id", pattern=OP_ID)


def whole(body: Mapping[str, Any], name: str, *, most: int = _MOST_WHOLE) -> int | None:
    """A whole number from 0 on, None if it is missing."""
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ParameterError(f"{name} is no whole number from 0 to {most}")
    return value


def choice(value: Any, name: str, choices: tuple[str, ...]) -> str:
    """One of some words."""
    if value not in choices:
        raise ParameterError(f"{name} is none of {', '.join(choices)}")
    return str(value)


def query_whole(
    query: QueryDict, name: str, *, default: int, least: int = 0, most: int = _MOST_WHOLE
) -> int:
    """A whole number, from 0 on unless `least` says otherwise, in the query of an address."""
    text = query.get(name, str(default))
    if not re.fullmatch("[0-9]{1,10}", text) or not least <= int(text) <= most:
        raise ParameterError(f"{name} is no whole number from {least} to {most}")
    return int(text)


def query_text(query: QueryDict, name: str, *, longest: int = 500) -> str:
    """A text in the query of an address, empty if it is missing."""
    return _text({name: query.get(name, "")}, name, longest=longest)


def form_text(request: HttpRequest, name: str, *, longest: int = 150) -> str:
    """A text in a field of a form, empty if it is missing."""
    return _text({name: request.POST.get(name, "")}, name, longest=longest)


def form_whole(request: HttpRequest, name: str) -> int:
    """A whole number from 0 on in a field of a form."""
    text = request.POST.get(name, "")
    if not re.fullmatch("[0-9]{1,10}", text):
        raise ParameterError(f"{name} is no whole number")
    return int(text)


def form_number(request: HttpRequest, name: str) -> float:
    """A number in a field of a form."""
    text = request.POST.get(name, "")
    if not _NUMBER.fullmatch(text):
        raise ParameterError(f"{name} is no number")
    return float(text)


def _passages(body: Mapping[str, Any], *, sided: bool = False) -> list[Passage]:
    passages = body.get("passages", [])
    fault = passage_fault(passages, sided=sided)
    if fault:
        raise ParameterError(f"passages is {fault}")
    return [each | {"quote": _text(each, "quote", longest=LONGEST)} for each in passages]


def _text(
    body: Mapping[str, Any],
    name: str,
    *,
    pattern: re.Pattern[str] | None = None,
    longest: int = 100,
) -> str:
    value = body.get(name, "")
    if not isinstance(value, str) or len(value) > longest:
        raise ParameterError(f"{name} is no text of at most {longest} characters")
    if pattern is not None and pattern.fullmatch(value) is None:
        raise ParameterError(f"{name} has a form that is not expected")
    if "\x00" in value:
        raise ParameterError(f"{name} holds NUL")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ParameterError(f"{name} holds half of a surrogate pair") from None
    return value


def _number(body: Mapping[str, Any], name: str) -> float:
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e15:
        raise ParameterError(f"{name} is no number of at most 1e15")
    if not math.isfinite(value):
        raise ParameterError(f"{name} is no finite number")
    return float(value)


def _required(value: int | None, name: str) -> int:
    if value is None:
        raise ParameterError(f"{name} is missing")
    return value


def _known(body: Mapping[str, Any], names: frozenset[str]) -> None:
    for name in body:
        if name not in names:
            raise ParameterError(f"{name[:40]!r} is none of {', '.join(sorted(names))}")


def _no_constant(name: str) -> float:
    raise ValueError(name)


_TIMING = frozenset(Timing.__dataclass_fields__)
_SUBMISSION = frozenset(JudgmentSubmission.__dataclass_fields__) - {"assigned"} | {"doc"}
_PAIR_SUBMISSION = frozenset(PairSubmission.__dataclass_fields__)
