"""Parameters of requests, read strictly."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext

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
_LONGEST_FORM_NUMBER = 9_999_999_999


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
        raise ParameterError(gettext("The request needs a body of the type application/json."))
    try:
        body = json.loads(request.body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ParameterError(gettext("The request's body is no JSON.")) from None
    if not isinstance(body, dict):
        raise ParameterError(gettext("The request's body is no JSON object."))
    return body


def submission_of(body: Mapping[str, Any]) -> JudgmentSubmission:
    """A judgment from a request's body."""
    _check_known(body, _SUBMISSION)
    return JudgmentSubmission(
        assigned=_required_parameter(whole(body, "doc"), "doc"),
        value=_number(body, "value"),
        sha256=_text(body, "sha256", pattern=_SHA256),
        scale_version=whole(body, "scale_version"),
        note=_text(body, "note", longest=_LONGEST_NOTE),
        excerpt=_text(body, "excerpt", longest=_LONGEST_EXCERPT),
        **_common(body, sided=False),
    )


def pair_submission_of(body: Mapping[str, Any]) -> PairSubmission:
    """An answer to a pair from a request's body."""
    _check_known(body, _PAIR_SUBMISSION)
    outcome = body.get("outcome")
    if isinstance(outcome, bool) or not isinstance(outcome, int) or abs(outcome) > _MOST_OUTCOME:
        raise _no_whole("outcome", -_MOST_OUTCOME, _MOST_OUTCOME)
    return PairSubmission(
        pair=_required_parameter(whole(body, "pair"), "pair"),
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
        "base_revision": _required_parameter(whole(body, "base_revision"), "base_revision"),
        "topic_version": whole(body, "topic_version"),
        "passages": _passages(body, sided=sided),
        "input_kind": choice(body.get("input_kind", "key"), "input_kind", _INPUTS),
        "timing": timing_of(body.get("timing", {})),
    }


def timing_of(value: Any) -> Timing:
    """The times that a client measured."""
    if not isinstance(value, dict):
        raise ParameterError(gettext("%(name)s is no object.") % {"name": "timing"})
    _check_known(value, _TIMING)
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
        raise _no_whole(name, 0, most)
    return value


def choice(value: Any, name: str, choices: tuple[str, ...]) -> str:
    """One of some words."""
    if value not in choices:
        raise none_of(name, choices)
    return str(value)


def query_whole(
    query: QueryDict, name: str, *, default: int, least: int = 0, most: int = _MOST_WHOLE
) -> int:
    """A whole number, from 0 on unless `least` says otherwise, in the query of an address."""
    text = query.get(name, str(default))
    if not re.fullmatch("[0-9]{1,10}", text) or not least <= int(text) <= most:
        raise _no_whole(name, least, most)
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
        raise _no_whole(name, 0, _LONGEST_FORM_NUMBER)
    return int(text)


def form_op_id(request: HttpRequest) -> str:
    """The client's name of an operation in a form."""
    text = request.POST.get("op_id", "")
    if OP_ID.fullmatch(text) is None:
        raise wrong_form("op_id")
    return text


def form_number(request: HttpRequest, name: str) -> float:
    """A number in a field of a form."""
    text = request.POST.get(name, "")
    if not _NUMBER.fullmatch(text):
        raise no_number(name)
    return float(text)


def _passages(body: Mapping[str, Any], *, sided: bool = False) -> list[Passage]:
    passages = body.get("passages", [])
    fault = passage_fault(passages, sided=sided)
    if fault:
        raise ParameterError(gettext("passages is %(fault)s.") % {"fault": fault})
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
        raise ParameterError(
            gettext("%(name)s is no text of at most %(longest)s characters.")
            % {"name": name, "longest": longest}
        )
    if pattern is not None and pattern.fullmatch(value) is None:
        raise wrong_form(name)
    if "\x00" in value:
        raise ParameterError(gettext("%(name)s holds NUL.") % {"name": name})
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ParameterError(
            gettext("%(name)s holds half of a surrogate pair.") % {"name": name}
        ) from None
    return value


def _number(body: Mapping[str, Any], name: str) -> float:
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e15:
        raise no_number(name)
    if not math.isfinite(value):
        raise no_number(name)
    return float(value)


def _required_parameter(value: int | None, name: str) -> int:
    if value is None:
        raise missing(name)
    return value


def _check_known(body: Mapping[str, Any], names: frozenset[str]) -> None:
    for name in body:
        if name not in names:
            raise none_of(name[:40], sorted(names))


def none_of(name: str, choices: Iterable[str]) -> ParameterError:
    """The error of a word that is none of those that are expected."""
    listed = ", ".join(choices)
    return ParameterError(
        gettext("%(name)s is none of %(choices)s.") % {"name": name, "choices": listed}
    )


def no_number(name: str) -> ParameterError:
    """The error of what is no number, or one without bounds."""
    return ParameterError(gettext("%(name)s is no finite number.") % {"name": name})


def missing(name: str) -> ParameterError:
    """The error of a parameter that is not there."""
    return ParameterError(gettext("%(name)s is missing.") % {"name": name})


def wrong_form(name: str) -> ParameterError:
    """The error of a text that is not written as it should be."""
    return ParameterError(gettext("%(name)s has a form that is not expected.") % {"name": name})


def _no_whole(name: str, least: int, most: int) -> ParameterError:
    limits = {"name": name, "least": least, "most": most}
    return ParameterError(
        gettext("%(name)s is no whole number from %(least)s to %(most)s.") % limits
    )


def _no_constant(name: str) -> float:
    raise ValueError(name)


_TIMING = frozenset(Timing.__dataclass_fields__)
_SUBMISSION = frozenset(JudgmentSubmission.__dataclass_fields__) - {"assigned"} | {"doc"}
_PAIR_SUBMISSION = frozenset(PairSubmission.__dataclass_fields__)
