"""Replies kept in the campaign's folder: what was asked once is never asked again.

A reply is committed before anything is made of it. What was sent and is not answered stays in
`asked` with all that it may cost, so that a killed run's requests count as spent.
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
# Money is counted in whole billionths, so that sums are exact.
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
    """A reply as it is kept.

    Attributes
    ----------
    answer : str
        What was asked for, or a text that is not an answer; without the key in either.
    tokens_in, tokens_out : int or None
        As the endpoint counts them; None if it does not say.
    tokens, money : int
        What counts as spent: tokens, and billionths of the currency. More than the endpoint's
        count where it names none.
    latency_ms : int
        From sending to the last byte.
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
        Answered requests; requests that were sent and have no answer, which count as spent.
    tokens, money : int
        Of both together; money in billionths.
    """

    replies: int
    asked: int
    tokens: int
    money: int


@dataclass(frozen=True, slots=True)
class SessionCost:
    """The labels of a model by one prompt and one set of parameters, and their cost.

    Attributes
    ----------
    assessor, model, prompt, prompt_version, prompt_sha256, parameters
        Who was asked, and how; parameters as JSON.
    labels, errors : int
        Labels, and those that could not be had.
    replies, tokens, money : int
        Of all attempts for them, in whichever run; money in billionths.
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
    """The replies of a campaign; one run at a time has it, see `open_cache`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @property
    def connection(self) -> sqlite3.Connection:
        """The database that holds the replies."""
        return self._connection

    def find(self, digest: str) -> KeptReply | None:
        """Return the reply to a request, if there is one."""
        row = self._connection.execute(
            "SELECT answer, tokens_in, tokens_out, tokens, money, latency_ms FROM replies"
            " WHERE digest = ?",
            (digest,),
        ).fetchone()
        return None if row is None else KeptReply(*row)

    def digests(self) -> frozenset[str]:
        """Return the digests of all requests that have a reply."""
        rows = self._connection.execute("SELECT digest FROM replies")
        return frozenset(digest for (digest,) in rows)

    def note_asked(self, digest: str, *, tokens: int, money: int) -> int:
        """Note that a request goes out that may cost so much; the number of the note."""
        cursor = self._connection.execute(
            "INSERT INTO asked (digest, tokens, money) VALUES (?, ?, ?)", (digest, tokens, money)
        )
        return int(cursor.lastrowid or 0)

    def forget_asked(self, number: int) -> None:
        """Take a note back: the request was refused, or never left."""
        self._connection.execute("DELETE FROM asked WHERE number = ?", (number,))

    def keep(self, digest: str, reply: KeptReply, *, number: int) -> None:
        """Keep the reply to a request that was noted."""
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
        """Keep for which units a run of an assessor could have no label."""
        texts = [(assessor, json.dumps(key, ensure_ascii=False)) for key in units]
        with self._connection:
            self._connection.execute("BEGIN")
            self._connection.execute("DELETE FROM failures WHERE assessor = ?", (assessor,))
            self._connection.executemany("INSERT OR IGNORE INTO failures VALUES (?, ?)", texts)

    def failures(self) -> dict[str, int]:
        """Return how many labels of each assessor could not be had."""
        return dict(
            self._connection.execute("SELECT assessor, COUNT(*) FROM failures GROUP BY assessor")
        )

    def set_session(self, session: SessionCost) -> None:
        """Keep what labels of a model cost, in the place of what was kept of them."""
        self._connection.execute(
            "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            astuple(session),
        )

    def sessions(self) -> tuple[SessionCost, ...]:
        """Return the cost of the labels of each model, by assessor."""
        try:
            rows = self._connection.execute("SELECT * FROM sessions ORDER BY assessor, parameters")
            return tuple(SessionCost(*row) for row in rows)
        except sqlite3.OperationalError:  # kept by an earlier version
            return ()

    def _sums(self, table: str) -> tuple[int, int, int]:
        row = self._connection.execute(
            f"SELECT COUNT(*), COALESCE(SUM(tokens), 0), COALESCE(SUM(money), 0) FROM {table}"  # noqa: S608 - one of ours
        ).fetchone()
        return (int(row[0]), int(row[1]), int(row[2]))


@contextmanager
def open_cache(campaign: Path, *, is_shared: bool = False) -> Iterator[ReplyCache]:
    """Return the replies of a campaign's folder, for this process alone until the block ends.

    Parameters
    ----------
    campaign : path
        The campaign's folder.
    is_shared : bool
        Whether only to look, at what is there while another process asks.

    Raises
    ------
    InputError
        If another process has it, or it cannot be used.
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
    # What a process has written survives its end; a reply lost with the machine is asked again.
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
    """Hold a lock that the system lets go of when this process ends, however it does."""
    with closing(sqlite3.connect(lock, isolation_level=None, timeout=0)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise InputError(
                "another process is asking models for this campaign "
                f"({quoted(error)}). Wait until it ends",
                path=path,
            ) from None
        yield
