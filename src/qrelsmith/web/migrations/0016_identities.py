from django.db import migrations, models

from qrelsmith.web.migrations._columns import moment, reference, table, unique


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0015_jobs")]

    operations = [
        table(
            "Identity",
            ("account", reference("account", "identities", delete=models.CASCADE)),
            ("issuer", models.CharField(max_length=500)),
            ("subject", models.CharField(max_length=255)),
            ("created_at", moment()),
        ),
        unique("identity", "one_account_of_identity", "issuer", "subject"),
    ]
