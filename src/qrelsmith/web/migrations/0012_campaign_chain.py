from importlib import import_module
from typing import Any

from django.db import migrations, models

from qrelsmith.web.core.event_lines import ACTIONS, DESK
from qrelsmith.web.core.lines import link
from qrelsmith.web.migrations._columns import table

_STREAMS = (
    ("actions", "OrganiserAction", (), ACTIONS),
    ("desk", "DeskEvent", ("topic", "doc"), DESK),
)


def chain_rows(apps: Any, editor: Any) -> None:
    """Give every row its digest, as if it had been written with a digest."""
    import_module("qrelsmith.web.migrations.0010_chain").drop_triggers(editor)
    alias = editor.connection.alias
    heads = apps.get_model("qrelsmith_web", "CampaignHead").objects.using(alias)
    for name, model, related, lines in _STREAMS:
        head = ""
        rows = apps.get_model("qrelsmith_web", model).objects.using(alias)
        if related:
            rows = rows.select_related(*related)
        for row in rows.order_by("id").iterator(chunk_size=2000):
            row.digest = head = link(head, lines.record(row), lines.kind)
            row.save(update_fields=["digest"])
        heads.create(stream=name, head=head)


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0011_model_replies")]

    operations = [
        table(
            "CampaignHead",
            ("stream", models.CharField(max_length=20, unique=True)),
            ("head", models.CharField(default="", max_length=64)),
        ),
        migrations.AddField("deskevent", "digest", models.CharField(default="", max_length=64)),
        migrations.AddField(
            "organiseraction", "digest", models.CharField(default="", max_length=64)
        ),
        migrations.RunPython(chain_rows, migrations.RunPython.noop),
    ]
