"""The initial scroll position of docs by group, and its log."""

from __future__ import annotations

from qrelsmith.campaign.campaign import Campaign
from qrelsmith.web.accounts.actions import note_command
from qrelsmith.web.models import OrganiserAction
from qrelsmith.web.project import current_instance

_ACTION = "opening"


def opening_for(group: str) -> str:
    """Return the initial scroll position for a group of assessors: one of `OPENINGS`."""
    campaign = current_instance().campaign
    own = campaign.groups[group].opening if group in campaign.groups else ""
    return own or campaign.judging.opening


def log_opening(campaign: Campaign) -> None:
    """Log the initial scroll positions if they have changed."""
    groups = {name: group.opening for name, group in campaign.groups.items() if group.opening}
    told = " ".join([campaign.judging.opening, *(f"{name}={at}" for name, at in groups.items())])
    known = OrganiserAction.objects.filter(action=_ACTION).order_by("-id").first()
    if told != (known.target if known else "top"):
        note_command(_ACTION, told)
