"""Django set up for one campaign; another campaign may follow in the same process."""

from __future__ import annotations

from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor

from qrelsmith.errors import InputError, UsageError
from qrelsmith.web.instance import Instance
from qrelsmith.web.settings import settings_of

# The setting of ours.
_INSTANCE = "QRELSMITH_INSTANCE"


def use(instance: Instance, *, public_url: str = "") -> None:
    """Set Django up for an instance, and let go of the one before.

    Raises
    ------
    UsageError
        If this process has set Django up for another project.
    """
    import django

    values = settings_of(instance, public_url=public_url)
    if not settings.configured:
        settings.configure(**values)
        django.setup()
        return
    if not hasattr(settings, _INSTANCE):
        raise UsageError("Django is set up for another project in this process; use a new one")
    connections.close_all()
    for name, value in values.items():
        setattr(settings, name, value)
    connections.settings = connections.configure_settings(values["DATABASES"])
    for alias in list(connections):
        del connections[alias]


def current_instance() -> Instance:
    """The instance that Django is set up for."""
    instance: Instance = getattr(settings, _INSTANCE)
    return instance


def pending_migrations() -> list[str]:
    """The migrations that the database lacks, in their order.

    Raises
    ------
    InputError
        If the database has one that this program does not know: it is newer.
    """
    executor = MigrationExecutor(connection)
    known = set(executor.loader.disk_migrations)
    apps = {app for app, _ in known}
    newer = sorted(
        name for app, name in executor.loader.applied_migrations if app in apps
        and (app, name) not in known
    )  # fmt: skip
    if newer:
        raise InputError(
            f"the database has the migration {newer[0]}, which this qrelsmith does not know; it was"
            " made by a newer one: update qrelsmith"
        )
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def migrate() -> None:
    """Bring the database to this program's schema."""
    call_command("migrate", verbosity=0, interactive=False)
