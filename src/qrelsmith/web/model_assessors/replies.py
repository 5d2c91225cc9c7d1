"""Replies of models into the log: the raw answer, tokens, money, latency; error records as well."""

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
    """A reply as it comes in.

    Attributes
    ----------
    topic : str
        The topic.
    docs : tuple of str
        The doc, or those on the sides A and B.
    request : str
        The SHA-256 of the whole request; empty where none was answered.
    answer : str
        What the model said.
    fault : str
        Why it is no label; empty if it is one.
    tokens_in, tokens_out, latency_ms : int or None
        As the endpoint counts them, and as it took.
    tokens, money : int
        What counts as spent; money in billionths.
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
        """The name of the reply, the same whenever it comes."""
        text = "\n".join((assessor, self.request, self.topic, *self.docs))
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


def record_replies(given: Sequence[GivenReply], setting: ModelSetting) -> None:
    """Record replies of a model; those that are there already are left as they are.

    Raises
    ------
    InputError
        If a topic or doc is not known.
    """
    topics = _keys(Topic, (each.topic for each in given))
    docs = _keys(Doc, (doc for each in given for doc in each.docs))
    name = setting.assessor.name
    rows = []
    for each in given:
        sides = [_known(docs, doc, "doc") for doc in each.docs]
        rows.append(
            ModelReply(
                op_id=each.op_id(name),
                assessor_id=setting.assessor_id,
                setting=setting,
                topic_id=_known(topics, each.topic, "topic"),
                doc_id=sides[0],
                other_id=sides[1] if len(sides) > 1 else None,
                request=each.request,
                # PostgreSQL keeps no NUL in a text.
                answer=each.answer.replace("\0", "\ufffd"),
                fault=each.fault.replace("\0", "\ufffd"),
                tokens_in=each.tokens_in,
                tokens_out=each.tokens_out,
                tokens=each.tokens,
                money=each.money,
                latency_ms=each.latency_ms,
            )
        )
    with writing():
        ModelReply.objects.bulk_create(rows, ignore_conflicts=True, batch_size=_CHUNK)


def _keys(kind: type[Topic] | type[Doc], names: Iterable[str]) -> dict[str, int]:
    """The keys of topics or docs by their names."""
    wanted = sorted(set(names))
    found: dict[str, int] = {}
    for start in range(0, len(wanted), _CHUNK):
        part = kind.objects.filter(name__in=wanted[start : start + _CHUNK])
        found |= dict(part.values_list("name", "id"))
    return found


def _known(keys: Mapping[str, int], name: str, what: str) -> int:
    if name not in keys:
        raise InputError(f"the {what} {quoted(name)} is not known to the app; import it first")
    return keys[name]
