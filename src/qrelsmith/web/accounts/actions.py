"""The log of what organisers and commands do."""

from __future__ import annotations

from django.http import HttpRequest

from qrelsmith.web.accounts.access import account_of
from qrelsmith.web.core.campaign_chain import append_row
from qrelsmith.web.models import OrganiserAction
from qrelsmith.web.site.headers import request_id_of


def note_action(request: HttpRequest, action: str, target: str) -> None:
    """Note an action of whoever asks; the target is a pseudonym, a topic or a number, no person."""
    append_row(
        OrganiserAction(
            account=account_of(request).pk,
            action=action,
            target=target[:500],
            request_id=request_id_of(request),
        )
    )


def note_command(action: str, target: str = "") -> None:
    """Note what a command did; whoever can run commands has no account here."""
    append_row(OrganiserAction(action=action, target=target[:500]))
