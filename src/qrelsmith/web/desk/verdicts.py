"""Verdicts and words at the desk: the one place where a desk event is accepted.

As with labels, an operation counts once, and a verdict on a revision that is no longer the current
one is refused together with the current verdict, so that the second adjudicator chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext

from qrelsmith.web.answers.kind import ASPECTS
from qrelsmith.web.core.campaign_chain import append_row, lock_desk
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.desk.aspects import items_of
from qrelsmith.web.desk.matters import Matter, current_verdict, desk_name, has_seen
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.judging.accepting import check
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.models import Account, DeskEvent, Doc, Topic
from qrelsmith.web.pairs.kind import PAIRS

_KIND = DeskEvent.Kind


@dataclass(frozen=True, slots=True)
class DeskVerdict:
    """A verdict as it comes in.

    Attributes
    ----------
    op_id : str
        The client's name of the operation.
    value : float or None
        A grade, or an error code below 0; of a pair −2 (`doc` is much better) to 2; None takes the
        verdict back.
    base_revision : int
        The verdict that the adjudicator knew of, 0: none.
    sha256, other_sha256 : str
        The digests of the doc, or of the docs of a pair, that were shown.
    text : str
        Why.
    passages : list of dict
        What supports it.
    """

    op_id: str
    value: float | None
    base_revision: int
    sha256: str
    other_sha256: str = ""
    text: str = ""
    passages: list[dict[str, Any]] = field(default_factory=list)


def reveal(account: Account, matter: Matter) -> None:
    """Note that an adjudicator looks at what assessors said; once is enough."""
    if not has_seen(account, matter):
        op_id = f"revealed-{account.pk}-{matter.key}"
        _once(matter, matter.event(_KIND.REVEALED, op_id=op_id, by=desk_name(account)))


def say(account: Account, op_id: str, matter: Matter, text: str) -> DeskEvent:
    """Return a word in the thread of a topic, or of what is adjudicated.

    Raises
    ------
    RefusedError
        If nothing is said.
    """
    words = text.strip()
    if not words:
        raise RefusedError("nothing", gettext("Write a message first."))
    return _once(matter, matter.event(_KIND.SAID, op_id=op_id, by=desk_name(account), text=words))


def open_discussion(account: Account, matter: Matter, answers: str) -> DeskEvent:
    """Give a pair to its assessors to discuss, and keep what they said before; once is enough."""
    event = matter.event(
        _KIND.OPENED, op_id=f"opened-{matter.key}", by=desk_name(account), text=answers
    )
    return _once(matter, event)


def adjudicate(account: Account, matter: Matter, verdict: DeskVerdict) -> DeskEvent:
    """Accept a verdict.

    Raises
    ------
    RefusedError
        If it is none of the scale's or of the choices, or somebody else has decided meanwhile.
    """
    kind: JudgmentKind = ASPECTS if matter.aspect else DOCS if matter.other is None else PAIRS
    topic = Topic.objects.get(pk=matter.topic)
    version = kind.current_scale().version
    label = type(kind.blank)(
        **{kind.value: verdict.value, kind.scale: version},
        **dict(zip(kind.shown, (verdict.sha256, verdict.other_sha256), strict=False)),
        topic_version=topic.version,
        passages=verdict.passages,
    )
    is_of_answer = kind is ASPECTS
    item = items_of(matter)[0] if is_of_answer else _item(kind, topic, (matter.doc, matter.other))
    label = check(kind, label, item)
    event = matter.event(
        _KIND.ADJUDICATED,
        op_id=verdict.op_id,
        by=desk_name(account),
        revision=verdict.base_revision + 1,
        value=verdict.value,
        text=verdict.text.strip(),
        passages=label.passages,
        sha256=verdict.sha256,
        other_sha256=verdict.other_sha256,
        topic_version=topic.version,
        scale_version=version,
    )
    return _once(matter, event, account)


def _item(kind: JudgmentKind, topic: Topic, docs: Sequence[int | None]) -> Any:
    """Return the item that a verdict is on, as if somebody had it."""
    found = Doc.objects.in_bulk([doc for doc in docs if doc is not None])
    columns = {
        name: found[doc] for name, doc in zip(kind.shown.values(), docs, strict=False) if doc
    }
    return kind.units(**{kind.stream: kind.streams(topic=topic)}, **columns)


def _once(matter: Matter, event: DeskEvent, account: Account | None = None) -> DeskEvent:
    """Return the event, recorded now or when it came for the first time.

    Whether an adjudicator has seen the labels is looked at under the lock: another window may be
    showing them.
    """
    try:
        with writing():
            if account is not None:
                lock_desk()
                event.is_blind = not has_seen(account, matter)
                newest = current_verdict(matter)
                if event.revision != (newest.revision if newest else 0) + 1:
                    raise IntegrityError
            append_row(event)
    except IntegrityError:
        known = DeskEvent.objects.filter(op_id=event.op_id).first()
        if known is not None and _same(known, event):
            return known
        message = gettext(
            "Another adjudicator has decided meanwhile; read the decision, then choose."
        )
        raise RefusedError("stale", message) from None
    return event


def _same(known: DeskEvent, event: DeskEvent) -> bool:
    """Whether an operation came before; a discussion is opened once, whoever opens it."""
    if event.kind == _KIND.OPENED:
        return known.kind == event.kind
    return (known.kind, known.by, known.value) == (event.kind, event.by, event.value)
