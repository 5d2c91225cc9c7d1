from django.db import migrations, models

from qrelsmith.web.migrations._columns import choice, measured, moment, reference, table, unique

_LABEL = [
    ("wording", models.TextField(blank=True)),
    ("related", models.CharField(blank=True, max_length=500)),
    ("note", models.TextField(blank=True)),
    ("passages", models.JSONField(default=list)),
    ("sha256", models.CharField(blank=True, max_length=64)),
]


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0013_desk_of_pairs")]

    operations = [
        table(
            "AnswerAssignment",
            ("assessor", reference("assessor", "+")),
            ("topic", reference("topic", "+")),
            ("answers", models.JSONField(default=list)),
            ("total", models.PositiveIntegerField(default=0)),
            ("judged", models.PositiveIntegerField(default=0)),
            ("is_open", models.BooleanField(default=True)),
            ("events_at_close", models.PositiveIntegerField(blank=True, null=True)),
            ("head", models.CharField(default="", max_length=64)),
            ("created_at", moment()),
        ),
        table(
            "AnswerAspect",
            ("assignment", reference("answerassignment", "items")),
            ("doc", reference("doc", "+")),
            ("position", models.PositiveIntegerField()),
            ("place", models.PositiveIntegerField()),
            ("family", models.CharField(max_length=500)),
            ("aspect", models.CharField(max_length=1000)),
            ("text", models.TextField()),
            ("importance", models.CharField(blank=True, max_length=100)),
            ("revision", models.PositiveIntegerField(default=0)),
            ("is_judged", models.BooleanField(default=False)),
            ("value", models.FloatField(blank=True, null=True)),
            *_LABEL,
            ("topic_version", models.PositiveIntegerField(default=0)),
            ("scale_version", models.PositiveIntegerField(default=0)),
        ),
        table(
            "AnswerEvent",
            ("op_id", models.CharField(max_length=64, unique=True)),
            ("kind", choice(10, "judge", "undo")),
            ("topic_version", models.PositiveIntegerField()),
            *measured(),
            ("digest", models.CharField(default="", max_length=64)),
            ("value", models.FloatField(null=True)),
            *_LABEL,
            ("scale_version", models.PositiveIntegerField()),
            ("assessor", reference("assessor", "+")),
            ("assignment", reference("answerassignment", "events")),
            ("item", reference("answeraspect", "events")),
            ("undoes", reference("answerevent", "undo", is_single=True, null=True)),
        ),
        migrations.AddField(
            "deskevent",
            "aspect",
            models.CharField(blank=True, default="", max_length=1000),
            preserve_default=False,
        ),
        migrations.RemoveConstraint("deskevent", "one_verdict_a_revision"),
        unique(
            "deskevent",
            "one_verdict_a_revision",
            "topic",
            "doc",
            "aspect",
            "revision",
            condition=models.Q(("kind", "adjudicated"), ("other", None)),
        ),
        unique("answerassignment", "one_answer_assignment", "assessor", "topic"),
        unique("answeraspect", "one_aspect_an_answer", "assignment", "place", "family", "aspect"),
        unique("answeraspect", "one_aspect_a_position", "assignment", "position"),
        unique("answerevent", "one_answer_event_a_revision", "item", "revision"),
    ]
