from django.db import migrations, models

from qrelsmith.web.migrations._columns import choice, moment, reference, table, unique


class Migration(migrations.Migration):
    initial = True
    dependencies = [("qrelsmith_web", "0001_initial")]

    operations = [
        table(
            "HubCampaign",
            ("name", models.CharField(max_length=60, unique=True)),
            ("created_at", moment()),
            ("archived_at", models.DateTimeField(blank=True, null=True)),
            ("judged", models.PositiveIntegerField(default=0)),
            ("total", models.PositiveIntegerField(default=0)),
            ("counted_at", models.DateTimeField(blank=True, null=True)),
        ),
        table(
            "Member",
            (
                "campaign",
                models.ForeignKey(
                    on_delete=models.CASCADE, related_name="members", to="qrelsmith_hub.hubcampaign"
                ),
            ),
            ("account", reference("account", "memberships", delete=models.CASCADE)),
            ("role", choice(20, "admin", "organiser", "assessor", "viewer")),
            ("login", models.CharField(max_length=150)),
            ("created_at", moment()),
        ),
        unique("member", "one_role", "campaign", "account"),
        unique("member", "one_person", "campaign", "login"),
    ]
