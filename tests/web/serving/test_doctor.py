"""`qrelsmith app doctor` finds planted problems, and none in a healthy set-up."""

from __future__ import annotations

import http.server
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from tests.web.fixtures.campaigns import TOML
from tests.web.serving.test_deploy import OF_KIT, free_ports, has, started_nginx, wait_for
from tests.web.serving.test_operators import campaign_of_0_1_0

from qrelsmith.base.tables import Table
from qrelsmith.campaign.server_settings import ServerSettings
from qrelsmith.cli import run
from qrelsmith.web.accounts.tokens import make_token
from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.models import Assessor, OrganiserAction
from qrelsmith.web.project import current_instance
from qrelsmith.web.serving import doctor
from qrelsmith.web.serving.doctor import examine

OLD_S = 500 * 24 * 3600


def wrong(table: Table) -> dict[str, str]:
    return {str(row[0]): str(row[2]) for row in table.rows if row[1] == "wrong"}


@pytest.fixture
def healthy(lite_app: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return an app with a backup, whose address answers with these headers and this text."""
    back_up()
    answer: tuple[dict[str, str], str] = ({"strict-transport-security": "max-age=1"}, "ok\n")
    monkeypatch.setattr(doctor, "_fetch", lambda url: answer)
    return current_instance()


def test_a_healthy_app_has_no_problems(healthy: Any) -> None:
    server = ServerSettings(public_url="https://judge.example.org")
    assert wrong(examine(server)) == {}
    assert len(examine(server).rows) >= 10


def test_before_the_app_exists_this_is_reported_without_creating_files(
    tmp_path: Path, make_campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    assert run(["doctor", str(folder)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("the judging app does not exist yet. Create the app with qrelsmith serve")
    assert not (folder / ".qrelsmith").exists()


def test_a_missing_table_is_a_problem_without_a_traceback(healthy: Any) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE {OrganiserAction._meta.db_table}")
    found = wrong(examine(ServerSettings(public_url="https://judge.example.org")))
    assert "the database reports an error" in found["clock"]


def token(instance: Any) -> None:
    llm = Assessor.objects.create(name="llm-1", group="llm")
    import qrelsmith.web.accounts.tokens as tokens

    before, tokens.is_model = tokens.is_model, lambda _: True
    try:
        make_token(llm, valid_for=timedelta(days=4000))
    finally:
        tokens.is_model = before


def other_campaign(instance: Any) -> None:
    instance.identity.write_text("0" * 32 + "\n")


def missing_migration(instance: Any) -> None:
    last = MigrationRecorder.Migration.objects.filter(app="qrelsmith_web").order_by("-name")
    MigrationRecorder.Migration.objects.filter(pk=last[0].pk).delete()


def wrong_clock(instance: Any) -> None:
    OrganiserAction.objects.create(action="backup", at=timezone.now() + timedelta(hours=3))


def old_backup(instance: Any) -> None:
    for path in instance.backups.iterdir():
        os.utime(path, (time.time() - 8 * 24 * 3600,) * 2)


def old_secret(instance: Any) -> None:
    os.utime(instance.key, (time.time() - OLD_S,) * 2)


@pytest.mark.parametrize(
    ("check", "plant", "problem"),
    [
        ("identity", other_campaign, "belongs to another campaign"),
        ("schema", missing_migration, "Run qrelsmith app migrate"),
        ("clock", wrong_clock, "in the future"),
        ("backup", old_backup, "is 8 days old"),
        ("permissions", lambda instance: instance.key.chmod(0o644), "other users can read"),
        ("secret", old_secret, "is 500 days old"),
        ("tokens", token, "is valid until"),
    ],
)
def test_a_planted_problem_is_found(
    healthy: Any, check: str, plant: Callable[[Any], None], problem: str
) -> None:
    plant(healthy)
    found = wrong(examine(ServerSettings()))
    assert list(found) == [check]
    assert problem in found[check]


@pytest.mark.parametrize(
    ("url", "answer", "check"),
    [
        (
            "https://judge.example.org/app",
            ({"strict-transport-security": "1"}, "ok\n"),
            "public-url",
        ),
        ("http://judge.example.org", ({}, "ok\n"), "public-url"),
        ("https://judge.example.org", ({}, "ok\n"), "proxy"),
        ("https://judge.example.org", ({"strict-transport-security": "1"}, "hello"), "answer"),
        ("https://judge.example.org", None, "answer"),
    ],
)
def test_a_wrong_address_or_proxy_is_found(
    healthy: Any, monkeypatch: pytest.MonkeyPatch, url: str, answer: Any, check: str
) -> None:
    def asked(_: str) -> Any:
        if answer is None:
            raise OSError("refused")
        return answer

    monkeypatch.setattr(doctor, "_fetch", asked)
    assert list(wrong(doctor.examine(ServerSettings(public_url=url)))) == [check]


def test_a_full_disk_is_found(healthy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    usage = shutil.disk_usage(Path.cwd())._replace(free=1000)
    monkeypatch.setattr("qrelsmith.web.serving.doctor.shutil.disk_usage", lambda _: usage)
    assert list(wrong(examine(ServerSettings()))) == ["disk"]


TOML_WITH_MODEL = """\
format = 1
[scale]
levels = [{ grade = 0 }, { grade = 1 }]
[groups.bronze]
assessors = ["b1"]
[groups.llm]
role = "llm"
assessors = ["llm-1"]
"""
# A nearly full file system, only for this command.
FULL_DISK = (
    """mount -t tmpfs -o size=90m full "$2" && cp -a "$1"/. "$2" && shift && shift && exec "$@" """
)
GUARDS = """SELECT name FROM sqlite_master
WHERE type = 'trigger' AND tbl_name = 'qrelsmith_web_organiseraction'"""
NEWEST = """DELETE FROM django_migrations
WHERE id = (SELECT MAX(id) FROM django_migrations WHERE app = ?)"""
LATER = """UPDATE qrelsmith_web_organiseraction
SET at = strftime('%Y-%m-%d %H:%M:%f', 'now', ?)"""
LASTING = """UPDATE qrelsmith_web_apitoken
SET expires_at = strftime('%Y-%m-%d %H:%M:%f', 'now', ?)"""


class Patient:
    """A served campaign, and the command's results on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.app = folder / ".qrelsmith"

    def complaints(self, *before: str, folder: Path | None = None, **environment: str) -> list[str]:
        """Return the checks that find a problem."""
        command = [*before, sys.executable, "-m", "qrelsmith", "doctor", str(folder or self.folder)]
        done = subprocess.run(
            [*command, "--format", "csv"], capture_output=True, text=True,
            env=os.environ | environment,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return [row.split(",")[0] for row in done.stdout.splitlines() if ",wrong," in row]

    def run(self, command: str, **environment: str) -> None:
        """Run a command on the campaign."""
        subprocess.run(
            [sys.executable, "-m", "qrelsmith", command, str(self.folder)],
            check=True, env=os.environ | environment, capture_output=True,
        )  # fmt: skip

    def sql(self, statement: str, *values: str) -> None:
        """Change the database directly."""
        connection = sqlite3.connect(self.app / "app.sqlite3", timeout=20)
        with connection:
            # Actions are never changed, unless the triggers are dropped.
            for (guard,) in connection.execute(GUARDS).fetchall():
                connection.execute(f'DROP TRIGGER "{guard}"')
            assert connection.execute(statement, values).rowcount > 0
        connection.close()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Undo changes of the database."""
        copy = self.app.parent / "kept.sqlite3"
        with (
            closing(sqlite3.connect(self.app / "app.sqlite3")) as now,
            closing(sqlite3.connect(copy)) as then,
        ):
            now.backup(then)
            yield
            then.backup(now)
        copy.unlink()


def has_own_disk() -> bool:
    """Return whether a command can have a separate file system here."""
    words = ["unshare", "-rm", "mount", "-t", "tmpfs", "small", "/mnt"]
    try:
        return subprocess.run(words, capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.mark.full
@pytest.mark.skipif(not has_own_disk(), reason="needs a disk of its own")
def test_real_problems_are_found_by_the_command(
    tmp_path: Path, make_campaign: Callable[..., Path], start_server: Callable[..., Any]
) -> None:
    server = start_server(make_campaign(tmp_path / "campaign", toml=TOML_WITH_MODEL))
    server.run("backup")
    server.run("token", "--assessor", "llm-1")
    patient = Patient(server.folder)
    assert patient.complaints() == []
    assert patient.complaints(QRELSMITH_PUBLIC_URL="http://127.0.0.1:9") == ["answer"]
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler
    ) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{other.server_address[1]}"
        assert patient.complaints(QRELSMITH_PUBLIC_URL=address) == ["answer"]
        other.shutdown()
    (tmp_path / "disk").mkdir()
    full = ["unshare", "-rm", "sh", "-c", FULL_DISK, "sh", str(patient.folder)]
    disk = tmp_path / "disk"
    assert patient.complaints(*full, str(disk), folder=disk) == ["disk"]
    key, (backup,) = patient.app / "secret.key", (patient.app / "backups").iterdir()
    for path, days, check in ((backup, 8, "backup"), (key, 500, "secret")):
        before = path.stat().st_mtime
        os.utime(path, (time.time() - days * 24 * 3600,) * 2)
        assert patient.complaints() == [check]
        os.utime(path, (before, before))
    key.chmod(0o644)
    assert patient.complaints() == ["permissions"]
    key.chmod(0o600)
    for check, statement, value in (
        ("clock", LATER, "+3 hours"),
        ("tokens", LASTING, "+11 years"),
        ("schema", NEWEST, "qrelsmith_web"),
    ):  # fmt: skip
        with patient.kept():
            patient.sql(statement, value)
            assert patient.complaints() == [check]
    assert patient.complaints() == []


@pytest.mark.full
def test_the_database_of_another_campaign_is_found_by_the_command(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    make_database: Callable[[], Any],
    database: str,
) -> None:
    # No program answers there, whatever this machine serves at the usual port.
    toml = f"{TOML}\n[server]\nport = {free_ports(1)[0]}\n"
    patients = [Patient(make_campaign(tmp_path / name, toml=toml)) for name in ("own", "other")]
    own, other = patients
    with ExitStack() as stack:
        urls = ["", ""]
        if database == "postgresql":
            urls = [stack.enter_context(make_database()) for _ in patients]
        for patient, url in zip(patients, urls, strict=True):
            for command in ("import", "backup"):
                patient.run(command, DATABASE_URL=url)
            # The campaign is not served, which is the only problem.
            assert patient.complaints(DATABASE_URL=url) == ["answer"]
        if database == "postgresql":
            assert own.complaints(DATABASE_URL=urls[1]) == ["identity", "answer"]
        else:
            shutil.copy(other.app / "app.sqlite3", own.app)
            assert own.complaints() == ["identity", "answer"]


@pytest.mark.full
def test_a_database_that_0_1_0_left_is_found_by_the_command(tmp_path: Path) -> None:
    patient = Patient(campaign_of_0_1_0(tmp_path))
    found = patient.complaints()
    # In that version, tokens of models were valid for a hundred years.
    assert {"schema", "backup", "tokens"} <= set(found)
    patient.run("migrate")
    assert "schema" not in patient.complaints()
    assert "backup" not in patient.complaints()


@pytest.mark.full
@has("nginx")
@has("openssl")
def test_a_proxy_that_does_not_report_tls_is_found_by_the_command(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    start_server: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ports = free_ports(4)
    monkeypatch.setenv("QRELSMITH_PUBLIC_URL", f"https://localhost:{ports[2]}")
    monkeypatch.setenv("QRELSMITH_PROXY", OF_KIT)
    server = start_server(make_campaign(tmp_path / "campaign"), port=ports[0])
    server.run("backup")
    patient = Patient(server.folder)
    nginx, certificate = started_nginx(tmp_path, ports)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    try:
        assert patient.complaints() == []
    finally:
        nginx.terminate()
        nginx.wait(timeout=20)
    site = tmp_path / "site.conf"
    text = site.read_text(encoding="utf-8")
    line = "proxy_set_header X-Forwarded-Proto $scheme;"
    assert line in text
    site.write_text(text.replace(line, ""), encoding="utf-8")
    nginx = subprocess.Popen([nginx.args[0], "-c", str(tmp_path / "nginx.conf")])  # type: ignore[index,list-item]
    wait_for(ports[2])
    try:
        assert patient.complaints() == ["proxy"]
    finally:
        nginx.terminate()
        nginx.wait(timeout=20)


def test_a_running_server_is_checked(
    tmp_path: Path, make_campaign: Callable[..., Path], start_server: Callable[..., Any]
) -> None:
    server = start_server(make_campaign(tmp_path / "campaign"))
    server.run("backup")
    assert "wrong" not in server.run("doctor", "--strict")
