"""A cache of replies in the campaign's folder, so that no request is sent twice.

A reply is committed before it is used. Requests without an answer stay in the table `asked` with
their maximum cost, so that the requests of a killed run count as spent.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.campaign.campaign_folder import APP_FOLDER

FILE, LOCK = "replies.sqlite3", "replies.lock"
FORMAT = 1
# Money is an integer number of billionths, so that sums are exact.
BILLIONTHS = 10**9
_TABLES = """
CREATE TABLE IF NOT EXISTS replies (
    digest TEXT PRIMARY KEY, answer TEXT NOT NULL, tokens_in INTEGER, tokens_out INTEGER,
    tokens INTEGER NOT NULL, money INTEGER NOT NULL, latency_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asked (
    number INTEGER PRIMARY KEY, digest TEXT NOT NULL, tokens INTEGER NOT NULL,
    money INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS failures (
    assessor TEXT NOT NULL, units TEXT NOT NULL,
    PRIMARY KEY (assessor, units)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sessions (
    assessor TEXT, model TEXT, prompt TEXT, prompt_version INTEGER, prompt_sha256 TEXT,
    parameters TEXT, labels INTEGER, errors INTEGER, replies INTEGER, tokens INTEGER, money INTEGER,
    PRIMARY KEY (assessor, model, prompt_sha256, parameters)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class KeptReply:
    """A cached reply.

    Attributes
    ----------
    answer : str
        The requested answer, or a text that is not an answer; without the key in both cases.
    tokens_in, tokens_out : int or None
        The endpoint's counts; None if they are missing.
    tokens, money : int
        The amount spent: tokens, and billionths of the currency. If the endpoint gives no counts,
        these are the upper bounds.
    latency_ms : int
        Time from sending to the last byte.
    """

    answer: str
    tokens_in: int | None
    tokens_out: int | None
    tokens: int
    money: int
    latency_ms: int


@dataclass(frozen=True, slots=True)
class Spent:
    """The cost of a campaign's models so far.

    Attributes
    ----------
    replies, asked : int
        Number of answered requests, and of requests without an answer, which count as spent.
    tokens, money : int
        Total of all these requests; money in billionths.
    """

    replies: int
    asked: int
    tokens: int
    money: int


@dataclass(frozen=True, slots=True)
class SessionCost:
    """The number and cost of a model's labels with one prompt and one set of parameters.

    Attributes
    ----------
    assessor, model, prompt, prompt_version, prompt_sha256, parameters
        The assessor, model, prompt and parameters; parameters as JSON.
    labels, errors : int
        Number of labels, and of failed labels.
    replies, tokens, money : int
        Total of all attempts in all runs; money in billionths.
    """

    assessor: str
    model: str
    prompt: str
    prompt_version: int
    prompt_sha256: str
    parameters: str
    labels: int
    errors: int
    replies: int
    tokens: int
    money: int


class ReplyCache:
    """The replies of a campaign, used by one run at a time; see `open_cache`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @property
    def connection(self) -> sqlite3.Connection:
        """The database of replies."""
        return self._connection

    def find(self, digest: str) -> KeptReply | None:
        """Return the reply to a request, or None."""
        row = self._connection.execute(
            "SELECT answer, tokens_in, tokens_out, tokens, money, latency_ms FROM replies"
            " WHERE digest = ?",
            (digest,),
        ).fetchone()
        return None if row is None else KeptReply(*row)

    def digests(self) -> frozenset[str]:
        """Return the digests of all requests with a reply."""
        rows = self._connection.execute("SELECT digest FROM replies")
        return frozenset(digest for (digest,) in rows)

    def note_asked(self, digest: str, *, tokens: int, money: int) -> int:
        """Record a request with its maximum cost before it is sent; return the record's number."""
        cursor = self._connection.execute(
            "INSERT INTO asked (digest, tokens, money) VALUES (?, ?, ?)", (digest, tokens, money)
        )
        return int(cursor.lastrowid or 0)

    def forget_asked(self, number: int) -> None:
        """Delete the record of a request that was refused or not sent."""
        self._connection.execute("DELETE FROM asked WHERE number = ?", (number,))

    def keep(self, digest: str, reply: KeptReply, *, number: int) -> None:
        """Store the reply to a recorded request."""
        with self._connection:
            self._connection.execute("BEGIN")
            self.forget_asked(number)
            self._connection.execute(
                "INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?)",
                (digest, *astuple(reply)),
            )

    def spent(self) -> Spent:
        """Return the cost of all requests of the campaign."""
        replies, tokens, money = self._sums("replies")
        asked, others, more = self._sums("asked")
        return Spent(replies, asked, tokens + others, money + more)

    def set_failures(self, assessor: str, units: Iterable[tuple[str, ...]]) -> None:
        """Store which units still have no label at the end of an assessor's run."""
        texts = [(assessor, json.dumps(key, ensure_ascii=False)) for key in units]
        with self._connection:
            self._connection.execute("BEGIN")
            self._connection.execute("DELETE FROM failures WHERE assessor = ?", (assessor,))
            self._connection.executemany("INSERT OR IGNORE INTO failures VALUES (?, ?)", texts)

    def failures(self) -> dict[str, int]:
        """Return the number of failed labels for each assessor."""
        return dict(
            self._connection.execute("SELECT assessor, COUNT(*) FROM failures GROUP BY assessor")
        )

    def set_session(self, session: SessionCost) -> None:
        """Store the cost of a model's labels, replacing the stored cost."""
        self._connection.execute(
            "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            astuple(session),
        )

    def sessions(self) -> tuple[SessionCost, ...]:
        """Return the cost of the labels of each model, by assessor."""
        try:
            rows = self._connection.execute("SELECT * FROM sessions ORDER BY assessor, parameters")
            return tuple(SessionCost(*row) for row in rows)
        except sqlite3.OperationalError:  # stored by an earlier version
            return ()

    def _sums(self, table: str) -> tuple[int, int, int]:
        row = self._connection.execute(
            f"SELECT COUNT(*), COALESCE(SUM(tokens), 0), COALESCE(SUM(money), 0) FROM {table}"  # noqa: S608 - fixed names
        ).fetchone()
        return (int(row[0]), int(row[1]), int(row[2]))


@contextmanager
def open_cache(campaign: Path, *, is_shared: bool = False) -> Iterator[ReplyCache]:
    """Open the replies of a campaign's folder for exclusive use inside the block.

    Parameters
    ----------
    campaign : path
        The campaign's folder.
    is_shared : bool
        Whether to open read-only, even while another process sends requests.

    Raises
    ------
    InputError
        If another process uses the cache, or it is unusable.
    """
    folder = campaign / APP_FOLDER
    path = folder / FILE
    try:
        if is_shared:
            with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as opened:
                yield ReplyCache(opened)
            return
        folder.mkdir(mode=0o700, exist_ok=True)
        with _only_one(folder / LOCK, path), closing(_open_database(path)) as opened:
            yield ReplyCache(opened)
    except sqlite3.Error as error:
        raise InputError(f"the cached replies cannot be read: {error}", path=path) from None
    except OSError as error:
        raise InputError(f"cannot be used: {error.strerror or error}", path=path) from None


def _open_database(path: Path) -> sqlite3.Connection:
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    # Writes survive the end of the process. A reply lost by a crash of the machine is requested
    # again.
    connection.execute("PRAGMA synchronous = NORMAL")
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found not in (0, FORMAT):
        connection.close()
        raise InputError(f"the cached replies have format {found}; expected {FORMAT}", path=path)
    connection.executescript(_TABLES)
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    return connection


@contextmanager
def _only_one(lock: Path, path: Path) -> Iterator[None]:
    """Hold a lock that the system releases when this process ends for any reason."""
    with closing(sqlite3.connect(lock, isolation_level=None, timeout=0)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise InputError(
                "another process is sending requests for this campaign "
                f"({quoted(error)}). Wait until it ends",
                path=path,
            ) from None
        yield
