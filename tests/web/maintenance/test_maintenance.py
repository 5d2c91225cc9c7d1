"""Backup, restore, migrations, removal of personal data."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.db.migrations.recorder import MigrationRecorder

from qrelsmith.base.errors import InputError
from qrelsmith.cli import run
from qrelsmith.web.accounts import actions
from qrelsmith.web.accounts.invites import make_invite
from qrelsmith.web.core.alive import hold_in_use, not_served
from qrelsmith.web.maintenance import forget, postgresql
from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.models import (
    Account,
    Assessor,
    Event,
    Invite,
    OrganiserAction,
    PreferenceEvent,
    Role,
    Topic,
)
from qrelsmith.web.project import current_instance


def backed_up(app: Any, capsys: pytest.CaptureFixture[str], *options: str) -> Path:
    capsys.readouterr()
    assert run(["backup", str(app.folder), *options]) == 0
    return Path(capsys.readouterr().out.strip())


def test_backed_up_data_is_restored(
    app: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    b1 = at_work(app)
    b1.judge(1, 2)
    backup = backed_up(app, capsys)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    b1.judge(2, 1)
    assert run(["restore", str(app.folder), str(backup)]) == 0
    assert "restored and verified" in capsys.readouterr().err
    assert b1.values() == [2, None, None, None, None, None]
    b1.judge(2, 0)
    assert run(["verify", str(app.folder), "--quiet"]) == 0


def test_preference_tasks_are_restored_unchanged(
    app: Any, contests_of: Any, comparing: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    contest = contests_of(app, share="pair", scheduler="round-robin")[0]
    work = comparing(app, "b1", contest)
    first = work.next()
    work.answer(first, 1)
    backup = backed_up(app, capsys)
    second = work.next()
    work.answer(second, 1)
    assert run(["restore", str(app.folder), str(backup), "--quiet"]) == 0
    assert PreferenceEvent.objects.count() == 1
    # It was assigned after the backup, so it is assigned again.
    assert work.next().pk == second.pk
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        PreferenceEvent.objects.update(outcome=0)
    assert run(["verify", str(app.folder), "--quiet"]) == 0


def test_the_answers_of_a_forgotten_person_are_kept(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    work = comparing(lite_app, "b1", contests_of(lite_app, share="pair")[0])
    work.answer(work.next(), 1)
    assert run(["forget", str(lite_app.folder), "b1"]) == 0
    assert PreferenceEvent.objects.get().assessor.name == "b1"
    assert run(["verify", str(lite_app.folder), "--quiet"]) == 0


def test_the_data_before_a_restore_is_kept(
    app: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    b1 = at_work(app)
    first = backed_up(app, capsys)
    b1.judge(1, 2)
    assert run(["restore", str(app.folder), str(first)]) == 0
    note = next(
        line for line in capsys.readouterr().err.splitlines() if "former database is in" in line
    )
    assert run(["restore", str(app.folder), note.rpartition(" ")[2], "--quiet"]) == 0
    assert b1.values()[0] == 2


def test_the_triggers_are_restored_too(
    app: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    at_work(app).judge(1, 2)
    assert run(["restore", str(app.folder), str(backed_up(app, capsys)), "--quiet"]) == 0
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        Event.objects.update(value=0)


def test_a_backup_is_written_to_the_given_file_but_replaces_nothing(
    lite_app: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "friday"
    assert backed_up(lite_app, capsys, "-o", str(target)) == target
    before = target.read_bytes()
    assert run(["backup", str(lite_app.folder), "-o", str(target)]) == 2
    assert "already exists" in capsys.readouterr().err
    assert target.read_bytes() == before
    assert run(["backup", str(lite_app.folder), "-o", str(tmp_path / "no" / "such")]) == 2


def test_a_file_that_is_not_a_backup_is_refused_and_nothing_changes(
    app: Any, at_work: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import sqlite3

    b1 = at_work(app)
    b1.judge(1, 2)
    text = tmp_path / "text"
    text.write_text("no database")
    other = tmp_path / "other.sqlite3"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE x (y)")
    database.close()
    broken = tmp_path / "broken.sqlite3"
    broken.write_bytes(b"SQLite format 3\x00" + b"x" * 5000)
    for path in (text, other, broken, tmp_path / "nosuch"):
        assert run(["restore", str(app.folder), str(path)]) == 2, path
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert b1.values()[0] == 2


def test_after_a_refused_backup_of_another_campaign_the_database_is_unchanged(
    app: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    b1 = at_work(app)
    b1.judge(1, 2)
    names = dict(Topic.objects.values_list("pk", "name"))
    for pk in names:
        Topic.objects.filter(pk=pk).update(name=f"other-{pk}")
    backup = backed_up(app, capsys)
    for pk, name in names.items():
        Topic.objects.filter(pk=pk).update(name=name)
    assert run(["restore", str(app.folder), str(backup)]) == 2
    error = capsys.readouterr().err
    assert (
        "the backup belongs to another campaign with the topics other-1, other-2, …; "
        "expected q1, q2" in error
    )
    assert b1.values()[0] == 2
    assert run(["verify", str(app.folder), "--quiet"]) == 0


@pytest.mark.full
def test_the_other_parts_of_a_database_url_are_passed_to_postgresqls_programs_without_password(
    fresh_database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_campaign: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from urllib.parse import urlsplit

    parts = urlsplit(fresh_database)
    url = f"postgresql://{parts.path}?host={parts.hostname}&port={parts.port}&user=qrelsmith"
    monkeypatch.setenv("DATABASE_URL", f"{url}&password=secret&application_name=x")
    called = []
    started = subprocess.Popen

    def note(command: list[str], **options: Any) -> Any:
        called.append((command, options["env"]))
        return started(command, **options)

    folder = make_campaign(tmp_path / "campaign")
    assert run(["import", str(folder), "--quiet"]) == 0
    monkeypatch.setattr(postgresql.subprocess, "Popen", note)
    capsys.readouterr()
    assert run(["backup", str(folder)]) == 0
    assert Path(capsys.readouterr().out.strip()).stat().st_size > 1000
    ((command, environment),) = called
    assert "application_name=x" in command[1]
    assert "secret" not in " ".join(command)
    assert environment["PGPASSWORD"] == "secret"


def test_a_database_of_a_newer_program_is_refused(
    app: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    MigrationRecorder.Migration.objects.create(app="qrelsmith_web", name="9999_from_the_future")
    for command in (["migrate"], ["verify"], ["export", "-o", "x"], ["serve", "--port", "0"]):
        assert run([command[0], str(app.folder), *command[1:]]) == 2, command
        assert "of a newer qrelsmith" in capsys.readouterr().err


def test_after_a_refused_newer_backup_the_database_is_unchanged(
    app: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    b1 = at_work(app)
    b1.judge(1, 2)
    future = MigrationRecorder.Migration.objects.create(app="qrelsmith_web", name="9999_future")
    # Not with the command, which refuses a newer database.
    backup = back_up(app.folder / "newer")
    future.delete()
    assert run(["restore", str(app.folder), str(backup)]) == 2
    assert "of a newer qrelsmith" in capsys.readouterr().err
    assert b1.values()[0] == 2
    assert run(["verify", str(app.folder), "--quiet"]) == 0


def test_an_older_database_is_backed_up_before_the_migration(
    app: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    at_work(app)
    call_command("migrate", "sessions", "zero", verbosity=0)
    assert run(["verify", str(app.folder)]) == 2
    assert "Run qrelsmith app migrate" in capsys.readouterr().err
    assert run(["backup", str(app.folder), "-o", str(app.folder / "nightly")]) == 0
    assert run(["migrate", str(app.folder)]) == 0
    notes = capsys.readouterr().err
    assert "backup before the migration" in notes
    assert "sessions.0001_initial" in notes
    assert len(list((app.folder / ".qrelsmith" / "backups").iterdir())) == 1
    assert run(["migrate", str(app.folder)]) == 0
    assert "has this program's schema" in capsys.readouterr().err


def test_the_models_have_no_change_without_a_migration(lite_app: Any) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_forgetting_removes_the_person_and_keeps_the_judgments(
    app: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    b1 = at_work(app)
    b1.judge(1, 2)
    client = app.client("b1")
    assert client.get("/").status_code == 200
    Account.objects.filter(assessor=b1.assessor).update(login="Jane Doe", email="jane@example.org")
    account = Account.objects.get(login="Jane Doe")
    make_invite(Role.ASSESSOR, account=account)
    assert run(["forget", str(app.folder), "b1"]) == 0
    account.refresh_from_db()
    assert (account.assessor, account.email, account.is_active) == (None, "", False)
    assert "Jane" not in account.login
    assert not account.has_usable_password()
    assert client.get("/").status_code == 302
    assert not Session.objects.exists()
    assert not Invite.objects.exists()
    assert Event.objects.get().assessor == Assessor.objects.get(name="b1")
    assert OrganiserAction.objects.get(action="forget").target == "b1"
    assert run(["verify", str(app.folder), "--quiet"]) == 0
    assert run(["forget", str(app.folder), "b1"]) == 0
    assert "no account" in capsys.readouterr().err
    assert run(["forget", str(app.folder), "nobody"]) == 2


@pytest.mark.parametrize("role", ["admin", "organiser", "viewer"])
def test_accounts_of_any_role_are_forgotten_by_login(app: Any, role: str) -> None:
    client = app.client("Jane Doe", role=role)
    assert client.get("/").status_code != 500
    account = Account.objects.get(login="Jane Doe")
    assert run(["forget", str(app.folder), "--login", "Jane Doe"]) == 0
    account.refresh_from_db()
    assert (account.login, account.is_active) == (f"forgotten-{account.pk}", False)
    assert client.get("/").headers["Location"].startswith("/login")
    assert OrganiserAction.objects.get(action="forget").target == f"account {account.pk}"
    assert run(["forget", str(app.folder), "--login", "Jane Doe"]) == 2
    assert run(["forget", str(app.folder)]) == 2


def test_the_data_of_one_person_contains_no_other_person(
    app: Any, at_work: Any, tmp_path: Path
) -> None:
    b1 = at_work(app)
    b1.judge(1, 2, note="why not")
    at_work(app, "b2").judge(1, 1, note="of another person")
    app.client("b1")
    path = tmp_path / "b1.json"
    assert run(["export", str(app.folder), "--person", "b1", "-o", str(path)]) == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text(encoding="utf-8")
    data = json.loads(text)
    assert data["account"][0]["login"] == "b1"
    assert len(data["session"]) == 1
    (event,) = data["event"]
    assert (event["assigned"], event["value"], event["note"]) == ("d00000", 2, "why not")
    assert {doc["doc"] for doc in data["assigneddoc"]} == {f"d{n:05}" for n in range(6)}
    assert "of another person" not in text
    assert not {"password", "digest"} & {
        key for rows in data.values() for row in rows for key in row
    }
    by_login = tmp_path / "again.json"
    assert run(["export", str(app.folder), "--login", "b1", "-o", str(by_login)]) == 0
    assert json.loads(by_login.read_text(encoding="utf-8"))["event"] == data["event"]
    assert run(["export", str(app.folder), "--person", "b1", "-o", str(path)]) == 2


@pytest.mark.parametrize("command", ["verify", "backup", "forget", "migrate"])
def test_commands_that_need_an_app_report_that_there_is_none(
    tmp_path: Path,
    ready_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    folder = tmp_path / "campaign"
    shutil.copytree(ready_folder, folder, ignore=shutil.ignore_patterns(".qrelsmith"))
    more = ["b1"] if command == "forget" else []
    assert run([command, str(folder), *more]) == 2
    assert "Create the app with qrelsmith serve" in capsys.readouterr().err
    assert not (folder / ".qrelsmith").exists()


def test_a_damaged_backup_is_refused_and_leaves_no_files_beside_it(
    lite_app: Any, at_work: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    b1 = at_work(lite_app)
    b1.judge(1, 2)
    folder = tmp_path / "backups"
    folder.mkdir()
    backup = backed_up(lite_app, capsys, "-o", str(folder / "friday"))
    b1.judge(2, 1)
    whole = backup.read_bytes()
    without_app = tmp_path / "other"
    shutil.copytree(lite_app.folder, without_app, ignore=shutil.ignore_patterns(".qrelsmith"))
    for broken in (whole[: len(whole) // 2], whole[:8192] + bytes(40000) + whole[48192:]):
        backup.write_bytes(broken)
        for campaign in (without_app, lite_app.folder):
            capsys.readouterr()
            assert run(["restore", str(campaign), str(backup)]) == 2
            assert len(capsys.readouterr().err.splitlines()) == 1
            assert [path.name for path in folder.iterdir()] == ["friday"]
        assert not (without_app / ".qrelsmith").exists()
        assert b1.values()[:2] == [2, 1]
    backup.write_bytes(whole)
    assert run(["restore", str(lite_app.folder), str(backup), "--quiet"]) == 0
    assert [path.name for path in folder.iterdir()] == ["friday"]


def test_a_restore_is_refused_while_a_server_runs(
    app: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    b1 = at_work(app)
    backup = backed_up(app, capsys)
    b1.judge(1, 2)
    with hold_in_use(current_instance()), hold_in_use(current_instance()):
        assert run(["restore", str(app.folder), str(backup)]) == 2
        assert "is in use by a server or a command" in capsys.readouterr().err
    assert b1.values()[0] == 2
    problem = pytest.raises(InputError, match="being restored")
    with not_served(current_instance()), problem, hold_in_use(current_instance()):
        pass
    assert run(["restore", str(app.folder), str(backup), "--quiet"]) == 0
    assert b1.values()[0] is None


@pytest.mark.parametrize("command", [["forget", "b1"], ["import-labels", "m.qrels"]])
def test_a_restore_is_refused_during_a_command_that_changes_the_app(
    app: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: list[str],
) -> None:
    app.account("b1")
    with (app.folder / "campaign.toml").open("a") as out:
        out.write('\n[groups.llm]\nrole = "llm"\nassessors = ["gpt-x"]\n')
    (tmp_path / "m.qrels").write_text("q1 0 d00000 1\n")
    (tmp_path / "prompt").write_text("Is it relevant?")
    monkeypatch.chdir(tmp_path)
    arguments = [command[0], str(app.folder), command[1], "--quiet"]
    if command[0] == "import-labels":
        arguments += ["--assessor", "gpt-x", "--model", "gpt-x", "--prompt", "prompt"]
    backup = backed_up(app, capsys)
    with not_served(current_instance()):
        assert run(arguments) == 2
        assert "is being restored" in capsys.readouterr().err
    statuses = []
    note = actions.note_command

    def restore_meanwhile(*about: str) -> None:
        statuses.append(run(["restore", str(app.folder), str(backup)]))
        note(*about)

    # Both log their action at their end, where they found the database.
    monkeypatch.setattr(actions, "note_command", restore_meanwhile)
    monkeypatch.setattr(forget, "note_command", restore_meanwhile)
    assert run(arguments) == 0
    assert statuses == [2]
    assert "is in use by a server or a command" in capsys.readouterr().err
    assert run(["restore", str(app.folder), str(backup), "--quiet"]) == 0


def test_a_database_of_another_campaign_is_refused(
    app: Any, at_work: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    at_work(app).judge(1, 2)
    identity = app.folder / ".qrelsmith" / "identity"
    mine = identity.read_text()
    backup = backed_up(app, capsys)
    identity.write_text("0" * 32 + "\n")
    for command in (["verify"], ["export", "-o", str(tmp_path / "out")], ["migrate"]):
        assert run([command[0], str(app.folder), *command[1:]]) == 2
        assert "belongs to another campaign, 'A small campaign'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    identity.write_text(mine)
    assert run(["verify", str(app.folder), "--quiet"]) == 0
    assert run(["restore", str(app.folder), str(backup), "--quiet"]) == 0
    assert identity.read_text() == mine


def test_files_of_the_app_are_readable_only_by_their_owner(
    lite_app: Any, at_work: Any, make_campaign: Any, tmp_path: Path, open_app: Any
) -> None:
    import os

    before = os.umask(0o022)
    try:
        folder = make_campaign(tmp_path / "other")
        with open_app(folder):
            at_work(lite_app).judge(1, 2)
            assert stat.S_IMODE((folder / ".qrelsmith").stat().st_mode) == 0o700
            files = list((folder / ".qrelsmith").iterdir())
            assert {"secret.key", "app.sqlite3", "app.sqlite3-wal", "identity"} <= {
                path.name for path in files
            }
            assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    finally:
        os.umask(before)


def test_making_a_database_private_releases_no_lock(lite_app: Any) -> None:
    """Closing a file that SQLite has open releases the locks of the whole process."""
    import sqlite3
    import sys

    instance = current_instance()
    mine = sqlite3.connect(instance.sqlite, isolation_level=None)
    mine.execute("BEGIN IMMEDIATE")
    instance.protect_database()
    code = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None);"
        " c.execute('BEGIN IMMEDIATE')"
    )
    command = [sys.executable, "-c", code, str(instance.sqlite)]
    other = subprocess.run(command, capture_output=True, text=True)
    mine.close()
    assert "database is locked" in other.stderr


STOPPED = """
import os, signal, sys
from qrelsmith.cli import run

