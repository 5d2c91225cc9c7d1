"""Preparation of the app before use."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from django.db.models import Exists, OuterRef, Q, QuerySet

from qrelsmith.campaign.campaign import Campaign
from qrelsmith.web.accounts.actions import note_command
from qrelsmith.web.accounts.invites import make_invite, open_invites
from qrelsmith.web.accounts.sessions import SessionStore
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import exclusive_lock
from qrelsmith.web.core.stamp import stamp_database
from qrelsmith.web.graded.opening import log_opening
from qrelsmith.web.graded.scale import record_scale
from qrelsmith.web.importing.campaign import import_campaign
from qrelsmith.web.importing.held import check_folder
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.models import Account, Doc, DocVersion, OrganiserAction, Role
from qrelsmith.web.organiser.model_keys import encrypt_earlier_keys
from qrelsmith.web.pairs.choices import record_choices
from qrelsmith.web.pairs.contests import opened_from_file
from qrelsmith.web.project import current_instance, has_schema, migrate, pending_migrations

_IMPORT = "import"


def migrate_app() -> list[str]:
    """Migrate the database to the current schema, after a backup; return notes on the changes.

    Raises
    ------
    InputError
        If the database belongs to a newer version.
    """
    with exclusive_lock(current_instance()):
        notes = _migrate()
        stamp_database()
        return notes


def import_folder(
    *,
    is_dry: bool = False,
    accept_changes: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> list[Counts]:
    """Update the database from the campaign's folder; see `import_campaign`.

    Raises
    ------
    InputError
        If the folder does not belong to the judgments in the database; see `check_folder`.
    """
    with exclusive_lock(current_instance()):
        check_folder(current_instance().campaign, accept_changes=accept_changes)
        if not is_dry:
            stamp_database()
        return _import(is_dry=is_dry, advance=advance)


def prepare(*, advance: Callable[[int], None] = lambda _: None) -> list[str]:
    """Migrate the database to the current schema, and import the campaign into an empty database.

    Return notes on the changes and on missing data. `advance` is called with the number of docs
    read since the last call.
    """
    campaign = current_instance().campaign
    with exclusive_lock(current_instance()):
        notes = [*encrypt_earlier_keys(), *_migrate()]
        check_folder(campaign)
        stamp_database()
        if OrganiserAction.objects.filter(action=_IMPORT).exists():
            record_scale(campaign)
            record_choices(campaign)
            log_opening(campaign)
        else:
            notes += [
                f"{each.what}: {each.new} new, {each.same} unchanged"
                for each in _import(is_dry=False, advance=advance)
            ]
        notes += _contests(campaign)
    SessionStore.clear_expired()
    notes += missing_work()
    missing = Doc.objects.filter(Q(version=0) | Exists(_bare())).count()
    if missing:
        notes.append(
            f"the content of {missing} docs is missing, so these docs cannot be judged. If the"
            " folder has documents, run qrelsmith app import"
        )
    return notes


def missing_work() -> list[str]:
    """Return a note if nothing is assigned to anyone, with the next steps."""
    if any(kind.streams.objects.exists() for kind in KINDS):
        return []
    campaign = current_instance().campaign
    has_docs = campaign.answers or campaign.pools
    pools = "" if has_docs else "Create pools with qrelsmith pool. "
    again = shlex.join(("qrelsmith", "app", "import", str(campaign.folder)))
    note = (
        f"nothing is assigned yet. {pools}Add assessors to [groups.NAME] in campaign.toml (or use"
    )
    return [f"{note} qrelsmith assign), then run: {again}"]


def _migrate() -> list[str]:
    pending = pending_migrations()
    if not pending:
        return []
    notes = []
    if has_schema():
        notes.append(f"backup before the migration: {back_up()}")
        notes.append(f"migrations: {', '.join(pending)}")
    migrate()
    return notes


def _import(*, is_dry: bool, advance: Callable[[int], None]) -> list[Counts]:
    counts = import_campaign(current_instance().campaign, is_dry=is_dry, advance=advance)
    if not is_dry:
        # Marks the import as complete; otherwise the next start imports again.
        note_command(_IMPORT)
    return counts


def _bare() -> QuerySet[DocVersion]:
    """Return a subquery for docs whose current version has only a digest, but no content."""
    return DocVersion.objects.filter(doc=OuterRef("pk"), version=OuterRef("version"), content=b"")


def _contests(campaign: Campaign) -> list[str]:
    """Open preference tasks with grades from a file; return notes on the changes."""
    opening = opened_from_file(campaign)
    if opening is None or not opening.contests.new + opening.contests.changed:
        return []
    done = f"{opening.contests.new} new, {opening.contests.changed} changed"
    note_command("prefer", done)
    return [f"preference tasks: {done}", *opening.notes()]


def first_invite() -> str | None:
    """Create an invite for the first admin, unless there is an admin or a pending invite.

    Processes that start at the same time create only one invite.

    Returns
    -------
    str or None
        The token; empty if an invite is pending, None if there is an admin.
    """
    with exclusive_lock(current_instance()):
        if Account.objects.filter(role=Role.ADMIN, is_active=True).exists():
            return None
        if open_invites().filter(role=Role.ADMIN).exists():
            return ""
        return make_invite(Role.ADMIN)
