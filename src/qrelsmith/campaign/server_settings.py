"""The table `[server]` of campaign.toml: database, address and proxy of the judging app.

Environment variables override the file, and command options override both.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from ipaddress import ip_address
from urllib.parse import urlsplit

from qrelsmith.base.errors import UsageError, quoted

# The environment variable of each key; other programs use the database's variable too.
VARIABLES = {"database": "DATABASE_URL"}
_PREFIX = "QRELSMITH_"
_MOST_THREADS = 64
_MOST_DAYS = 365
# One connection for a background job, and one for requests.
_FEWEST_CONNECTIONS, _MOST_CONNECTIONS = 2, 100


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Settings shared by all commands of the app.

    Attributes
    ----------
    database : str
        The address of a PostgreSQL database, without a password; empty: SQLite in the folder.
    public_url : str
        The app's URL for browsers behind a proxy.
    proxy : str
        The IP address of the proxy, whose X-Forwarded-For and X-Forwarded-Proto headers are
        trusted; empty: none is trusted.
    host, port
        The address and port on which the app listens.
    threads : int
        Number of requests that are processed in parallel.
    session_days : int
        Number of days until a login expires.
    connections : int
        Maximum number of connections of a process to PostgreSQL, besides one that marks the app as
        running.
    """

    database: str = ""
    public_url: str = ""
    proxy: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    threads: int = 8
    session_days: int = 14
    connections: int = 4

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise UsageError(f"port is {self.port}; expected 0 to 65535")
        if not 1 <= self.threads <= _MOST_THREADS:
            raise UsageError(f"threads is {self.threads}; expected 1 to {_MOST_THREADS}")
        if not 1 <= self.session_days <= _MOST_DAYS:
            raise UsageError(f"session_days is {self.session_days}; expected 1 to {_MOST_DAYS}")
        if not _FEWEST_CONNECTIONS <= self.connections <= _MOST_CONNECTIONS:
            raise UsageError(
                f"connections is {self.connections};"
                f" expected {_FEWEST_CONNECTIONS} to {_MOST_CONNECTIONS}"
            )
        try:
            _ = self.proxy and ip_address(self.proxy)
        except ValueError:
            raise UsageError(
                f"proxy is {quoted(self.proxy)}; expected the IP address of one proxy, "
                "because its X-Forwarded-For header is trusted"
            ) from None

    @property
    def address(self) -> str:
        """The app's URL: the public URL, or host and port."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"


def check_no_password(settings: ServerSettings) -> None:
    """Raise `UsageError` if a database address contains a password, which must not be in a file."""
    try:
        password = urlsplit(settings.database).password
    except ValueError:
        return
    if password:
        raise UsageError(
            "database contains a password; move it to DATABASE_URL, PGPASSWORD or ~/.pgpass"
        )


def server_settings(of_campaign: ServerSettings) -> ServerSettings:
    """Return the settings of a campaign, overridden by environment variables.

    Raises
    ------
    UsageError
        If the value of a variable is not allowed for its key.
    """
    values: dict[str, str | int] = {}
    for field in fields(ServerSettings):
        variable = variable_of(field.name)
        text = os.environ.get(variable, "")
        default = getattr(of_campaign, field.name)
        if text and isinstance(default, int):
            if not (text.isascii() and text.isdigit()):
                raise UsageError(f"{variable} is {quoted(text)}; expected a whole number")
            values[field.name] = int(text)
        else:
            values[field.name] = text or default
    return ServerSettings(**values)  # type: ignore[arg-type]


def variable_of(key: str) -> str:
    """Return the environment variable of a key.

    >>> variable_of("database"), variable_of("public_url")
    ('DATABASE_URL', 'QRELSMITH_PUBLIC_URL')
    """
    return VARIABLES.get(key, _PREFIX + key.upper())
