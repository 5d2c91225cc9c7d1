"""What happens before the app is used."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.web.importing.campaign import import_campaign
from qrelsmith.web.invites import make_invite
from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.models import Account, Role, Topic
from qrelsmith.web.project import current_instance, has_schema, migrate, pending_migrations
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


def migrated() -> list[str]:
    """Bring the database to this program's schema, after a backup of what it holds; what was done.

    Raises
    ------
    InputError
        If the database is of a newer program.
    """
    pending = pending_migrations()
    if not pending:
        return []
    notes = []
    if has_schema():
        notes.append(f"backup before the migration: {back_up()}")
        notes.append(f"migrations: {', '.join(pending)}")
    migrate()
    return notes


def prepare() -> Started:
    """Bring the database to this program's schema, and an empty one to the campaign's files."""
    notes = migrated()
    campaign = current_instance().campaign
    record_scale(campaign)
    if not Topic.objects.exists():
        notes += [
            f"{each.what}: {each.new} new, {each.same} as before"
            for each in import_campaign(campaign)
        ]
    has_admin = Account.objects.filter(role=Role.ADMIN, is_active=True).exists()
    return Started(tuple(notes), "" if has_admin else make_invite(Role.ADMIN))
