from importlib.util import find_spec

from django.db import migrations, models

from qrelsmith.web.migrations._columns import choice, index, moment, table, unique

# It needs no tables of answers, but comes after them where they are.
_ANSWERS = find_spec("qrelsmith.web.migrations.0014_answers")


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0014_answers" if _ANSWERS else "0013_desk_of_pairs")]

    operations = [
        table(
            "Job",
            ("kind", models.CharField(max_length=30)),
            ("options", models.JSONField(default=dict)),
            ("key", models.CharField(max_length=500)),
            (
                "state",
                choice(10, "waiting", "running", "done", "failed", "cancelled", default="waiting"),
            ),
            ("owner", models.CharField(blank=True, max_length=32)),
            ("attempts", models.PositiveIntegerField(default=0)),
            ("beat_at", models.DateTimeField(null=True)),
            ("is_unwanted", models.BooleanField(default=False)),
            ("done", models.PositiveIntegerField(default=0)),
            ("total", models.PositiveIntegerField(default=0)),
            ("result", models.TextField(blank=True)),
            ("problem", models.TextField(blank=True)),
            ("asked_at", moment()),
            ("ended_at", models.DateTimeField(null=True)),
        ),
        index("job", "jobs_by_key", "kind", "key", "state"),
        unique(
            "job",
            "one_unfinished_job",
            "kind",
            "key",
            condition=models.Q(("state__in", ["waiting", "running"])),
        ),
    ]
