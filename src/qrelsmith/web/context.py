"""What every template knows."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from qrelsmith.web.project import current_instance


def campaign(request: HttpRequest) -> dict[str, Any]:
    """The campaign's title and who is logged in."""
    settings = current_instance().campaign
    return {
        "campaign_title": settings.title or settings.folder.resolve().name,
        "account": getattr(request, "user", None),
    }
