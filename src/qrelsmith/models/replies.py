"""Strict parsing of answers into a grade on the scale, a side or an error, never into a guess."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from qrelsmith.base.errors import quoted

_FENCE = "```"
_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL)
# Negative values mean that left is better, as in every log of preferences.
_KEYS = {"grade": "grade", "pair": "better", "aspects": "grades"}
OUTCOMES = {"A": -1, "tie": 0, "B": 1}
_LONGEST_REASON = 2000


class ReplyError(Exception):
    """An invalid answer; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Said:
    """An answer.

    Attributes
    ----------
    value : float
        The grade; for a pair, −1, 0, 1 for the left doc, a tie, the right doc.
    reason : str
        The model's reason; empty if none was requested.
    values : tuple of float
        The grade of each aspect; the first is also `value`.
    """

    value: float
    reason: str = ""
    values: tuple[float, ...] = ()


def parsed_reply(
    text: str, *, kind: str, grades: Collection[float], has_reason: bool = False
) -> Said:
    """Parse an answer: one JSON object with exactly the requested keys.

    Blanks around the object, a Markdown code fence, and thoughts between `<think>` marks before the
    object are ignored. Everything else is strict: a grade as text or outside the scale is invalid.

    Raises
    ------
    ReplyError
        If the text is not such an object.
    """
    plain = text.strip()
    thinking = _THINKING.match(plain)
    if thinking is not None:
        plain = plain[thinking.end() :].strip()
    content = _object(_without_fence(plain))
    key = _KEYS[kind]
    wanted = {key, "reason"} if has_reason else {key}
    # An unrequested reason is ignored; other keys are rejected, as they could be a second grade.
    if not {key} <= content.keys() <= {*wanted, "reason"}:
        raise ReplyError(f"the keys are {quoted(', '.join(content))}; expected '{key}'")
    reason = content.get("reason", "")
    if not isinstance(reason, str):
        raise ReplyError("the reason is not text")
    value = content[key]
    if kind == "aspects":
        if not isinstance(value, list) or not value:
            raise ReplyError(f"the grades are {quoted(value)}; expected a list of grades")
        for each in value:
            _check_grade(each, grades)
        return Said(float(value[0]), values=tuple(map(float, value)))
    if kind != "grade":
        if not isinstance(value, str) or value not in OUTCOMES:
            raise ReplyError(f"the value of better is {quoted(value)}; expected 'A', 'B' or 'tie'")
        return Said(float(OUTCOMES[value]), _reason_text(reason) if has_reason else "")
    _check_grade(value, grades)
    return Said(float(value), _reason_text(reason) if has_reason else "")


def _check_grade(value: object, grades: Collection[float]) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value not in grades:
        raise ReplyError(f"the grade is {quoted(value)}; expected a level of the scale")


def reply_text(said: Said, *, kind: str) -> str:
    """Format an answer as the text that `parsed_reply` accepts."""
    if kind == "aspects":
        content: dict[str, Any] = {"grades": [int(v) if v.is_integer() else v for v in said.values]}
    elif kind == "grade":
        content = {"grade": int(said.value) if said.value.is_integer() else said.value}
    else:
        content = {"better": next(side for side in OUTCOMES if OUTCOMES[side] == said.value)}
    reason = {"reason": said.reason} if said.reason else {}
    return json.dumps(content | reason, ensure_ascii=False)


def _without_fence(text: str) -> str:
    """Return the text inside a Markdown code fence, or the whole text if there is no fence."""
    first, _, rest = text.partition("\n")
    is_fenced = first.strip() in (_FENCE, f"{_FENCE}json") and rest.endswith(_FENCE)
    return rest.removesuffix(_FENCE) if is_fenced else text


def _object(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        raise ReplyError(f"{quoted(text)} is not a JSON object") from None
    if not isinstance(content, dict):
        raise ReplyError(f"{quoted(text)} is not a JSON object")
    return content


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError
    return content


def _reason_text(reason: str) -> str:
    """Clean a reason for records: no lone surrogates, no control characters, limited length."""
    whole = reason.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else " " for c in whole)[:_LONGEST_REASON].strip()
