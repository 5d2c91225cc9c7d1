"""The only Django app of the project."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from qrelsmith.web.core.append_only import keep_append_only


class Web(AppConfig):
    """The judging app."""

    name = "qrelsmith.web"
    label = "qrelsmith_web"
    verbose_name = "qrelsmith"

    def ready(self) -> None:
        """Declare the kinds of judgment, and guard append-only tables after every migration."""
        rooms = iter_modules(self.module.__path__) if self.module else ()
        for room in sorted(each.name for each in rooms if each.ispkg):
            if find_spec(f"{self.name}.{room}.kind") is not None:
                import_module(f"{self.name}.{room}.kind")
        post_migrate.connect(keep_append_only, sender=self)
