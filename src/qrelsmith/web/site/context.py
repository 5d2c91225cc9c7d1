"""The context of every template."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from qrelsmith.web.models import Account, Hit
from qrelsmith.web.project import current_instance


def campaign(request: HttpRequest) -> dict[str, Any]:
    """Return the campaign's title and the user who is logged in."""
    account = getattr(request, "user", None)
    has_hit = _has_hit(account)
    return {
        "campaign_title": campaign_title(),
        "account": account,
        "has_hit": has_hit,
        # On a server of several campaigns, for users with a server account.
        "server_home": "/" if settings.FORCE_SCRIPT_NAME and not has_hit else "",
    }


def campaign_title() -> str:
    """Return the title of the campaign."""
    campaign = current_instance().campaign
    return campaign.title or campaign.folder.resolve().name


def _has_hit(account: object) -> bool:
    """Return whether the account is a crowd worker with a HIT."""
    if not isinstance(account, Account) or account.assessor_id is None:
        return False
    return Hit.objects.filter(worker__assessor=account.assessor_id, state=Hit.State.TAKEN).exists()
