from typing import Any

from django.db import migrations

from qrelsmith.web.accounts.sessions import session_digest


def digest_sessions(apps: Any, editor: Any) -> None:
    """Replace session keys by digests: users stay logged in, but the database reveals no cookie."""
    sessions = apps.get_model("sessions", "Session").objects
    for key in list(sessions.values_list("session_key", flat=True)):
        sessions.filter(session_key=key).update(session_key=session_digest(key))


class Migration(migrations.Migration):
    dependencies = [("qrelsmith_web", "0006_closing"), ("sessions", "0001_initial")]

    operations = [migrations.RunPython(digest_sessions, migrations.RunPython.noop)]
