"""Verdicts and words at the desk: the one place where a desk event is accepted.

As with labels, an operation counts once, and a verdict on a revision that is no longer the current
one is refused together with the current verdict, so that the second adjudicator chooses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext

from qrelsmith.web.core.campaign_chain import append_row
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.docs.passages import seen_passages
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.models import Account, DeskEvent, Doc, DocVersion, Role, Topic

_KIND = DeskEvent.Kind


@dataclass(frozen=True, slots=True)
class DeskVerdict:
    """A verdict as it comes in.

    Attributes
    ----------
    op_id : str
        The client's name of the operation.
    value : float or None
        A grade, or an error code below 0; None takes the verdict back.
    base_revision : int
        The verdict that the adjudicator knew of, 0: none.
    sha256 : str
        The digest of the doc that was shown.
    text : str
        Why.
    passages : list of dict
        What supports it.
    """

    op_id: str
    value: float | None
    base_revision: int
    sha256: str
    text: str = ""
    passages: list[dict[str, Any]] = field(default_factory=list)


def desk_name(account: Account) -> str:
    """The desk's name of an account: a pseudonym, or role and number; exports hold no person."""
    return account.assessor.name if account.assessor else f"{account.role}-{account.pk}"


def current_verdict(topic: Topic, doc: Doc) -> DeskEvent | None:
    """The newest verdict on a doc of a topic; one that was taken back has no value."""
    found = DeskEvent.objects.filter(topic=topic, doc=doc, kind=_KIND.ADJUDICATED)
    return found.order_by("-revision").first()


def has_seen(account: Account, topic: Topic | int, doc: Doc | int) -> bool:
    """Whether somebody knows the labels of a doc: they were shown, or a verdict was given."""
    if account.role == Role.VIEWER:
        return True
    kinds = (_KIND.ADJUDICATED, _KIND.REVEALED)
    own = DeskEvent.objects.filter(by=desk_name(account), kind__in=kinds)
    return own.filter(topic=topic, doc=doc).exists()


def reveal(account: Account, topic: Topic, doc: Doc) -> None:
    """Note that an adjudicator looks at the labels; once is enough."""
    if not has_seen(account, topic, doc):
        name = desk_name(account)
        op_id = f"revealed-{account.pk}-{topic.pk}-{doc.pk}"
        _once(DeskEvent(op_id=op_id, kind=_KIND.REVEALED, by=name, topic=topic, doc=doc))


def say(account: Account, op_id: str, topic: Topic, doc: Doc | None, text: str) -> DeskEvent:
    """A word in the thread of a topic or of one of its docs.

    Raises
    ------
    RefusedError
        If nothing is said.
    """
    if not text.strip():
        raise RefusedError("nothing", gettext("There is nothing to say yet."))
    return _once(
        DeskEvent(
            op_id=op_id,
            kind=_KIND.SAID,
            by=desk_name(account),
            topic=topic,
            doc=doc,
            text=text.strip(),
        )
    )


def adjudicate(account: Account, topic: Topic, doc: Doc, verdict: DeskVerdict) -> DeskEvent:
    """Accept a verdict.

    Raises
    ------
    RefusedError
        If it is not on the scale, or somebody else has decided meanwhile.
    """
    scale = current_scale()
    if verdict.value is not None and not scale.has(verdict.value):
        fault = gettext("{value} is no level of the scale.").format(value=f"{verdict.value:g}")
        raise RefusedError("value", fault)
    versions = DocVersion.objects.filter(doc=doc, sha256=verdict.sha256)
    if not versions.exists() and DocVersion.objects.filter(doc=doc).exists():
        message = gettext("What was shown is no version of this doc; load the page again.")
        raise RefusedError("sha256", message)
    event = DeskEvent(
        op_id=verdict.op_id,
        kind=_KIND.ADJUDICATED,
        by=desk_name(account),
        topic=topic,
        doc=doc,
        revision=verdict.base_revision + 1,
        value=verdict.value,
        text=verdict.text.strip(),
        passages=seen_passages(verdict.passages, versions),
        is_blind=not has_seen(account, topic, doc),
        sha256=verdict.sha256,
        topic_version=topic.version,
        scale_version=scale.version,
    )
    return _once(event)


def _once(event: DeskEvent) -> DeskEvent:
    """The event, recorded now or when it came for the first time."""
    try:
        with writing():
            if event.kind == _KIND.ADJUDICATED and event.doc is not None:
                newest = current_verdict(event.topic, event.doc)
                if event.revision != (newest.revision if newest else 0) + 1:
                    raise IntegrityError
            append_row(event)
    except IntegrityError:
        known = DeskEvent.objects.filter(op_id=event.op_id).first()
        if known is not None and (known.kind, known.by, known.value) == (
            event.kind, event.by, event.value
        ):  # fmt: skip
            return known
        message = gettext("Somebody else has decided meanwhile; look at the verdict, then choose.")
        raise RefusedError("stale", message) from None
    return event
