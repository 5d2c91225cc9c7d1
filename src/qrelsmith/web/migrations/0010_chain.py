from typing import Any

from django.db import migrations, models

from qrelsmith.web.core.append_only import TABLES
from qrelsmith.web.core.event_lines import EVENTS, PREFERENCE_EVENTS, EventLines
from qrelsmith.web.core.lines import link

_GRADED = ("assessor", "assignment__topic", "assigned__doc", "undoes", "setting")
_PAIRED = ("assessor", "contest__topic", "pair__left", "pair__right", "undoes")


def chain_events(apps: Any, editor: Any) -> None:
    """Give every event its digest, as if it had been accepted with a digest."""
    drop_triggers(editor)
    _chain(apps, editor, "Event", "Assignment", _GRADED, EVENTS)
    _chain(apps, editor, "PreferenceEvent", "Contest", _PAIRED, PREFERENCE_EVENTS)


def _chain(
    apps: Any, editor: Any, model: str, stream: str, related: Any, lines: EventLines
) -> None:
    events = apps.get_model("qrelsmith_web", model)
    heads: dict[int, str] = {}
    rows = []
    found = events.objects.using(editor.connection.alias).select_related(*related).order_by("id")
    for event in found.iterator(chunk_size=2000):
        key = getattr(event, f"{stream.lower()}_id")
        heads[key] = link(heads.get(key, ""), lines.record(event), lines.kind)
        rows.append((heads[key], event.pk))
    streams = apps.get_model("qrelsmith_web", stream)
    with editor.connection.cursor() as cursor:
        for table, values in ((events, rows), (streams, [(h, key) for key, h in heads.items()])):
            column = "digest" if table is events else "head"
            name = table._meta.db_table
            cursor.executemany(
                f"UPDATE {name} SET {column} = %s WHERE id = %s",  # noqa: S608 - names of ours
                values,
            )


def drop_triggers(editor: Any) -> None:
    """Drop the triggers, which are created again after the last migration."""
    with editor.connection.cursor() as cursor:
        for table in TABLES:
            if editor.connection.vendor == "sqlite":
                for verb in ("UPDATE", "DELETE"):
                    cursor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{verb}")
            else:
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}")


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0009_evidence")]

    operations = [
        migrations.AddField("assignment", "head", models.CharField(default="", max_length=64)),
        migrations.AddField("contest", "head", models.CharField(default="", max_length=64)),
        migrations.AddField("event", "digest", models.CharField(default="", max_length=64)),
        migrations.AddField(
            "preferenceevent", "digest", models.CharField(default="", max_length=64)
        ),
        migrations.RunPython(chain_events, migrations.RunPython.noop),
    ]
