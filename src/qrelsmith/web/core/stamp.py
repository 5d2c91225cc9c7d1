"""The identity of a campaign's database, stored both in the database and in the app's folder.

Without this identity, a `DATABASE_URL` that points to another campaign's database would mix two
campaigns in one export.
"""

from __future__ import annotations

import secrets

from django.db import connection

from qrelsmith.base.errors import InputError
from qrelsmith.io.writing import write_text
from qrelsmith.web.instance import Instance
from qrelsmith.web.models import Stamp
from qrelsmith.web.project import current_instance


def check_stamp() -> None:
    """Raise an error if the database belongs to another campaign.

    Raises
    ------
    InputError
        If the database belongs to another campaign.
    """
    instance = current_instance()
    stamp = _stamp()
    if stamp is None:
        return
    known = _folder_identity(instance)
    if known == stamp.identity or (not known and instance.database is None):
        return
    raise InputError(
        f"the database belongs to another campaign, {stamp.title!r} ({stamp.identity}). If this "
        f"folder is that campaign, write {stamp.identity} into {instance.identity}",
        path=instance.campaign.folder,
    )


def stamp_database() -> None:
    """Give the database and the folder the same identity; by default that of the SQLite database.

    Raises
    ------
    InputError
        If the database belongs to another campaign.
    """
    check_stamp()
    instance = current_instance()
    stamp = _stamp()
    if stamp is None:
        identity = _folder_identity(instance) or secrets.token_hex(16)
        stamp, _ = Stamp.objects.get_or_create(
            pk=1, defaults={"identity": identity, "title": instance.campaign.title}
        )
    _keep(stamp)


def adopt_identity() -> None:
    """Copy the identity of a restored database to the folder, if the database has one."""
    stamp = _stamp()
    if stamp is not None:
        _keep(stamp)


def _keep(stamp: Stamp) -> None:
    instance = current_instance()
    if _folder_identity(instance) != stamp.identity:
        instance.make_private(instance.identity)
        write_text(instance.identity, stamp.identity + "\n")
    if instance.database is not None:
        instance.make_private(instance.moved)


def _stamp() -> Stamp | None:
    if Stamp._meta.db_table not in connection.introspection.table_names():
        return None
    return Stamp.objects.first()


def _folder_identity(instance: Instance) -> str:
    """Return the identity stored in the folder; empty if there is none."""
    try:
        return instance.identity.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path=instance.identity) from None
