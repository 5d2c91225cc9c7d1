from django.db import migrations, models

from qrelsmith.web.migrations._columns import choice, index, moment, table, unique


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0014_answers")]

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
