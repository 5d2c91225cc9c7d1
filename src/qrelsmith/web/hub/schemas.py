"""Where the databases of campaigns are: a schema for each in the PostgreSQL database of the server.

A campaign that has a SQLite database in its folder keeps it.
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
    """Name the schema of a campaign in its folder, if the server has PostgreSQL."""
    instance = Instance(Campaign(folder))
    if current_instance().database is None or keeps_sqlite(folder) or instance.moved.exists():
        return
    if not instance.schema.exists():
        # The digest keeps apart what has the same name in another folder of the machine.
        place = zlib.crc32(str(folder.resolve()).encode())
        instance.make_private(instance.schema)
        write_text(instance.schema, f"qrelsmith_{folder.name.replace('-', '_')}_{place:08x}\n")


def keeps_sqlite(folder: Path) -> bool:
    """Whether a campaign was served before with a SQLite database in its folder."""
    instance = Instance(Campaign(folder))
    return instance.sqlite.exists() and not instance.moved.exists()


def drop_schema(folder: Path) -> None:
    """Delete the schema of a campaign that is deleted."""
    schema = Instance(Campaign(folder)).schema
    if current_instance().database is not None and schema.exists():
        name = connection.ops.quote_name(schema.read_text(encoding="utf-8").strip())
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
