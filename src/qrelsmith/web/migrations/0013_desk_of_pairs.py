import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0012_campaign_chain")]

    operations = [
        migrations.AddField(
            "deskevent",
            "other",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="qrelsmith_web.doc",
            ),
        ),
        migrations.AddField(
            "deskevent",
            "other_sha256",
            models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
        migrations.AlterField(
            "deskevent",
            "kind",
            models.CharField(
                choices=[
                    ("adjudicated", "Adjudicated"),
                    ("revealed", "Revealed"),
                    ("said", "Said"),
                    ("opened", "Opened"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            "rejudginground",
            "reason",
            models.CharField(
                choices=[
                    ("disagreement", "Disagreement"),
                    ("stale", "Stale"),
                    ("repeat", "Repeat"),
                ],
                max_length=20,
            ),
        ),
        migrations.RemoveConstraint("deskevent", "one_verdict_a_revision"),
        migrations.AddConstraint(
            "deskevent",
            models.UniqueConstraint(
                condition=Q(kind="adjudicated", other=None),
                fields=("topic", "doc", "revision"),
                name="one_verdict_a_revision",
            ),
        ),
        migrations.AddConstraint(
            "deskevent",
            models.UniqueConstraint(
                condition=Q(kind="adjudicated", other__isnull=False),
                fields=("topic", "doc", "other", "revision"),
                name="one_pair_verdict_a_revision",
            ),
        ),
    ]
