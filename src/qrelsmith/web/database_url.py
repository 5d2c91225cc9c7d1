"""`DATABASE_URL`: the address of a PostgreSQL database."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, unquote, urlsplit

from qrelsmith.base.errors import UsageError

_EXPECTED = "expected postgresql://USER:PASSWORD@HOST:PORT/NAME"


@dataclass(frozen=True, slots=True)
class Database:
    """A PostgreSQL database; its printed form hides the password."""

    name: str
    host: str = ""
    port: int | None = None
    user: str = ""
    password: str = field(default="", repr=False)
    options: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    schema: str = ""

    def in_schema(self, name: str) -> Database:
        """Return this database restricted to one of its schemas."""
        options = dict(self.options)
        options["options"] = f"{options.get('options', '')} -csearch_path={name}".strip()
        return replace(self, options=tuple(options.items()), schema=name)


def parse_database_url(url: str) -> Database:
    """Return the database at a URL; errors do not show the URL, because it may contain a password.

    Raises
    ------
    UsageError
        If the text is not the URL of a PostgreSQL database.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UsageError(f"DATABASE_URL cannot be read; {_EXPECTED}") from None
    if parts.scheme not in ("postgresql", "postgres"):
        raise UsageError(f"DATABASE_URL has the scheme {parts.scheme[:20]!r}; {_EXPECTED}")
    name = unquote(parts.path.removeprefix("/"))
    if not name or "/" in name:
        raise UsageError(
            f"DATABASE_URL has no database name; {_EXPECTED}. In a password, write @ as %40 and / "
            "as %2F"
        )
    return Database(
        name=name,
        host=unquote(parts.hostname or ""),
        port=port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        options=tuple(parse_qsl(parts.query)),
    )
