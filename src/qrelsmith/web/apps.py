"""The one Django app of the project."""

from __future__ import annotations

from django.apps import AppConfig


class Web(AppConfig):
    """The judging app."""

    name = "qrelsmith.web"
    label = "qrelsmith_web"
    verbose_name = "qrelsmith"
