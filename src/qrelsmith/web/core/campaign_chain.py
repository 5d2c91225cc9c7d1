"""The hash chains of a campaign: the actions of organisers, and the adjudication events.

As with judgments (see `judging.chain`), each row has a digest over itself and all earlier rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.event_lines import ACTIONS, DESK, EventLines
from qrelsmith.web.core.lines import link
from qrelsmith.web.models import CampaignHead, DeskEvent, OrganiserAction

# The name of the adjudication log's head in manifests.
DESK_HEAD = "head_of_desk"
_CHUNK = 2000


@dataclass(frozen=True, slots=True)
class _Stream:
    """A table whose rows form one chain."""

    name: str
    rows: Any
    lines: EventLines


_ACTIONS = _Stream("actions", OrganiserAction, ACTIONS)
_DESK = _Stream("desk", DeskEvent, DESK)


def append_row(row: OrganiserAction | DeskEvent) -> None:
    """Append a row to its chain; the row is complete except for its digest."""
    stream = _ACTIONS if isinstance(row, OrganiserAction) else _DESK
    with writing():
        row.digest = link(_lock_head(stream), stream.lines.record(row), stream.lines.kind)
        row.save(force_insert=True)
        CampaignHead.objects.filter(stream=stream.name).update(head=row.digest)


def lock_desk() -> None:
    """Lock the adjudication log against other writers; requires a write transaction."""
    _lock_head(_DESK)


def _lock_head(stream: _Stream) -> str:
    heads = CampaignHead.objects.filter(stream=stream.name).select_for_update(no_key=True)
    head: str = heads.values_list("head", flat=True).get()
    return head


def desk_head() -> dict[str, str]:
    """Return the head of the adjudication log under its name in manifests; empty for an empty log.

    Manifests do not contain the head of the actions, because an import is an action, too.
    """
    found = CampaignHead.objects.filter(stream=_DESK.name).values_list("head", flat=True)
    head = found.first()
    return {DESK_HEAD: head} if head else {}


def campaign_chain_check() -> Check:
    """Check that the actions and adjudications are unchanged; report the first changed row."""
    check = Check("organiser and adjudication logs are intact")
    heads = dict(CampaignHead.objects.values_list("stream", "head"))
    for stream in (_ACTIONS, _DESK):
        before = ""
        for row in stream.lines.read(stream.rows).order_by("id").iterator(chunk_size=_CHUNK):
            check.rows += 1
            before = link(before, stream.lines.record(row), stream.lines.kind)
            if row.digest != before:
                check.fault(
                    f"row {row.pk} of the {stream.name} was changed, or an earlier row is missing"
                )
                break
        else:
            if heads.get(stream.name, "") != before:
                check.fault(f"the last rows of the {stream.name} are missing")
    return check
