"""Triggers that make the database refuse to change or delete records."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import connections

# The triggers are created again after every migration: SQLite loses them when it rebuilds a table.
TABLES = (
    "qrelsmith_web_deskevent",
    "qrelsmith_web_event",
    "qrelsmith_web_modelreply",
    "qrelsmith_web_modelsetting",
    "qrelsmith_web_organiseraction",
    "qrelsmith_web_preferenceevent",
)

_SQLITE = """
DROP TRIGGER IF EXISTS {table}_no_{verb};
CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, 'rows of {table} are never changed'); END;
"""
_POSTGRESQL = """
CREATE OR REPLACE FUNCTION qrelsmith_append_only() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME; END;
$$ LANGUAGE plpgsql;
DROP TRIGGER IF EXISTS {table}_append_only ON {table};
CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION qrelsmith_append_only();
"""


def keep_append_only(*, using: str, **_: Any) -> None:
    """Create the triggers, as the last step of a migration."""
    connection = connections[using]
    there = set(connection.introspection.table_names())
    accepted = {"op_id", "digest", "base_revision"}
    logs = (
        each
        for each in apps.get_models()
        if accepted <= {column.name for column in each._meta.get_fields()}
    )
    with connection.cursor() as cursor:
        for table in sorted({*TABLES, *(each._meta.db_table for each in logs)}):
            if table not in there:
                continue
            if connection.vendor == "sqlite":
                for verb in ("UPDATE", "DELETE"):
                    for statement in _SQLITE.format(table=table, verb=verb).split("\n", 2)[1:]:
                        cursor.execute(statement)
            else:
                cursor.execute(_POSTGRESQL.format(table=table))
