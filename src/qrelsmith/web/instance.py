"""Where a campaign's app keeps what is its own: database, secrets, backups.

It is the folder `.qrelsmith` inside the campaign's, so that the campaign moves as one folder. The
secrets never leave it: exports and backups do not hold them.
"""

from __future__ import annotations

import os
import secrets
import time
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

from qrelsmith.base.errors import InputError
from qrelsmith.campaign.campaign import Campaign, read_campaign
from qrelsmith.campaign.campaign_folder import APP_FOLDER
from qrelsmith.campaign.server_settings import server_settings, variable_of
from qrelsmith.io.text import FilePath
from qrelsmith.web.database_url import Database, parse_database_url

VARIABLE = variable_of("database")
_SHORTEST = 32
# A process that has just made the secret's file may still have to write it.
_TIMES, _PAUSE_S = 20, 0.05


@dataclass(frozen=True)
class Instance:
    """Return the app of the campaign in a folder, with its configured database or SQLite.

    Attributes
    ----------
    campaign : Campaign
        Its settings and files.
    database : Database or None
        The PostgreSQL database; None: SQLite inside the folder.
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
        """Where it is kept of which campaign the database is; see `stamp`."""
        return self.folder / "identity"

    @property
    def moved(self) -> Path:
        """A file that is there once the app has had its database in PostgreSQL."""
        return self.folder / "postgresql"

    @property
    def schema(self) -> Path:
        """A file with the schema of an app that shares its PostgreSQL database with others."""
        return self.folder / "schema"

    @property
    def address(self) -> Path:
        """A file with the address under which the app was served last."""
        return self.folder / "address"

    @property
    def backups(self) -> Path:
        """Where backups go that nobody asked for by name."""
        return self.folder / "backups"

    @property
    def key(self) -> Path:
        """Where the secret is kept."""
        return self.folder / "secret.key"

    def lock_number(self, number: int) -> int:
        """Return the number of an advisory lock in PostgreSQL, another one in each schema."""
        schema = self.database.schema if self.database else ""
        return number + (zlib.crc32(schema.encode()) << 31) if schema else number

    def make_secret(self) -> bool:
        """Make the key that signs sessions and tokens, unless it is there; whether it was not.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self.key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as out:
                out.write(secrets.token_urlsafe(48) + "\n")
        except FileExistsError:
            return False
        except OSError as error:
            raise self._fault(error) from None
        return True

    def secret(self) -> str:
        """Return the key that signs sessions and tokens, made when it is first asked for.

        Raises
        ------
        InputError
            If it cannot be read or written.
        """
        self.make_secret()
        try:
            for _ in range(_TIMES):
                secret = self.key.read_text(encoding="ascii").strip()
                if len(secret) >= _SHORTEST:
                    return secret
                time.sleep(_PAUSE_S)
        except (OSError, UnicodeDecodeError) as error:
            raise self._fault(error) from None
        raise InputError("the app's secret is too short. Delete the file", path=self.key)

    def make_private(self, path: Path) -> None:
        """Make a file of the app's own folder, unless it is there, for its owner alone.

        Raises
        ------
        InputError
            If it cannot be made.
        """
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A database that is there is never opened but by SQLite: closing a file lets go of all
            # locks that this process has on it, and others would take its log away.
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
        """Make the SQLite database and what stands beside it files for their owner alone."""
        if self.database is not None:
            return
        # Those beside it take its rights, but an older version made them before.
        self.make_private(self.sqlite)
        for suffix in ("-wal", "-shm"):
            path = self.sqlite.with_name(self.sqlite.name + suffix)
            if path.exists():
                self.make_private(path)

    def _unwritable(self, path: Path, error: OSError) -> InputError:
        return InputError(f"cannot be written: {error.strerror or error}", path=path)

    def _fault(self, error: OSError | UnicodeDecodeError) -> InputError:
        reason = getattr(error, "strerror", None) or "it is no ASCII text"
        return InputError(f"the app's secret cannot be stored here: {reason}", path=self.key)


def find_instance(folder: FilePath) -> Instance:
    """Return the app of the campaign in a folder, with its configured database or SQLite.

    Raises
    ------
    InputError
        If there is no campaign, or its app has lived in PostgreSQL and no database is named.
    UsageError
        If what is named is no PostgreSQL database.
    """
    campaign = read_campaign(folder)
    url = server_settings(campaign.server).database
    instance = Instance(campaign, parse_database_url(url) if url else None)
    if instance.database is not None and instance.schema.exists():
        name = instance.schema.read_text(encoding="utf-8").strip()
        instance = replace(instance, database=instance.database.in_schema(name))
    if instance.database is None and instance.moved.exists():
        raise InputError(
            "the app's database is PostgreSQL, but its address is missing. Set "
            f"{VARIABLE}, or database in [server] of campaign.toml. To start again "
            "with SQLite, delete"
            f" {instance.moved}",
            path=campaign.folder,
        )
    return instance
