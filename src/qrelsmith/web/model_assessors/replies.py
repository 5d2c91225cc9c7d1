"""Recording of model replies (answer, tokens, cost, latency) and of failed requests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.web.core.database import writing
from qrelsmith.web.models import Doc, ModelReply, ModelSetting, Topic

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class GivenReply:
    """A submitted reply.

    Attributes
    ----------
    topic : str
        The topic.
    docs : tuple of str
        The doc, or the docs on the sides A and B.
    request : str
        The SHA-256 of the whole request; empty if there was no reply.
    answer : str
        The text of the reply.
    fault : str
        Why the reply is not a label; empty if it is a label.
    tokens_in, tokens_out, latency_ms : int or None
        Token counts of the endpoint, and the measured latency.
    tokens, money : int
        Tokens and cost that count as spent; the cost in billionths of the currency unit.
    """

    topic: str
    docs: tuple[str, ...]
    request: str = ""
    answer: str = ""
    fault: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens: int = 0
    money: int = 0
    latency_ms: int | None = None

    def op_id(self, assessor: str) -> str:
        """Return an id for the reply, the same at every submission."""
        text = "\n".join((assessor, self.request, self.topic, *self.docs))
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


def record_replies(replies: Sequence[GivenReply], setting: ModelSetting) -> None:
    """Record replies of a model; existing replies do not change.

    Raises
    ------
    InputError
        If a topic or doc is unknown.
    """
    topics = _keys(Topic, (reply.topic for reply in replies))
    docs = _keys(Doc, (doc for reply in replies for doc in reply.docs))
    name = setting.assessor.name
    rows = []
    for reply in replies:
        sides = [_key_of(docs, doc, "doc") for doc in reply.docs]
        rows.append(
            ModelReply(
                op_id=reply.op_id(name),
                assessor_id=setting.assessor_id,
                setting=setting,
                topic_id=_key_of(topics, reply.topic, "topic"),
                doc_id=sides[0],
                other_id=sides[1] if len(sides) > 1 else None,
                request=reply.request,
                # PostgreSQL cannot store NUL in a text.
                answer=reply.answer.replace("\0", "\ufffd"),
                fault=reply.fault.replace("\0", "\ufffd"),
                tokens_in=reply.tokens_in,
                tokens_out=reply.tokens_out,
                tokens=reply.tokens,
                money=reply.money,
                latency_ms=reply.latency_ms,
            )
        )
    with writing():
        ModelReply.objects.bulk_create(rows, ignore_conflicts=True, batch_size=_CHUNK)


def _keys(kind: type[Topic] | type[Doc], names: Iterable[str]) -> dict[str, int]:
    """Return the keys of topics or docs by name."""
    wanted = sorted(set(names))
    found: dict[str, int] = {}
    for start in range(0, len(wanted), _CHUNK):
        part = kind.objects.filter(name__in=wanted[start : start + _CHUNK])
        found |= dict(part.values_list("name", "id"))
    return found


def _key_of(keys: Mapping[str, int], name: str, what: str) -> int:
    if name not in keys:
        raise InputError(f"the {what} {quoted(name)} is not in the app. Import the {what} first")
    return keys[name]
