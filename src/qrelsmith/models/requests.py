"""Requests to grade a doc or compare a pair; equal questions give equal bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qrelsmith.base.scales import grade_text
from qrelsmith.campaign.scale_settings import Level
from qrelsmith.collection.topics import Topic
from qrelsmith.models.prompts import Prompt

SIDES = ("A", "B", "tie")
# Maximum number of levels that a schema lists; a longer scale is given as a range.
_LISTED = 200


@dataclass(frozen=True, slots=True)
class ShownDoc:
    """A doc as shown to a model.

    Attributes
    ----------
    doc : str
        The id, which the model does not see.
    text : str
        The title and the text.
    is_cut : bool
        Whether the text was truncated.
    """

    doc: str
    text: str
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """The docs of one label: one doc of a topic, or two docs with their sides.

    Attributes
    ----------
    docs : tuple of ShownDoc
        One doc, or the docs on the sides A and B.
    aspects : tuple of (str, str)
        For an answer, the ids and texts of its aspects.
    """

    topic: Topic
    docs: tuple[ShownDoc, ...]
    aspects: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """The ids of topic, docs and aspects."""
        ids = (doc.doc for doc in self.docs)
        return (self.topic.topic, *ids, *(aspect for aspect, _ in self.aspects))


@dataclass(frozen=True, slots=True)
class Asking:
    """The parameters of requests to a model.

    Attributes
    ----------
    model : str
        The name of the model.
    prompt : Prompt
        The prompt.
    levels : tuple of Level
        The scale, lowest first.
    temperature : float
        Temperature; 0: the most likely answer.
    seed : int
        The seed sent with the request; a second attempt uses the next number.
    max_tokens : int
        Maximum tokens of an answer.
    """

    model: str
    prompt: Prompt
    levels: tuple[Level, ...]
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 256

    @property
    def grades(self) -> tuple[float, ...]:
        """The grades of the scale, lowest first."""
        return tuple(level.grade for level in self.levels)

    def body(self, unit: Unit, *, attempt: int = 0, is_structured: bool = True) -> bytes:
        """Return the request as JSON."""
        system, user = self.prompt.fill_in(_values(unit, self.levels))
        content: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "temperature": self.temperature,
            "seed": self.seed + attempt,
            "max_tokens": self.max_tokens,
        }
        if is_structured:
            content["response_format"] = _response_format(
                self.prompt, self.levels, len(unit.aspects)
            )
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def request_digest(endpoint: str, body: bytes) -> str:
    """Return the SHA-256 of a whole request: the endpoint and the body."""
    return hashlib.sha256(endpoint.encode("utf-8") + b"\n" + body).hexdigest()


def delimit(text: str) -> str:
    """Enclose a text in two marks, which contain a code that does not occur in the text.

    The code is derived from the text. The author of a doc therefore cannot close the mark early,
    and the same doc gives the same request.
    """
    code = hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
    while code in text:
        code = hashlib.sha256(code.encode("ascii")).hexdigest()[:12]
    return f"[doc {code}]\n{text}\n[end of doc {code}]"


def _values(unit: Unit, levels: Sequence[Level]) -> dict[str, str]:
    topic = unit.topic
    fields = {"Topic": topic.title, "Description": topic.description, "Narrative": topic.narrative}
    docs = [delimit(doc.text) for doc in unit.docs]
    names = ("doc",) if len(docs) == 1 else ("doc_a", "doc_b")
    return {
        "topic": "\n".join(f"{name}: {text}" for name, text in fields.items() if text),
        "title": topic.title,
        "description": topic.description,
        "narrative": topic.narrative,
        "levels": "\n".join(map(_level, reversed(levels))),
        "grades": ", ".join(grade_text(level.grade) for level in levels),
        "aspects": "\n".join(f"{n}. {text}" for n, (_, text) in enumerate(unit.aspects, 1)),
        **dict(zip(names, docs, strict=True)),
    }


def _level(level: Level) -> str:
    words = ": ".join(text for text in (level.label, level.text) if text)
    return f"{grade_text(level.grade)}: {words}" if words else grade_text(level.grade)


def _response_format(prompt: Prompt, levels: Sequence[Level], aspects: int) -> dict[str, Any]:
    """Return the schema of the answer, for endpoints that support schemas."""
    grades = [_number(level.grade) for level in levels]
    answer: dict[str, Any] = {"type": "string", "enum": list(SIDES)}
    key = {"grade": "grade", "pair": "better", "aspects": "grades"}[prompt.kind]
    if prompt.kind != "pair":
        kind = "integer" if all(isinstance(grade, int) for grade in grades) else "number"
        span = {"minimum": grades[0], "maximum": grades[-1]}
        answer = {"type": kind} | ({"enum": grades} if len(grades) <= _LISTED else span)
    if prompt.kind == "aspects":
        answer = {"type": "array", "items": answer, "minItems": aspects, "maxItems": aspects}
    properties = {"reason": {"type": "string"}} if prompt.has_reason else {}
    properties |= {key: answer}
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "type": "json_schema",
        "json_schema": {"name": "judgment", "strict": True, "schema": schema},
    }


def _number(grade: float) -> int | float:
    return int(grade) if float(grade).is_integer() else grade
