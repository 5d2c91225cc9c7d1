"""What happens before the app is used."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.data.campaign import Campaign
from qrelsmith.web.actions import note_command
from qrelsmith.web.importing.campaign import import_campaign
from qrelsmith.web.invites import make_invite
from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.models import Account, Assignment, Contest, Invite, Role, Topic
from qrelsmith.web.preferring.choices import record_choices
from qrelsmith.web.preferring.contests import opened_from_file
from qrelsmith.web.project import current_instance, has_schema, migrate, pending_migrations
from qrelsmith.web.scale import record_scale


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


def prepare(*, advance: Callable[[int], None] = lambda _: None) -> list[str]:
    """Bring the database to this program's schema, and an empty one to the campaign's files.

    What was done, and what the app lacks. `advance` is called with the number of docs that were
    read since the last call.
    """
    notes = migrated()
    campaign = current_instance().campaign
    if Topic.objects.exists():
        record_scale(campaign)
        record_choices(campaign)
    else:
        notes += [
            f"{each.what}: {each.new} new, {each.same} as before"
            for each in import_campaign(campaign, advance=advance)
        ]
    notes += _contests(campaign)
    if not (Assignment.objects.exists() or Contest.objects.exists()):
        notes.append("nothing is assigned: the folder has no pools, or no assessors; see import")
    return notes


def _contests(campaign: Campaign) -> list[str]:
    """Open contests whose grades are in a file; what was done."""
    opening = opened_from_file(campaign)
    if opening is None or not opening.contests.new + opening.contests.changed:
        return []
    done = f"{opening.contests.new} new, {opening.contests.changed} changed"
    note_command("prefer", done)
    return [f"contests: {done}", *opening.notes()]


def first_invite() -> str:
    """The token of an invite for the first admin, in the place of earlier ones that nobody used.

    Empty if there is an admin.
    """
    if Account.objects.filter(role=Role.ADMIN, is_active=True).exists():
        return ""
    Invite.objects.filter(role=Role.ADMIN, created_by=None, used_at=None).delete()
    return make_invite(Role.ADMIN)
