"""What happens before the server listens."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.web.importing.campaign import import_campaign
from qrelsmith.web.invites import make_invite
from qrelsmith.web.models import Account, Role, Topic
from qrelsmith.web.project import current_instance, migrate, pending_migrations
from qrelsmith.web.scale import record_scale


@dataclass(frozen=True, slots=True)
class Started:
    """What the start found and did.

    Attributes
    ----------
    notes : tuple of str
        What to tell.
    invite : str
        The token of an admin's invite; empty if there is an admin already.
    """

    notes: tuple[str, ...]
    invite: str


def prepare() -> Started:
    """Bring the database to this program's schema, and an empty one to the campaign's files."""
    notes: list[str] = []
    if pending_migrations():
        migrate()
    campaign = current_instance().campaign
    record_scale(campaign)
    if not Topic.objects.exists():
        notes += [str(counts) for counts in import_campaign(campaign)]
    has_admin = Account.objects.filter(role=Role.ADMIN, is_active=True).exists()
    return Started(tuple(notes), "" if has_admin else make_invite(Role.ADMIN))
