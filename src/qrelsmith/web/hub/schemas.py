"""The databases of campaigns: one schema each in the server's PostgreSQL database.

A campaign with a SQLite database in its folder keeps that database.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from django.db import connection

from qrelsmith.campaign.campaign import Campaign
from qrelsmith.io.writing import write_text
from qrelsmith.web.instance import Instance
from qrelsmith.web.project import current_instance


def prepare_database(folder: Path) -> None:
    """Store the name of a campaign's schema in its folder, if the server uses PostgreSQL."""
    instance = Instance(Campaign(folder))
    if current_instance().database is None or keeps_sqlite(folder) or instance.moved.exists():
        return
    if not instance.schema.exists():
        # The digest distinguishes campaigns of the same name in different folders.
        place = zlib.crc32(str(folder.resolve()).encode())
        instance.make_private(instance.schema)
        write_text(instance.schema, f"qrelsmith_{folder.name.replace('-', '_')}_{place:08x}\n")


def keeps_sqlite(folder: Path) -> bool:
    """Return whether a campaign was served before with a SQLite database in its folder."""
    instance = Instance(Campaign(folder))
    return instance.sqlite.exists() and not instance.moved.exists()


def drop_schema(folder: Path) -> None:
    """Delete the schema of a deleted campaign."""
    schema = Instance(Campaign(folder)).schema
    if current_instance().database is not None and schema.exists():
        name = connection.ops.quote_name(schema.read_text(encoding="utf-8").strip())
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
