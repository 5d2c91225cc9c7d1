from django.db import migrations, models

from qrelsmith.web.migrations._columns import choice, reference, unique


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0017_rounds_of_answers")]

    operations = [
        migrations.AddField(
            "answerassignment",
            "hit",
            models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        migrations.RemoveConstraint("answerassignment", "one_answer_assignment"),
        unique("answerassignment", "one_answer_assignment", "assessor", "topic", "round", "hit"),
        migrations.AlterField("batch", "kind", choice(10, "pairs", "docs", "answers")),
        migrations.AddField(
            "hit", "answers", reference("answerassignment", "crowd_hit", is_single=True, null=True)
        ),
        migrations.AddField("hit", "aspects", models.PositiveIntegerField(null=True)),
    ]
