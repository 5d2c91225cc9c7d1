"""Campaigns, the app on SQLite and on PostgreSQL, and servers as processes of their own."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

pytest.importorskip("django", reason="needs the extra web")

from django.contrib.auth.hashers import ScryptPasswordHasher

# How hard passwords are to guess is not what is tested.
ScryptPasswordHasher.work_factor = 2

TOML = """\
format = 1
title = "A small campaign"

[scale]
levels = [
  { grade = 0, label = "not relevant", text = "Does not help." },
  { grade = 1, label = "relevant", text = "Helps." },
  { grade = 2, label = "highly relevant", text = "Answers." },
]

[judging]
instructions = "Read the topic first."

[groups.bronze]
role = "bronze"
assessors = ["b1", "b2"]
per_doc = 2
"""


def write_campaign(
    folder: Path, *, topics: int = 2, docs: int = 6, toml: str = TOML, words: int = 20
) -> Path:
    """A campaign whose topics all have the same docs, half of them text and half HTML."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pools").mkdir(exist_ok=True)
    (folder / "campaign.toml").write_text(toml, encoding="utf-8")
    (folder / "topics.jsonl").write_text(
        "".join(
            json.dumps({"topic": f"q{n}", "title": f"topic {n}", "description": "What is it?"})
            + "\n"
            for n in range(1, topics + 1)
        ),
        encoding="utf-8",
    )
    body = "word " * words
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as out:
        for n in range(docs):
            doc = {"doc_id": f"d{n:05}", "title": f"Doc {n}"}
            doc |= {"html": f"<p>{body} {n}</p>"} if n % 2 else {"text": f"{body} {n}"}
            out.write(json.dumps(doc) + "\n")
    with (folder / "pools" / "prioritised.pool").open("w", encoding="utf-8") as out:
        out.write("# pool format=1 ordering=prioritised depth=30 seed=0\n")
        for topic in range(1, topics + 1):
            for n in range(docs):
                out.write(f"q{topic} d{n:05} {n + 1}\n")
    return folder


@pytest.fixture(scope="session")
def make_campaign() -> Callable[..., Path]:
    """`write_campaign`: a campaign of as many topics and docs as a test wants."""
    return write_campaign


# --- PostgreSQL ---------------------------------------------------------------------------------


class Postgres:
    """A PostgreSQL server of our own.

    Attributes
    ----------
    url : str
        Its URL without a database's name.
    """

    def __init__(self, *, is_durable: bool = False) -> None:
        programs = _postgres_programs()
        if programs is None:
            pytest.skip(
                "needs PostgreSQL's server (Debian's package postgresql), which is not here"
            )
        pytest.importorskip("psycopg", reason="needs the extra postgres")
        is_root = os.geteuid() == 0
        if is_root and subprocess.run(["id", "postgres"], capture_output=True).returncode:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        user = ["runuser", "-u", "postgres", "--"] if is_root else []
        self.folder = Path(tempfile.mkdtemp(prefix="qrelsmith-postgres-"))
        if is_root:
            shutil.chown(self.folder, "postgres")
        data = self.folder / "data"
        subprocess.run(
            [*user, programs / "initdb", "-D", data, "-U", "qrelsmith", "-A", "trust", "-N",
             "-E", "UTF8", "--locale=C"],
            check=True, capture_output=True, cwd=self.folder,
        )  # fmt: skip
        port = _free_port()
        # Without fsync: whether PostgreSQL itself survives a power cut is not what is tested.
        self._command = [
            *user, programs / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port),
            "-k", self.folder, "-c", f"fsync={'on' if is_durable else 'off'}",
            "-c", "max_connections=120",
        ]  # fmt: skip
        self.url = f"postgresql://qrelsmith@127.0.0.1:{port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen(
            self._command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _wait_for_postgres(self.url, self._process)

    def stop_at_once(self) -> None:
        """End it as `pg_ctl stop -m immediate` does: nothing is written any more."""
        _end_postgres(self.folder, self._process)

    def remove(self) -> None:
        """End it, and throw away what it holds."""
        if hasattr(self, "_process"):
            self.stop_at_once()
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server of our own, without the database's name."""
    server = Postgres()
    try:
        server.start()
        yield server.url
    finally:
        server.remove()


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for one test, which may stop it; it keeps what it has acknowledged."""
    server = Postgres(is_durable=True)
    try:
        server.start()
        yield server
    finally:
        _disconnect()
        server.remove()


@contextmanager
def _database(server: str, *, template: str = "template1") -> Iterator[str]:
    """A new database of a server, as its template is; its URL."""
    import psycopg

    name = f"q{time.monotonic_ns()}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    try:
        yield f"{server}/{name}"
    finally:
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _postgres_programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    which = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(which).resolve().parent if which else None


def _wait_for_postgres(url: str, process: subprocess.Popen[bytes]) -> None:
    import psycopg

    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"PostgreSQL ended with {process.returncode}")
        try:
            psycopg.connect(f"{url}/postgres").close()
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("PostgreSQL did not start in 120 seconds")


def _end_postgres(folder: Path, process: subprocess.Popen[bytes]) -> None:
    """End the server by the process id that it wrote: with runuser it is not our child."""
    try:
        pid = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGQUIT)  # at once: what it holds is thrown away
        process.wait(timeout=20)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        process.kill()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


# --- The app in this process --------------------------------------------------------------------


class App:
    """The app of a campaign, set up in this process; only one at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def account(self, login: str, *, role: str = "assessor") -> Any:
        """An account; an assessor's is called like the assessor."""
        from qrelsmith.web.models import Account, Assessor

        assessor = Assessor.objects.get_or_create(name=login)[0] if role == "assessor" else None
        found = Account.objects.filter(login=login).first()
        return found or Account.objects.create(login=login, role=role, assessor=assessor)

    def client(self, login: str = "", *, role: str = "assessor", csrf: bool = False) -> Any:
        """Django's test client, logged in unless no name is given."""
        from django.test import Client

        client = Client(
            enforce_csrf_checks=csrf, raise_request_exception=False, headers={"host": "127.0.0.1"}
        )
        if login:
            client.force_login(
                self.account(login, role=role),
                backend="qrelsmith.web.accounts.login.AccountBackend",
            )
        return client


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def database(request: pytest.FixtureRequest) -> str:
    """Both databases in turn; `dev.py test` has SQLite alone."""
    name: str = request.param
    return name


