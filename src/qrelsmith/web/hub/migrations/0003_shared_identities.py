from django.db import migrations

_COLUMNS = "account_id, issuer, subject, created_at"
_COPY = (
    f"INSERT INTO qrelsmith_web_identity ({_COLUMNS})"  # noqa: S608 - names of ours
    f" SELECT {_COLUMNS} FROM qrelsmith_hub_identity"
)


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_hub", "0002_identities"), ("qrelsmith_web", "0016_identities")]

    operations = [migrations.RunSQL(_COPY), migrations.DeleteModel("Identity")]
