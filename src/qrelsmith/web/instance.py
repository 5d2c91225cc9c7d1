"""The private files of a campaign's app: database, secrets, backups.

The files are in the folder `.qrelsmith` inside the campaign folder, so that the campaign moves as
one folder. Exports and backups do not contain the secrets.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

from qrelsmith.base.errors import InputError
from qrelsmith.campaign.campaign import Campaign, read_campaign
from qrelsmith.campaign.campaign_folder import APP_FOLDER
from qrelsmith.campaign.server_settings import server_settings, variable_of
from qrelsmith.io.text import FilePath
from qrelsmith.web.database_url import Database, parse_database_url
from qrelsmith.web.secret_file import make_secret, read_secret

VARIABLE = variable_of("database")


@dataclass(frozen=True)
class Instance:
    """The app of a campaign, with a PostgreSQL or SQLite database.

    Attributes
    ----------
    campaign : Campaign
        The campaign's settings and files.
    database : Database or None
        The PostgreSQL database; None: SQLite in the app's folder.
    """

    campaign: Campaign
    database: Database | None = None

    @property
    def folder(self) -> Path:
        """The app's own folder."""
        return self.campaign.folder / APP_FOLDER

    @property
    def sqlite(self) -> Path:
        """The SQLite database."""
        return self.folder / "app.sqlite3"

    @property
    def identity(self) -> Path:
        """The file that identifies the campaign of the database; see `stamp`."""
        return self.folder / "identity"

    @property
    def moved(self) -> Path:
        """A file that exists once the app's database has been in PostgreSQL."""
        return self.folder / "postgresql"

    @property
    def schema(self) -> Path:
        """A file with the schema name of an app that shares its PostgreSQL database."""
        return self.folder / "schema"

    @property
    def address(self) -> Path:
        """A file with the address under which the app was last served."""
        return self.folder / "address"

    @property
    def backups(self) -> Path:
        """The default folder for backups."""
        return self.folder / "backups"

    @property
    def key(self) -> Path:
        """The file with the secret key."""
        return self.folder / "secret.key"

    def lock_number(self, number: int) -> int:
        """Return the number of an advisory lock in PostgreSQL; numbers differ between schemas."""
        schema = self.database.schema if self.database else ""
        return number + (zlib.crc32(schema.encode()) << 31) if schema else number

    def make_secret(self) -> bool:
        """Create the key that signs sessions and tokens; return False if it already exists.

        Raises
        ------
        InputError
            If the key cannot be written.
        """
        return make_secret(self.key)

    def secret(self) -> str:
        """Return the key that signs sessions and tokens; create it on first use.

        Raises
        ------
        InputError
            If the key cannot be read or written.
        """
        self.make_secret()
        return read_secret(self.key)

    def make_private(self, path: Path) -> None:
        """Create a file in the app's folder unless it exists; only its owner can read it.

        Raises
        ------
        InputError
            If the file cannot be created.
        """
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Never open an existing database except through SQLite: closing the file would release
            # all locks that this process has on it, and other processes could delete its log.
            if not path.exists():
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            pass
        except OSError as error:
            raise self._unwritable(path, error) from None
        try:
            if path.stat().st_mode & 0o077:
                path.chmod(0o600)
        except OSError as error:
            raise self._unwritable(path, error) from None

    def protect_database(self) -> None:
        """Restrict the SQLite database and its companion files to their owner."""
        if self.database is not None:
            return
        # New companion files inherit the database's permissions, which an older version did not
        # restrict.
        self.make_private(self.sqlite)
        for suffix in ("-wal", "-shm"):
            path = self.sqlite.with_name(self.sqlite.name + suffix)
            if path.exists():
                self.make_private(path)

    def _unwritable(self, path: Path, error: OSError) -> InputError:
        return InputError(f"cannot be written: {error.strerror or error}", path=path)


def find_instance(folder: FilePath) -> Instance:
    """Return the app of the campaign in a folder, with its configured database or SQLite.

    Raises
    ------
    InputError
        If there is no campaign, or its app was moved to PostgreSQL and no database is configured.
    UsageError
        If the configured address is not that of a PostgreSQL database.
    """
    campaign = read_campaign(folder)
    url = server_settings(campaign.server).database
    instance = Instance(campaign, parse_database_url(url) if url else None)
    if instance.database is not None and instance.schema.exists():
        name = instance.schema.read_text(encoding="utf-8").strip()
        instance = replace(instance, database=instance.database.in_schema(name))
    if instance.database is None and instance.moved.exists():
        raise InputError(
            f"the app's database is PostgreSQL, but its address is missing. Set {VARIABLE}, or "
            "'database' in [server] of campaign.toml. To start again with SQLite, delete "
            f"{instance.moved}",
            path=campaign.folder,
        )
    return instance
