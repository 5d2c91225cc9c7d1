from django.db import migrations, models

from qrelsmith.web.migrations._columns import unique


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0016_identities")]

    operations = [
        migrations.AddField("answerassignment", "round", models.PositiveIntegerField(default=1)),
        migrations.AddField(
            "answerassignment", "opened_at", models.DateTimeField(blank=True, null=True)
        ),
        migrations.RemoveConstraint("answerassignment", "one_answer_assignment"),
        unique("answerassignment", "one_answer_assignment", "assessor", "topic", "round"),
    ]
