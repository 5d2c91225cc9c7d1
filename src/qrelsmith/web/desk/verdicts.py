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
from qrelsmith.web.desk.matters import Matter, current_verdict, desk_name, has_seen
from qrelsmith.web.docs.passages import seen_passages
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.models import Account, DeskEvent, DocVersion, Topic
from qrelsmith.web.pairs.choices import current_choices

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
    """A word in the thread of a topic, a doc or a pair.

    Raises
    ------
    RefusedError
        If nothing is said.
    """
    words = text.strip()
    if not words:
        raise RefusedError("nothing", gettext("There is nothing to say yet."))
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
    version = _version_for(matter, verdict.value)
    versions = _versions_of(matter.doc, verdict.sha256)
    if matter.other is not None:
        _versions_of(matter.other, verdict.other_sha256)
    event = matter.event(
        _KIND.ADJUDICATED,
        op_id=verdict.op_id,
        by=desk_name(account),
        revision=verdict.base_revision + 1,
        value=verdict.value,
        text=verdict.text.strip(),
        passages=seen_passages(verdict.passages, versions),
        is_blind=not has_seen(account, matter),
        sha256=verdict.sha256,
        other_sha256=verdict.other_sha256,
        topic_version=Topic.objects.values_list("version", flat=True).get(pk=matter.topic),
        scale_version=version,
    )
    return _once(matter, event)


def _version_for(matter: Matter, value: float | None) -> int:
    """The version of the scale, or of the choices, that has a value."""
    if matter.other is None:
        scale = current_scale()
        if value is not None and not scale.has(value):
            fault = gettext("{value} is no level of the scale.").format(value=f"{value:g}")
            raise RefusedError("value", fault)
        return scale.version
    choices = current_choices()
    if value is not None and value not in choices.outcomes:
        fault = gettext("%(outcome)s is none of the choices.") % {"outcome": f"{value:g}"}
        raise RefusedError("value", fault)
    return choices.version


def _versions_of(doc: int | None, sha256: str) -> Any:
    """The version of a doc with the digest that was shown, if the doc has any content."""
    own = DocVersion.objects.filter(doc=doc)
    versions = own.filter(sha256=sha256)
    if not versions.exists() and own.exists():
        message = gettext("What was shown is no version of this doc; load the page again.")
        raise RefusedError("sha256", message)
    return versions


def _once(matter: Matter, event: DeskEvent) -> DeskEvent:
    """The event, recorded now or when it came for the first time."""
    try:
        with writing():
            if event.kind == _KIND.ADJUDICATED:
                newest = current_verdict(matter)
                if event.revision != (newest.revision if newest else 0) + 1:
                    raise IntegrityError
            append_row(event)
    except IntegrityError:
        known = DeskEvent.objects.filter(op_id=event.op_id).first()
        if known is not None and _same(known, event):
            return known
        message = gettext("Somebody else has decided meanwhile; look at the verdict, then choose.")
        raise RefusedError("stale", message) from None
    return event


def _same(known: DeskEvent, event: DeskEvent) -> bool:
    """Whether an operation came before; a discussion is opened once, whoever opens it."""
    if event.kind == _KIND.OPENED:
        return known.kind == event.kind
    return (known.kind, known.by, known.value) == (event.kind, event.by, event.value)
