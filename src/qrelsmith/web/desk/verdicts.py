"""Verdicts and messages: the only place where adjudication events are accepted.

As with labels, an operation counts once. A verdict based on an outdated revision is refused and the
current verdict is returned, so that the second adjudicator can choose.
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
    """A submitted verdict.

    Attributes
    ----------
    op_id : str
        The client's name for the operation.
    value : float or None
        A grade, or an error code below 0; for a pair, −2 (`doc` is much better) to 2; None
        withdraws the verdict.
    base_revision : int
        The revision of the verdict that the adjudicator saw; 0: none.
    sha256, other_sha256 : str
        The digests of the doc, or of the docs of a pair, that were shown.
    text : str
        The reason.
    passages : list of dict
        The supporting passages.
    """

    op_id: str
    value: float | None
    base_revision: int
    sha256: str
    other_sha256: str = ""
    text: str = ""
    passages: list[dict[str, Any]] = field(default_factory=list)


def reveal(account: Account, matter: Matter) -> None:
    """Record that an adjudicator has seen the labels; repeated calls have no effect."""
    if not has_seen(account, matter):
        op_id = f"revealed-{account.pk}-{matter.key}"
        _once(matter, matter.event(_KIND.REVEALED, op_id=op_id, by=desk_name(account)))


def say(account: Account, op_id: str, matter: Matter, text: str) -> DeskEvent:
    """Record a message in the thread of a topic or a judged item, and return it.

    Raises
    ------
    RefusedError
        If the message is empty.
    """
    words = text.strip()
    if not words:
        raise RefusedError("nothing", gettext("Write a message first."))
    return _once(matter, matter.event(_KIND.SAID, op_id=op_id, by=desk_name(account), text=words))


def open_discussion(account: Account, matter: Matter, answers: str) -> DeskEvent:
    """Open the discussion of a pair, and record the current answers; only the first call counts."""
    event = matter.event(
        _KIND.OPENED, op_id=f"opened-{matter.key}", by=desk_name(account), text=answers
    )
    return _once(matter, event)


def adjudicate(account: Account, matter: Matter, verdict: DeskVerdict) -> DeskEvent:
    """Accept a verdict.

    Raises
    ------
    RefusedError
        If the verdict is not on the scale or not a valid choice, or another adjudicator has decided
        meanwhile.
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
    """Return an unsaved item for a verdict, as if it were assigned to an assessor."""
    found = Doc.objects.in_bulk([doc for doc in docs if doc is not None])
    columns = {
        name: found[doc] for name, doc in zip(kind.shown.values(), docs, strict=False) if doc
    }
    return kind.units(**{kind.stream: kind.streams(topic=topic)}, **columns)


def _once(matter: Matter, event: DeskEvent, account: Account | None = None) -> DeskEvent:
    """Record an event, unless it is recorded already; return the recorded event.

    The lock is taken before `is_blind` is set, because another window may just reveal the labels.
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
            "Another adjudicator has decided in the meantime. Read the other adjudicator's decision"
            " before you decide."
        )
        raise RefusedError("stale", message) from None
    return event


def _same(known: DeskEvent, event: DeskEvent) -> bool:
    """Return whether two events are the same operation; a discussion is opened only once."""
    if event.kind == _KIND.OPENED:
        return known.kind == event.kind
    return (known.kind, known.by, known.value) == (event.kind, event.by, event.value)
