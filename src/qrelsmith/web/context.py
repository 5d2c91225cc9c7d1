"""What every template knows."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from qrelsmith.web.project import current_instance


def campaign(request: HttpRequest) -> dict[str, Any]:
    """The campaign's title and who is logged in."""
    return {"campaign_title": campaign_title(), "account": getattr(request, "user", None)}


def campaign_title() -> str:
    """What the campaign is called."""
    campaign = current_instance().campaign
    return campaign.title or campaign.folder.resolve().name
