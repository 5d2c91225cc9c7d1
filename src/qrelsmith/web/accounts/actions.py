"""The log of actions by organisers and commands."""

from __future__ import annotations

from django.http import HttpRequest

from qrelsmith.web.accounts.access import account_of
from qrelsmith.web.core.campaign_chain import append_row
from qrelsmith.web.models import OrganiserAction
from qrelsmith.web.site.headers import request_id_of


def note_action(request: HttpRequest, action: str, target: str) -> None:
    """Log an action of the request's account; the target is a pseudonym, topic or number."""
    append_row(
        OrganiserAction(
            account=account_of(request).pk,
            action=action,
            target=target[:500],
            request_id=request_id_of(request),
        )
    )


def note_command(action: str, target: str = "") -> None:
    """Log the action of a command, whose user has no account in the app."""
    append_row(OrganiserAction(action=action, target=target[:500]))
