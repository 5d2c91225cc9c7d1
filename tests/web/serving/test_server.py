"""`qrelsmith serve` as a process: its start, its log, several processes at once."""

from __future__ import annotations

import csv
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection, connections
from tests.web.conftest import real_database_settings

from qrelsmith.base.errors import UsageError
from qrelsmith.base.installation import install_command
from qrelsmith.cli import run
from qrelsmith.web.core.database import writing
from qrelsmith.web.database_url import Database, parse_database_url
from qrelsmith.web.instance import find_instance
from qrelsmith.web.models import Account, Assessor, Invite
from qrelsmith.web.settings import settings_of


def fetched(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url) as answer:  # noqa: S310 - our own server
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_the_first_start_prints_an_admins_invite_and_the_next_one_says_that_it_is_pending(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    start_server: Callable[..., Any],
    open_app: Callable[..., Any],
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    first = start_server(folder, makes_tables=True)
    assert first.said[0].startswith(f"Create the admin account here: {first.url}/invite#")
    assert fetched(f"{first.url}/health") == (200, "ok\n")
    old = first.said[0].split()[-1]
    assert fetched(old)[0] == 200
    first.close()
    again = start_server(folder)
    assert again.said[0].endswith(f"run qrelsmith app invite {folder} --role admin")
    assert again.said[1].startswith(f"Replace {first.url} with {again.url} in links")
    with open_app(folder, is_ready=True) as app:
        token = {"token": old.partition("#")[2]}
        assert app.client().post("/invite", token).status_code == 200


def test_a_quiet_start_prints_no_invite_but_logs_requests(
    tmp_path: Path, make_campaign: Any, give_tables: Any
) -> None:
    folder = give_tables(make_campaign(tmp_path / "campaign"))
    with subprocess.Popen(
        [sys.executable, "-m", "qrelsmith", "serve", str(folder), "--port", "0", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        assert said.startswith("Listening at ")
        assert fetched(f"{said.split()[-1]}/login")[0] == 200
        server.terminate()
        logged = [json.loads(line) for line in server.communicate()[1].splitlines()]
    assert [line["view"] for line in logged if line.get("status") == 200] == ["login"]


def test_the_log_is_json_and_contains_no_token_no_label_no_word(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    start_server: Callable[..., Any],
    log_in: Callable[..., Any],
    browser: Callable[..., Any],
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    server = start_server(folder)
    login = log_in(folder, "b1")[0]
    page = browser(server.url, login)
    invite = server.invite("viewer")
    assert fetched(invite)[0] == 200
    assert fetched(f"{server.url}/no/such/page")[0] == 404
    assignment = page.get("/api/assignments")["assignments"][0]["assignment"]
    doc = page.get(f"/api/assignments/{assignment}/docs/1")["doc"]
    note = "a private remark"
    body = {"op_id": "a" * 20, "doc": doc["doc"], "value": 2, "sha256": doc["sha256"],
            "base_revision": 0, "note": note}  # fmt: skip
    assert page.post(f"/api/assignments/{assignment}/judgments", body)[0] == 200
    assert page.post(f"/api/assignments/{assignment}/judgments", {"x": 1})[0] == 400
    server.close()
    log = (folder / "server.log").read_text()
    records = [json.loads(line) for line in log.splitlines() if not line.startswith("qrelsmith:")]
    views = {record.get("view") for record in records}
    assert {"invite", "api-assignments-judgments", "api-doc"} <= views
    requests = [record for record in records if record["message"] == "request"]
    assert all(re.fullmatch("[0-9a-f]{16}", record["request_id"]) for record in requests)
    assert all(record["ms"] >= 0 and record["status"] for record in requests)
    session = login.cookie.partition("=")[2].partition(";")[0]
    for private in (invite.rpartition("#")[2], session, login.csrf, note, "word word",
                    doc["sha256"]):  # fmt: skip
        assert private not in log


def test_an_error_is_in_the_log_but_not_in_the_response(
    lite_app: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("qrelsmith.web.home.front_page.Assignment.objects.filter", broken)
    answer = lite_app.client("b1").get("/")
    assert answer.status_code == 500
    assert "secret of the house" not in answer.content.decode()
    assert "secret of the house" in caplog.text


def test_sqlite_writes_acknowledged_data_to_the_disk(lite_app: Any) -> None:
    values = real_database_settings(find_instance(lite_app.folder))
    with closing(sqlite3.connect(values["NAME"])) as opened:
        opened.executescript(values["OPTIONS"]["init_command"])
        assert opened.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"
        assert opened.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert opened.execute("PRAGMA secure_delete").fetchone() == (1,)


def test_a_request_id_is_passed_through(lite_app: Any) -> None:
    client = lite_app.client()
    given = client.get("/health", headers={"X-Request-ID": "from-the-proxy-1"})
    assert given["X-Request-ID"] == "from-the-proxy-1"
    assert client.get("/health", headers={"X-Request-ID": "x\n"})["X-Request-ID"] != "x\n"


def test_the_log_shows_milliseconds_with_two_decimals(
    lite_app: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    times = iter((1.0, 1.0123456))
    clock = SimpleNamespace(perf_counter=lambda: next(times), thread_time=time.thread_time)
    monkeypatch.setattr("qrelsmith.web.serving.middleware.time", clock)
    with caplog.at_level("INFO", "qrelsmith.web.requests"):
        assert lite_app.client().get("/health").status_code == 200
    (request,) = (record for record in caplog.records if record.message == "request")
    assert vars(request)["ms"] == 12.35


def test_static_files_can_be_cached_forever_and_no_other_files_are_served(lite_app: Any) -> None:
    from qrelsmith.web.site.assets import address

    client = lite_app.client()
    answer = client.get(address("style/base.css"))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    assert "immutable" in answer["Cache-Control"]
    digest = address("style/base.css").split("/")[2]
    for path in (f"/static/{digest}/../settings.py", f"/static/{digest}/nosuch.css",
                 "/static/000000000000/app.css", f"/static/{digest}//etc/passwd"):  # fmt: skip
        assert client.get(path).status_code == 404, path


@pytest.mark.full
def test_two_processes_share_one_postgresql(
    postgres: str,
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    start_server: Callable[..., Any],
    log_in: Callable[..., Any],
    browser: Callable[..., Any],
    fresh_database: str,
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    servers = [start_server(folder, database_url=fresh_database) for _ in range(2)]
    login = log_in(folder, "b1")[0]
    pages = [browser(server.url, login) for server in servers]
    assignment = pages[0].get("/api/assignments")["assignments"][0]["assignment"]
    path = f"/api/assignments/{assignment}"
    doc = pages[0].get(f"{path}/docs/1")["doc"]
    body = {"op_id": "b" * 20, "doc": doc["doc"], "value": 2, "sha256": doc["sha256"],
            "base_revision": 0}  # fmt: skip
    assert pages[0].post(f"{path}/judgments", body)[1]["repeated"] is False
    assert pages[1].post(f"{path}/judgments", body)[1]["repeated"] is True
    assert pages[1].post(f"{path}/judgments", body | {"op_id": "c" * 20})[0] == 409
    assert pages[1].get(f"{path}/docs/1")["doc"]["value"] == 2


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("mysql://x/y", "has the scheme 'mysql'"),
        ("postgresql://host:port/y", "cannot be read"),
        ("postgresql://host", "has no database name"),
        ("postgresql://host/a/b", "has no database name"),
    ],
)
def test_a_malformed_database_url_is_a_one_line_error_without_its_password(
    lite_app: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    url: str,
    problem: str,
) -> None:
    monkeypatch.setenv("DATABASE_URL", url.replace("://", "://ann:hunter2@"))
    assert run(["verify", str(lite_app.folder)]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert "hunter2" not in error


def test_a_database_url_is_parsed_as_written() -> None:
    url = "postgresql://ann:p%40ss@127.0.0.1:5433/trec?sslmode=require"
    database = parse_database_url(url)
    assert database == Database("trec", "127.0.0.1", 5433, "ann", "p@ss", (("sslmode", "require"),))
    assert "p@ss" not in repr(database)
    assert parse_database_url("postgres:///trec") == Database("trec")


def test_a_public_url_makes_cookies_secure_and_its_host_allowed(lite_app: Any) -> None:
    instance = find_instance(lite_app.folder)
    values = settings_of(instance, public_url="https://judge.example.org")
    assert values["SESSION_COOKIE_SECURE"]
    assert "judge.example.org" in values["ALLOWED_HOSTS"]
    assert values["CSRF_TRUSTED_ORIGINS"] == ["https://judge.example.org"]
    assert values["SECURE_HSTS_SECONDS"] > 0
    local = settings_of(instance)
    assert not local["SESSION_COOKIE_SECURE"]
    for wrong in ("judge.example.org", "ftp://x", "https://x/path"):
        with pytest.raises(UsageError):
            settings_of(instance, public_url=wrong)


def test_another_host_name_is_refused(lite_app: Any) -> None:
    client = lite_app.client("b1")
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_a_server_accepts_requests_to_the_address_at_which_it_listens(
    tmp_path: Path, make_campaign: Any, give_tables: Any
) -> None:
    folder = give_tables(make_campaign(tmp_path / "campaign"))
    for host, status in (("127.0.0.9", 200), ("0.0.0.0", 400)):  # noqa: S104
        command = [sys.executable, "-m", "qrelsmith", "serve", str(folder), "--host", host]
        process = subprocess.Popen(
            [*command, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        line = next(line for line in process.stdout if "Listening" in line)
        port = line.rpartition(":")[2].strip()
        answer = fetched(f"http://127.0.0.9:{port}/login")
        process.terminate()
        _, told = process.communicate()
        assert answer[0] == status
        assert ("--public-url" in told) is (status == 400)


def test_a_port_in_use_is_a_one_line_error(
    tmp_path: Path, make_campaign: Callable[..., Path], start_server: Callable[..., Any]
) -> None:
    server = start_server(make_campaign(tmp_path / "campaign"))
    port = server.url.rpartition(":")[2]
    done = subprocess.run(
        [sys.executable, "-m", "qrelsmith", "serve", str(server.folder), "--port", port],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    assert len(errors) == 1
    assert f"127.0.0.1:{port}" in errors[0]
    assert "Traceback" not in done.stderr


def test_the_command_line_creates_invites(
    lite_app: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(lite_app.folder)
    capsys.readouterr()
    invite = ["invite", folder, "--role", "assessor", "--assessor"]
    assert run([*invite, "new", "--group", "bronze"]) == 0
    link = capsys.readouterr().out.strip()
    address, _, token = link.removeprefix("http://127.0.0.1:8000").partition("#")
    assert lite_app.client().post(address, {"token": token}).status_code == 200
    assert run(["invite", folder, "--role", "assessor"]) == 2
    assert run(["invite", folder, "--role", "viewer", "--assessor", "b1"]) == 2


def test_the_command_line_creates_links_for_new_passwords(
    lite_app: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    login = "viewer-1"
    Account.objects.create(login=login, role="viewer")
    assert run(["app", "invite", str(lite_app.folder), "--login", login]) == 0
    assert "/invite#" in capsys.readouterr().out
    assert Invite.objects.latest("expires_at").account.login == login
    assert run(["app", "invite", str(lite_app.folder), "--login", "no such"]) == 2
    assert "no active account has the login" in capsys.readouterr().err
    assert run(["app", "invite", str(lite_app.folder), "--login", login, "--role", "viewer"]) == 2


def test_the_command_line_invites_all_people_of_a_list_or_none(
    lite_app: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = tmp_path / "names.txt"
    invite = ["invite", str(lite_app.folder), "--role", "assessor", "--list", str(names)]
    names.write_text("b1\nnobody\n", encoding="utf-8")
    before = Invite.objects.count()
    assert run(invite) == 2
    assert f"{names}: " in (told := capsys.readouterr().err)
    assert "line 2: unknown assessor" in told
    assert Invite.objects.count() == before
    names.write_text("b1\nnew-1,bronze\nnew-2,bronze\n", encoding="utf-8")
    assert run(invite) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["assessor"] for row in rows] == ["b1", "new-1", "new-2"]
    for row in rows:
        address, _, token = row["link"].removeprefix("http://127.0.0.1:8000").partition("#")
        assert lite_app.client().post(address, {"token": token}).status_code == 200


def test_a_misspelt_pseudonym_is_not_invited(
    lite_app: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    invite = ["invite", str(lite_app.folder), "--role", "assessor", "--assessor"]
    before = set(Assessor.objects.values_list("name", "group"))
    for wrong, told in {
        ("b11",): "did you mean b1?",
        ("new", "--group", "silver"): "unknown group 'silver'",
        ("b1", "--group", "silver"): "'b1' is in the group 'bronze'",
    }.items():
        capsys.readouterr()
        assert run([*invite, *wrong]) == 2
        assert told in capsys.readouterr().err
    assert set(Assessor.objects.values_list("name", "group")) == before
    assert run([*invite, "b1"]) == 0
    assert run([*invite, "b1", "--group", "bronze"]) == 0


@pytest.mark.parametrize("command", ["serve", "import", "export", "verify", "backup", "migrate"])
def test_an_unusable_database_is_a_one_line_error(
    lite_app: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    more = ["-o", "x"] if command == "export" else []
    (lite_app.folder / ".qrelsmith" / "app.sqlite3").write_bytes(b"this is no database" * 99)
    assert run([command, str(lite_app.folder), *more]) == 2
    error = capsys.readouterr().err
    assert "app.sqlite3: the app's database cannot be used: file is not a database" in error
    assert len(error.splitlines()) == 1
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # no server listens there
        url = f"postgresql://ann:hunter2@127.0.0.1:{taken.getsockname()[1]}/trec"
        monkeypatch.setenv("DATABASE_URL", url)
        assert run([command, str(lite_app.folder), *more]) == 2
    error = capsys.readouterr().err
    assert "DATABASE_URL: the app's database cannot be used" in error
    assert "hunter2" not in error
    assert len(error.splitlines()) == 1


def test_a_missing_package_is_named_with_its_extra(
    lite_app: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without(missing: str) -> None:
        monkeypatch.setattr(
            "qrelsmith.cli.app.find_spec", lambda name: None if name == missing else True
        )

    without("nh3")
    assert run(["verify", str(lite_app.folder)]) == 2
    assert install_command("web") in capsys.readouterr().err
    without("psycopg")
    monkeypatch.setenv("DATABASE_URL", "postgresql://127.0.0.1:1/x")
    assert run(["verify", str(lite_app.folder)]) == 2
    assert install_command("postgres") in capsys.readouterr().err


@pytest.mark.full
def test_processes_that_start_at_once_create_one_app(
    tmp_path: Path, make_campaign: Any, start_server: Any, database_url: str
) -> None:
    folder = make_campaign(tmp_path / "campaign", docs=200)
    with ThreadPoolExecutor(3) as pool:
        starts = [pool.submit(start_server, folder, database_url=database_url) for _ in range(3)]
        servers = [start.result() for start in starts]
    assert len({server.url for server in servers}) == 3
    assert sum("/invite#" in line for server in servers for line in server.said) == 1
    assert "Traceback" not in (folder / "server.log").read_text()
    found = servers[0].run("import", "--format", "csv").splitlines()
    assert found == ["what,new,changed,same", "topics,0,0,2", "docs,0,0,200", "assignments,0,0,4"]


def test_a_failed_start_removes_nothing_of_another_process(
    tmp_path: Path, make_campaign: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    (folder / "topics.jsonl").write_text("invalid JSON")
    assert run(["import", str(folder)]) == 2
    assert not (folder / ".qrelsmith").exists()
    find_instance(folder).make_secret()  # as the other process has just done
    assert run(["import", str(folder)]) == 2
    there = {path.name for path in (folder / ".qrelsmith").iterdir()}
    assert there >= {"app.sqlite3", "lock", "secret.key"}


def test_an_invalid_secret_is_a_one_line_error(
    tmp_path: Path, make_campaign: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    (folder / ".qrelsmith").mkdir()
    for content in (b"", b"short", b"\xff" * 50):
        (folder / ".qrelsmith" / "secret.key").write_bytes(content)
        assert run(["import", str(folder)]) == 2
        assert "the app's secret" in capsys.readouterr().err


def test_a_full_disk_is_reported_and_unsaved_data_is_not_called_saved(
    lite_app: Any, at_work: Any
) -> None:
    b1, client = at_work(lite_app), lite_app.client("b1")
    body = {"op_id": "operation-1", "value": 1, "base_revision": 0, "note": "x" * 10_000}
    body |= {"doc": b1.doc(1).pk, "sha256": b1.doc(1).current_sha256}
    address = f"/api/assignments/{b1.assignment.pk}/judgments"
    with connection.cursor() as cursor:
        # SQLite's own limit gives the same error as a full disk.
        cursor.execute("PRAGMA max_page_count = 1")
    answer = client.post(address, json.dumps(body), content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (503, "full")
    assert b1.values()[0] is None
    assert client.get("/health").status_code == 503
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1000000")
    answer = client.post(address, json.dumps(body), content_type="application/json")
    assert (answer.status_code, answer.json()["repeated"]) == (200, False)
    assert client.get("/health").content == b"ok\n"


def test_health_is_ok_again_as_soon_as_there_is_space(lite_app: Any) -> None:
    def full() -> None:
        raise OperationalError("database or disk is full")

    def write() -> None:
        with writing():
            full()

    with pytest.raises(OperationalError):
        write()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1")
        assert lite_app.client().get("/health").status_code == 503
        cursor.execute("PRAGMA max_page_count = 1000000")
    assert lite_app.client().get("/health").content == b"ok\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a limit for the size of files")
@pytest.mark.parametrize("command", [["invite", "--role", "viewer"], ["import"]])
def test_a_full_disk_is_a_one_line_error_of_a_command(lite_app: Any, command: list[str]) -> None:
    import resource

    connection.close()
    done = subprocess.run(
        [sys.executable, "-m", "qrelsmith", command[0], str(lite_app.folder), *command[1:]],
        # The first written page no longer fits.
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "the app's database cannot be used: " in done.stderr


def test_without_its_database_the_app_still_shows_an_error_page(lite_app: Any) -> None:
    client = lite_app.client("b1")
    connections.close_all()
    for path in (lite_app.folder / ".qrelsmith").glob("app.sqlite3*"):
        path.unlink()
    answer = client.get("/")
    assert answer.status_code == 503
    assert "The database is not available at the moment." in answer.content.decode()
    assert client.get("/api/session").json()["error"] == "storage"
