"""The one Django app of the project."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from qrelsmith.web.core.append_only import keep_append_only


class Web(AppConfig):
    """The judging app."""

    name = "qrelsmith.web"
    label = "qrelsmith_web"
    verbose_name = "qrelsmith"

    def ready(self) -> None:
        """Have the append-only tables guarded after every migration."""
        post_migrate.connect(keep_append_only, sender=self)
