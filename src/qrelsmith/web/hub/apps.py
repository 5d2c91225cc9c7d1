"""The Django app of the server of several campaigns, used together with a campaign's app."""

from __future__ import annotations

from django.apps import AppConfig


class Hub(AppConfig):
    """The server of several campaigns."""

    name = "qrelsmith.web.hub"
    label = "qrelsmith_hub"
    verbose_name = "qrelsmith server"
