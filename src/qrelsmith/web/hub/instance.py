"""The server's files and database, next to the folders of its campaigns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.campaign_folder import APP_FOLDER, SETTINGS
from qrelsmith.campaign.server_settings import ServerSettings, server_settings
from qrelsmith.web.database_url import parse_database_url
from qrelsmith.web.instance import Instance

# Differs from the name of a campaign's database, to tell a server's folder from a campaign.
_DATABASE = "server.sqlite3"
_SCHEMA = "qrelsmith_server"


@dataclass(frozen=True)
class HubInstance(Instance):
    """The server of the campaigns in a folder, with the interface of a campaign's instance."""

    @property
    def sqlite(self) -> Path:
        """The SQLite database of accounts and roles."""
        return self.folder / _DATABASE


def find_hub(folder: Path) -> HubInstance:
    """Return the server of a folder, with the database from the environment or SQLite.

    Raises
    ------
    UsageError
        If an environment variable is malformed.
    """
    settings = server_settings(ServerSettings())
    campaign = Campaign(folder, title=folder.resolve().name, server=settings)
    database = parse_database_url(settings.database) if settings.database else None
    return HubInstance(campaign, database.in_schema(_SCHEMA) if database else None)


def is_hub(folder: Path) -> bool:
    """Return whether a folder is served as a folder of campaigns.

    Such a folder contains folders with a campaign.toml, was served as a folder of campaigns before,
    or is empty.
    """
    # A missing folder is more likely a typing error than a folder to create.
    if (folder / SETTINGS).exists() or not folder.is_dir():
        return False
    if (folder / APP_FOLDER / _DATABASE).exists():
        return True
    entries = list(folder.iterdir())
    return not entries or any((entry / SETTINGS).is_file() for entry in entries)