@pytest.fixture
def database_url(
    request: pytest.FixtureRequest, database: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Both databases in turn, empty, as `DATABASE_URL`; that is empty for SQLite."""
    if database == "sqlite":
        yield ""
        return
    with _database(request.getfixturevalue("postgres")) as url:
        monkeypatch.setenv("DATABASE_URL", url)
        yield url
        _disconnect()


@pytest.fixture
def fresh_database(postgres: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty database of PostgreSQL, as `DATABASE_URL`."""
    with _database(postgres) as url:
        monkeypatch.setenv("DATABASE_URL", url)
        yield url
        _disconnect()


@contextmanager
def opened_app(folder: Path, *, is_ready: bool = False) -> Iterator[App]:
    """The app of a campaign; its database is prepared unless it is ready."""
    from qrelsmith.web.instance import find_instance
    from qrelsmith.web.project import use

    use(find_instance(folder))
    if not is_ready:
        from qrelsmith.web.serving.start import prepare

        prepare()
    try:
        yield App(folder)
    finally:
        _disconnect()


@pytest.fixture
def let_go() -> Iterator[None]:
    """Leave a database that a command in this process has opened."""
    yield
    _disconnect()


def _disconnect() -> None:
    from django.conf import settings
    from django.db import connections

    if settings.configured:  # not so where all of the app was in other processes
        connections.close_all()


@pytest.fixture(scope="session")
def open_app() -> Callable[..., Any]:
    """`opened_app`: the app of whatever campaign a test has written."""
    return opened_app


@pytest.fixture(scope="session")
def ready_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small campaign whose app is ready on SQLite; to be copied, not to be used."""
    folder = write_campaign(tmp_path_factory.mktemp("ready") / "campaign")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DATABASE_URL", raising=False)
        with opened_app(folder):
            pass
    return folder


@pytest.fixture(scope="session")
def blank_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same campaign, its SQLite database with tables, but nothing in them; to be copied."""
    folder = write_campaign(tmp_path_factory.mktemp("blank") / "campaign")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DATABASE_URL", raising=False)
        _migrate(folder)
    return folder


@pytest.fixture(scope="session")
def ready_database(
    postgres: str, ready_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The name of a database in which the app of `ready_folder` is ready; a template."""
    folder = tmp_path_factory.mktemp("moved") / "campaign"
    # A folder whose app was in PostgreSQL once opens no SQLite: the one to be copied must not be.
    shutil.copytree(ready_folder, folder)
    with _database(postgres) as url:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DATABASE_URL", url)
            with opened_app(folder):
                pass
        yield url.rpartition("/")[2]


@pytest.fixture(scope="session")
def blank_database(postgres: str, blank_folder: Path) -> Iterator[str]:
    """The name of a database with tables, but nothing in them; a template."""
    with _database(postgres) as url:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DATABASE_URL", url)
            _migrate(blank_folder)
        yield url.rpartition("/")[2]


def _migrate(folder: Path) -> None:
    from qrelsmith.web.instance import find_instance
    from qrelsmith.web.project import migrate, use

    use(find_instance(folder))
    migrate()
    _disconnect()


@contextmanager
def _copied(
    request: pytest.FixtureRequest, kind: str, tmp_path: Path, *, on: str
) -> Iterator[Path]:
    """A copy of the `ready` or the `blank` campaign, on SQLite or PostgreSQL."""
    folder = tmp_path / "campaign"
    shutil.copytree(request.getfixturevalue(f"{kind}_folder"), folder)
    if on == "sqlite":
        yield folder
        return
    template: str = request.getfixturevalue(f"{kind}_database")
    server: str = request.getfixturevalue("postgres")
    with _database(server, template=template) as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", url)
        yield folder
        _disconnect()


@pytest.fixture
def copied_app(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Any]:
    """A function that opens a copy of a campaign whose app is ready.

    Session fixtures `KIND_folder` and `KIND_database` say what is copied: the folder with its
    SQLite database, and the name of a database of PostgreSQL.
    """

    @contextmanager
    def copied(kind: str, *, on: str) -> Iterator[App]:
        with (
            _copied(request, kind, tmp_path, on=on) as folder,
            opened_app(folder, is_ready=True) as opened,
        ):
            yield opened

    return copied


@pytest.fixture(scope="session")
def make_database(postgres: str) -> Callable[[], Any]:
    """A function that makes a database of PostgreSQL, for a while; its URL."""
    return lambda: _database(postgres)


@pytest.fixture
def lite_app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[App]:
    """The app of a small campaign on SQLite, for what does not touch a database's ways."""
    with (
        _copied(request, "ready", tmp_path, on="sqlite") as folder,
        opened_app(folder, is_ready=True) as opened,
    ):
        yield opened


@pytest.fixture
def app(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> Iterator[App]:
    """The app of a small campaign, on both databases in turn."""
    with (
        _copied(request, "ready", tmp_path, on=database) as folder,
        opened_app(folder, is_ready=True) as opened,
    ):
        yield opened


@pytest.fixture
def blank(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> Iterator[Path]:
    """A small campaign that nobody has imported yet, on both databases in turn."""
    with _copied(request, "blank", tmp_path, on=database) as folder:
        yield folder


@pytest.fixture(scope="session")
def give_tables(blank_folder: Path) -> Callable[[Path], Path]:
    """A function that gives a campaign's folder a SQLite database with tables; the folder."""

    def give(folder: Path) -> Path:
        target = folder / ".qrelsmith"
        target.mkdir(mode=0o700)
        shutil.copyfile(blank_folder / ".qrelsmith" / "app.sqlite3", target / "app.sqlite3")
        return folder

    return give


@dataclass
class Judge:
    """An assessor at work on an assignment, through the functions that the views call."""

    assessor: Any
    assignment: Any
    count: int = 0

    def doc(self, position: int) -> Any:
        from qrelsmith.web.graded.assigned import docs_of

        return docs_of(self.assignment).get(position=position)

    def judge(self, position: int, value: float, **more: Any) -> Any:
        from qrelsmith.web.core.submissions import JudgmentSubmission
        from qrelsmith.web.graded.events import judge

        doc = self.doc(position)
        self.count += 1
        given = {
            "op_id": f"operation-{self.assignment.pk}-{self.count:06}",
            "assigned": doc.pk,
            "value": value,
            "sha256": doc.current_sha256,
            "base_revision": doc.revision,
        } | more
        return judge(JudgmentSubmission(**given), self.assignment.pk, assessor=self.assessor)

    def undo(self, op_id: str = "") -> Any:
        from qrelsmith.web.graded.events import undo

        self.count += 1
        op_id = op_id or f"operation-{self.assignment.pk}-{self.count:06}"
        return undo(op_id, self.assignment.pk, assessor=self.assessor)

    def values(self) -> list[float | None]:
        from qrelsmith.web.graded.assigned import docs_of

        return [doc.value for doc in docs_of(self.assignment)]


@pytest.fixture(scope="session")
def at_work() -> Callable[..., Judge]:
    def start(app: Any, name: str = "b1", topic: str = "q1") -> Judge:
        from qrelsmith.web.models import Assignment

        app.account(name)
        assignment = Assignment.objects.get(assessor__name=name, topic__name=topic, round=1)
        return Judge(assignment.assessor, assignment)

    return start


# --- Preferences --------------------------------------------------------------------------------


def open_contests(app: App, *, grades: dict[str, int] | None = None, **settings: Any) -> list[Any]:
    """Have pairs judged in a campaign; its contests, by topic.

    Every topic has the same grades: the docs of the pool, 1 for each unless `grades` says.
    """
    from dataclasses import replace

    from qrelsmith.campaign.campaign import write_campaign_toml
    from qrelsmith.campaign.preference_settings import PreferenceJudging
    from qrelsmith.web.instance import find_instance
    from qrelsmith.web.models import Contest, Topic
    from qrelsmith.web.pairs.contests import open_contests
    from qrelsmith.web.project import use

    given = grades or {f"d{n:05}": 1 for n in range(6)}
    lines = [
        f"{topic} 0 {doc} {grade}\n"
        for topic in Topic.objects.values_list("name", flat=True)
        for doc, grade in given.items()
    ]
    (app.folder / "qrels").mkdir(exist_ok=True)
    (app.folder / "qrels" / "thin.qrels").write_text("".join(lines), encoding="utf-8")
    campaign = find_instance(app.folder).campaign
    chosen = {"scheduler": "tournament", "k": 2, "source": "qrels/thin.qrels"} | settings
    write_campaign_toml(replace(campaign, preference_judging=PreferenceJudging(**chosen)))
    use(find_instance(app.folder))
    open_contests(find_instance(app.folder).campaign)
    return list(Contest.objects.select_related("topic", "assessor").order_by("topic__name"))


@pytest.fixture(scope="session")
def contests_of() -> Callable[..., list[Any]]:
    """`open_contests`: the contests of an app, opened with the settings that a test wants."""
    return open_contests


@dataclass
class Comparer:
    """An assessor who compares pairs, through the functions that the views call."""

    assessor: Any
    contest: Any
    count: int = 0

    def next(self) -> Any:
        """The pair that is to be answered now, if there is one."""
        from qrelsmith.web.pairs.claims import next_pair

        self.contest.refresh_from_db()
        return next_pair(self.contest, self.assessor)

    def answer(self, task: Any, outcome: int, **more: Any) -> Any:
        from qrelsmith.web.core.submissions import PairSubmission
        from qrelsmith.web.models import DocVersion
        from qrelsmith.web.pairs.events import judge_pair

        digests = dict(DocVersion.objects.values_list("doc", "sha256"))
        given = {
            "op_id": self.op_id(),
            "pair": task.pk,
            "outcome": outcome,
            "left_sha256": digests[task.left_id],
            "right_sha256": digests[task.right_id],
            "base_revision": task.revision,
        } | more
        return judge_pair(PairSubmission(**given), self.contest.pk, assessor=self.assessor)

    def undo(self, op_id: str = "") -> Any:
        from qrelsmith.web.pairs.events import undo_pair

        return undo_pair(op_id or self.op_id(), self.contest.pk, assessor=self.assessor)

    def op_id(self) -> str:
        self.count += 1
        return f"comparison-{self.assessor.pk}-{self.contest.pk}-{self.count:06}"


@pytest.fixture(scope="session")
def comparing() -> Callable[..., Comparer]:
    """A function that sets an assessor to work on a contest."""

    def start(app: App, name: str, contest: Any) -> Comparer:
        from qrelsmith.web.models import Assessor

        app.account(name)
        return Comparer(Assessor.objects.get(name=name), contest)

    return start


# --- Models that judge ---------------------------------------------------------------------------


def add_model(folder: Path, name: str = "gpt-x") -> None:
    """Put a model into the groups of a campaign that may be judged already, and import it."""
    from qrelsmith.web.importing.campaign import import_campaign
    from qrelsmith.web.instance import find_instance
    from qrelsmith.web.project import current_instance, use

    with (folder / "campaign.toml").open("a", encoding="utf-8") as out:
        out.write(f'\n[groups.llm]\nrole = "llm"\nassessors = ["{name}"]\n')
    use(find_instance(folder))
    import_campaign(current_instance().campaign)


class Model:
    """A program that judges with a token, in this process."""

    def __init__(self, client: Any, token: str) -> None:
        self.client = client
        self.token = token
        self.count = 0

    def get(self, path: str) -> Any:
        return self.client.get(path, headers=self._headers())

    def send(self, body: Any) -> Any:
        """Post a body as it is, JSON or not."""
        content = body if isinstance(body, (bytes, str)) else json.dumps(body)
        return self.client.post(
            "/api/judgments", content, content_type="application/json", headers=self._headers()
        )

    def judge(self, *judgments: dict[str, Any], prompt: str = "Is it relevant?") -> Any:
        """Post judgments; topic, op_id and grade need not be given."""
        return self.send(self.batch(*judgments, prompt=prompt))

    def batch(self, *judgments: dict[str, Any], prompt: str = "Is it relevant?") -> dict[str, Any]:
        self.count += 1
        given = [
            {"op_id": f"batch-{self.count}-{n}", "topic": "q1", "grade": 1} | each
            for n, each in enumerate(judgments)
        ]
        return {"setting": {"model": "gpt-x-1", "prompt": prompt}, "judgments": given}

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


@pytest.fixture(scope="session")
def make_model() -> Callable[..., Model]:
    """A function that adds a model assessor with a token to an app."""

    def make(app: App, name: str = "gpt-x", **wanted: Any) -> Model:
        from qrelsmith.web.accounts.tokens import make_token
        from qrelsmith.web.models import Assessor

        if not Assessor.objects.filter(name=name).exists():
            add_model(app.folder, name)
        return Model(app.client(), make_token(Assessor.objects.get(name=name), **wanted))

    return make


@pytest.fixture
def model(app: App, make_model: Callable[..., Model]) -> Model:
    """The model `gpt-x` with a token, on both databases in turn."""
    return make_model(app)


@pytest.fixture
def lite_model(lite_app: App, make_model: Callable[..., Model]) -> Model:
    """The same on SQLite."""
    return make_model(lite_app)


# --- The app as a process -----------------------------------------------------------------------


@dataclass(frozen=True)
class Login:
    """An open session.

    Attributes
    ----------
    cookie : str
        The value of the header `Cookie`.
    csrf : str
        The value of the header `X-CSRFToken`.
    """

    cookie: str
    csrf: str


@pytest.fixture
def log_in() -> Iterator[Callable[..., list[Login]]]:
    """A function that opens sessions for assessors of a served campaign, without the form."""

    def opened(folder: Path, *assessors: str) -> list[Login]:
        from qrelsmith.web.instance import find_instance
        from qrelsmith.web.project import use

        use(find_instance(folder))
        app = App(folder)
        return [_open_session(app.account(name)) for name in assessors]

    yield opened
    _disconnect()


def _open_session(account: Any) -> Login:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.middleware.csrf import CSRF_SESSION_KEY

    from qrelsmith.web.accounts.sessions import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(account.pk)
    session[BACKEND_SESSION_KEY] = "qrelsmith.web.accounts.login.AccountBackend"
    session[HASH_SESSION_KEY] = account.get_session_auth_hash()
    session[CSRF_SESSION_KEY] = secrets.token_hex(16)
    session.create()
    return Login(f"qrelsmith_session={session.session_key}", session[CSRF_SESSION_KEY])


class Browser:
    """A connection of one person to a server; it speaks JSON."""

    def __init__(self, url: str, login: Login) -> None:
        self._host = url.removeprefix("http://")
        self._headers = {
            "Cookie": login.cookie,
            "X-CSRFToken": login.csrf,
            "Content-Type": "application/json",
        }
        self._connection: http.client.HTTPConnection | None = None

    def get(self, path: str) -> Any:
        """The JSON at a path."""
        status, body = self.send("GET", path)
        assert status == 200, body
        return body

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Status and JSON of the answer."""
        return self.send("POST", path, body)

    def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        """Send a request and wait for the answer."""
        self.shoot(method, path, body)
        assert self._connection is not None
        answer = self._connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content)

    def shoot(self, method: str, path: str, body: dict[str, Any] | None = None) -> None:
        """Send a request without waiting for the answer."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._host, timeout=30)
        content = None if body is None else json.dumps(body)
        self._connection.request(method, path, content, self._headers)

    def hang_up(self) -> None:
        """Close the connection, whatever is on its way."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@pytest.fixture
def browser() -> Iterator[Callable[[str, Login], Browser]]:
    """A function that opens a `Browser`; all are closed after the test."""
    opened: list[Browser] = []

    def make(url: str, login: Login) -> Browser:
        opened.append(Browser(url, login))
        return opened[-1]

    yield make
    for each in opened:
        each.hang_up()


class Server:
    """`qrelsmith serve` as a process.

    Attributes
    ----------
    url : str
        Where it listens.
    said : list of str
        What it printed before it listened.
    """

    def __init__(self, folder: Path, *, database_url: str = "", port: int = 0) -> None:
        self.folder = folder
        self._environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
        if database_url:
            self._environment["DATABASE_URL"] = database_url
        self.log = (folder / "server.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "qrelsmith", "serve", str(folder), "--port", str(port)],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env=self._environment,
        )  # fmt: skip
        self.said: list[str] = []
        self.url = self._address()

    def invite(self, role: str = "assessor", assessor: str = "b1") -> str:
        """The address of an invite."""
        named = ["--assessor", assessor] if role == "assessor" else []
        return self.run("invite", "--role", role, *named, "--url", self.url).strip()

    def run(self, command: str, *arguments: str) -> str:
        """What a command of qrelsmith, or one of a group, on this campaign prints."""
        done = subprocess.run(
            [sys.executable, "-m", "qrelsmith", *command.split(), str(self.folder), *arguments],
            capture_output=True, text=True, env=self._environment,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def kill(self) -> None:
        """SIGKILL: no handler runs, nothing is flushed."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """End the server as systemd does: an interrupt is ignored below a job in the background."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.kill()
        self.log.close()
        if self.process.stdout:
            self.process.stdout.close()

    def _address(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))
            found = re.search(r"Listening at (\S+)", line)
            if found:
                return found[1]
        pytest.fail(f"the server ended with {self.process.wait()}; see {self.log.name}")


@pytest.fixture(autouse=True)
def without_database_url() -> Iterator[None]:
    """A test that asks for no database gets SQLite, and leaves nothing behind for the next one.

    It does not use `monkeypatch`: that is undone before this is, so what a test changed through it
    while another fixture had set a database would come back.
    """
    before = os.environ.pop("DATABASE_URL", None)
    yield
    os.environ.pop("DATABASE_URL", None)
    if before is not None:
        os.environ["DATABASE_URL"] = before


@pytest.fixture
def start_server() -> Iterator[Callable[..., Server]]:
    """A function that starts a server of a campaign; all are ended after the test."""
    servers: list[Server] = []

    def start(folder: Path, *, database_url: str = "", port: int = 0) -> Server:
        servers.append(Server(folder, database_url=database_url, port=port))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


# --- Races --------------------------------------------------------------------------------------

# As long as an answer takes, so that the other one comes at every moment of it.
_SPREAD_S = 0.012


def overlapping(
    first: Callable[[], Any], second: Callable[[], Any], rng: random.Random
) -> list[Any]:
    """What comes of two operations that overlap: their results, or how they were refused."""
    from django.db import connections

    from qrelsmith.web.core.submissions import RefusedError
    from qrelsmith.web.crowd.finishing import UnfinishedError

    results: list[Any] = [None, None]
    barrier = Barrier(2)
    waits = (rng.random() * _SPREAD_S, rng.random() * _SPREAD_S)

    def run(place: int, work: Callable[[], Any]) -> None:
        try:
            barrier.wait(timeout=30)
            time.sleep(waits[place])
            results[place] = work()
        except (RefusedError, UnfinishedError) as error:
            results[place] = error
        finally:
            connections.close_all()

    threads = [
        Thread(target=run, args=(n, work), daemon=True) for n, work in enumerate((first, second))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive(), "one of two operations waits for ever"
    return results


@pytest.fixture(scope="session")
def race() -> Callable[..., list[Any]]:
    """`overlapping`: two operations at the same moment."""
    return overlapping


@pytest.fixture(scope="session")
def tries() -> int:
    """How often a race is run: a few times, or as often as `benchmarks/races.py` says."""
    return int(os.environ.get("QRELSMITH_TRIES", "4"))
