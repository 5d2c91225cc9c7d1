"""The progress of running campaigns."""

from __future__ import annotations

import http.client
from datetime import timedelta

from django.utils import timezone

from qrelsmith.base.errors import InputError
from qrelsmith.web.core.database import writing
from qrelsmith.web.hub.admission import STATUS
from qrelsmith.web.hub.forwarding import ask
from qrelsmith.web.hub.models import HubCampaign
from qrelsmith.web.hub.processes import PROCESSES, NotReadyError

_FRESH = timedelta(seconds=30)


def refresh(campaign: HubCampaign) -> None:
    """Update the numbers of a running campaign, unless they are recent."""
    if campaign.archived_at is not None or PROCESSES.alive(campaign.name) is None:
        return
    now = timezone.now()
    if campaign.counted_at is not None and campaign.counted_at > now - _FRESH:
        return
    try:
        counts = ask(campaign, STATUS)
    except (OSError, http.client.HTTPException, NotReadyError, InputError):
        return
    if counts is not None:
        campaign.judged, campaign.total, campaign.counted_at = (
            counts["judged"],
            counts["total"],
            now,
        )
        with writing():
            campaign.save(update_fields=["judged", "total", "counted_at"])