def stop(*_: object) -> None:
    print(flush=True)
    signal.pause()

if sys.argv[1] == "backup":
    from qrelsmith.web.maintenance import backup
    backup.copy_sqlite = backup.run_program = stop
else:
    import qrelsmith.io.writing as writing
    os.fsync = stop
run(sys.argv[1:])
"""


@pytest.mark.skipif(os.name == "nt", reason="needs a signal that kills at once")
@pytest.mark.parametrize("command", ["backup", "export"])
def test_files_left_by_a_killed_process_are_removed_later(
    app: Any, tmp_path: Path, command: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    killed = subprocess.Popen(
        [sys.executable, "-c", STOPPED, command, str(app.folder), "-o", str(outside / "first")],
        stdout=subprocess.PIPE,
    )
    assert killed.stdout is not None
    with killed:
        assert killed.stdout.readline()
        # Files of a running process are not removed.
        assert run([command, str(app.folder), "-o", str(outside / "second")]) == 0
        parts = [path for path in outside.iterdir() if path.suffix == ".part"]
        assert len(parts) == 1
        killed.kill()
    assert run([command, str(app.folder), "-o", str(outside / "third")]) == 0
    assert {path.name for path in outside.iterdir()} == {"second", "third"}
    assert not list((app.folder / ".qrelsmith").glob("*.unfinished"))


def test_progress_counts_the_docs_of_each_assessor(
    app: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    at_work(app).judge(1, 2)
    capsys.readouterr()
    assert run(["app", "progress", str(app.folder), "--quiet"]) == 0
    header, whole, *parts = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    assert header[:6] == ["assessor", "group", "assignments", "docs", "judged", "left"]
    assert (whole[0], whole[4]) == ("all", "1")
    for column in range(2, 6):
        assert int(whole[column]) == sum(int(part[column]) for part in parts)
