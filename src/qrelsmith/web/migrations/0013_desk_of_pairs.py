from django.db import migrations, models

from qrelsmith.web.migrations._columns import choice, reference, unique


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0012_campaign_chain")]

    operations = [
        migrations.AddField("deskevent", "other", reference("doc", "+", null=True)),
        migrations.AddField(
            "deskevent",
            "other_sha256",
            models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
        migrations.AlterField(
            "deskevent", "kind", choice(20, "adjudicated", "revealed", "said", "opened")
        ),
        migrations.AlterField(
            "rejudginground", "reason", choice(20, "disagreement", "stale", "repeat")
        ),
        migrations.RemoveConstraint("deskevent", "one_verdict_a_revision"),
        unique(
            "deskevent",
            "one_verdict_a_revision",
            "topic",
            "doc",
            "revision",
            condition=models.Q(("kind", "adjudicated"), ("other", None)),
        ),
        unique(
            "deskevent",
            "one_pair_verdict_a_revision",
            "topic",
            "doc",
            "other",
            "revision",
            condition=models.Q(("kind", "adjudicated"), ("other__isnull", False)),
        ),
    ]
