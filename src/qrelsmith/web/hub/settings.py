"""Django settings of the server: those of a campaign's app, with different routes and tables."""

from __future__ import annotations

from typing import Any

from qrelsmith.web import settings as of_app
from qrelsmith.web.accounts.openid_settings import openid_settings
from qrelsmith.web.settings import *  # noqa: F403 - Django reads settings from one module

# The server's templates come first, because they override parts of the app's templates.
INSTALLED_APPS = ["qrelsmith.web.hub.apps.Hub", *of_app.INSTALLED_APPS]
ROOT_URLCONF = "qrelsmith.web.hub.urls"


def hub_settings() -> dict[str, Any]:
    """Return the settings that differ from those of a campaign's app."""
    return {"INSTALLED_APPS": INSTALLED_APPS, "ROOT_URLCONF": ROOT_URLCONF} | openid_settings(
        creates_accounts=True
    )
