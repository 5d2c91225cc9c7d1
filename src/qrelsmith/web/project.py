"""Django, configured for one campaign; the same process can switch to another campaign."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.web.instance import VARIABLE, Instance
from qrelsmith.web.settings import settings_of

# The only setting that is not Django's.
_INSTANCE = "QRELSMITH_INSTANCE"


def use(
    instance: Instance, *, public_url: str = "", others: Mapping[str, object] | None = None
) -> None:
    """Configure Django for an instance, and close the connections of the previous instance.

    Parameters
    ----------
    instance : Instance
        The app of a campaign, or the server of several.
    public_url : str
        The address for browsers.
    others : mapping, optional
        Settings that differ from those of an app that serves one campaign.

    Raises
    ------
    UsageError
        If this process has configured Django for another project.
    """
    import django

    values = settings_of(instance, public_url=public_url) | dict(others or {})
    if not settings.configured:
        settings.configure(**values)
        django.setup()
        return
    if not hasattr(settings, _INSTANCE):
        raise UsageError("Django is set up for another project in this process. Use a new process")
    connections.close_all()
    for name, value in values.items():
        setattr(settings, name, value)
    for old in connections.all(initialized_only=True):
        del connections[old.alias]
    connections.settings = connections.configure_settings(values["DATABASES"])


def check_connection() -> None:
    """Raise an error if the database exists but cannot be opened.

    Raises
    ------
    InputError
        If the database cannot be reached or is not a database.
    """
    instance = current_instance()
    if instance.database is None and not instance.sqlite.exists():
        return
    place = VARIABLE if instance.database else instance.sqlite
    try:
        connection.ensure_connection()
    except DatabaseError as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"the app's database cannot be used: {reason}", path=place) from None


def current_instance() -> Instance:
    """Return the instance that Django is configured for."""
    instance: Instance = getattr(settings, _INSTANCE)
    return instance


def has_schema() -> bool:
    """Return whether the database contains an app."""
    if connection.vendor == "sqlite" and not current_instance().sqlite.exists():
        return False
    return MigrationRecorder(connection).has_table()


def check_app() -> None:
    """Raise `InputError` unless the database contains an app, of any schema version."""
    if not has_schema():
        raise InputError(
            "the judging app does not exist yet. Create the app with qrelsmith serve",
            path=current_instance().campaign.folder,
        )


def check_schema() -> None:
    """Raise an error unless the database exists and has this program's schema.

    Raises
    ------
    InputError
        If there is no app yet, or the database is older or newer than this program.
    """
    check_app()
    folder = current_instance().campaign.folder
    if pending_migrations():
        raise InputError(
            "the app's database is from an older version. Run qrelsmith app migrate", path=folder
        )


def pending_migrations() -> list[str]:
    """Return the database's missing migrations, in order.

    Raises
    ------
    InputError
        If the database has an unknown migration, because it is newer than this program.
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
            f"the database has the unknown migration {newer[0]} of a newer qrelsmith. "
            "Update qrelsmith"
        )
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def migrate() -> None:
    """Migrate the database to this program's schema; requires `exclusive_lock`."""
    current_instance().protect_database()
    make_schema()
    call_command("migrate", verbosity=0, interactive=False)


def make_schema() -> None:
    """Create the schema of an app that shares a PostgreSQL database, unless it exists."""
    database = current_instance().database
    if database is not None and database.schema:
        with connection.cursor() as cursor:
            name = connection.ops.quote_name(database.schema)
            cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {name}")
