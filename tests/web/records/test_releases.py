"""Apps of every released version: migrated, verified, exported and used further."""

from __future__ import annotations

import csv
import io
import json
import lzma
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from tests.web.fixtures.exports import exported

from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.cli import run
from qrelsmith.web.database_url import parse_database_url
from qrelsmith.web.maintenance.postgresql import run_program

pytestmark = pytest.mark.slow

LABELS = ("judgments.csv", "preferences.csv")
DATABASES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.full))


def give_campaign(release: Path, kind: str, folder: Path) -> Path:
    """Write the folder of an app of a release, with its secret, but without a database."""
    shutil.copytree(release / "campaign", folder)
    for file in LABELS:
        (folder / file).unlink()
    (folder / ".qrelsmith").mkdir(mode=0o700)
    for file in ("secret.key", "identity"):  # 0.1.0 has no identity
        if (release / kind / file).exists():
            shutil.copy(release / kind / file, folder / ".qrelsmith" / file)
    return folder


def unpacked(path: Path, target: Path) -> Path:
    target.write_bytes(lzma.decompress(path.read_bytes()))
    return target


@contextmanager
def database_of(kind: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """Return an empty database of its kind, as `DATABASE_URL`, which is empty for SQLite."""
    if kind == "sqlite":
        yield ""
        return
    make_database = request.getfixturevalue("make_database")
    with make_database() as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", url)
        yield url

        connections.close_all()


def give_database(release: Path, kind: str, folder: Path, url: str) -> None:
    """Put the database of a release where the app of a folder looks for it."""
    if kind == "sqlite":
        unpacked(release / kind / "app.sqlite3.xz", folder / ".qrelsmith" / "app.sqlite3")
        return

    dump = unpacked(release / kind / "app.sql.xz", folder.parent / "app.sql")
    run_program(
        "psql", parse_database_url(url), "--quiet", "--set=ON_ERROR_STOP=1", f"--file={dump}"
    )


@pytest.fixture(scope="module", params=DATABASES)
def migrated(
    request: pytest.FixtureRequest, release: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path, str]]:
    """Return a release's app after `qrelsmith app migrate`, once per module: kind, folder, URL."""
    kind: str = request.param
    folder = give_campaign(release, kind, tmp_path_factory.mktemp(kind) / "campaign")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DATABASE_URL", raising=False)
        with database_of(kind, request) as url:
            give_database(release, kind, folder, url)
            assert run(["migrate", str(folder), "--quiet"]) == 0
            yield kind, folder, url


@pytest.fixture
def old_app(
    migrated: tuple[str, Path, str], monkeypatch: pytest.MonkeyPatch, open_app: Any
) -> Iterator[Any]:
    """Open that app; changes by a test are visible to later tests."""
    _, folder, url = migrated
    if url:
        monkeypatch.setenv("DATABASE_URL", url)
    with open_app(folder, is_ready=True) as app:
        yield app


def in_old_columns(path: Path, old: Path) -> str:
    """Return a table in the columns of an older one, as text: newer columns add nothing."""
    with old.open(encoding="utf-8", newline="") as rows:
        names = next(csv.reader(rows))
    out = io.StringIO(newline="")
    with path.open(encoding="utf-8", newline="") as rows:
        table = csv.DictWriter(out, names, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        table.writerows(csv.DictReader(rows))
    return out.getvalue()


def assert_labels_are(folder: Path, expected: Path) -> None:
    for file in LABELS:
        old = (expected / file).read_text(encoding="utf-8")
        assert in_old_columns(folder / file, expected / file) == old, file


def labels_of(release: Path, kind: str) -> Path:
    return release / "sqlite" / "export" if kind == "sqlite" else release / kind


def test_a_migrated_app_is_valid_and_has_the_same_labels(
    release: Path, migrated: tuple[str, Path, str], old_app: Any, tmp_path: Path
) -> None:
    assert run(["verify", str(old_app.folder), "--quiet"]) == 0
    out = exported(old_app.folder, tmp_path / "out")
    assert_labels_are(out, labels_of(release, migrated[0]))


def test_credentials_from_an_older_version_stay_valid(
    release: Path, migrated: tuple[str, Path, str], old_app: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """A password, an invite, a token of a model, a worker's completion code."""
    given = json.loads((release / migrated[0] / "given_out.json").read_text())
    client = old_app.client()
    for password, status in (("another one", 403), (given["password"], 302)):
        sent = {"login": "olga", "password": password}
        assert client.post("/login", sent).status_code == status
    assert client.get("/organiser/people").status_code == 200
    there = old_app.client().get(f"/invite/{given['invite']}")["Location"]
    assert there == f"/invite#{given['invite']}"
    assert old_app.client().post("/invite", {"token": f"http://x{there}"}).status_code == 200
    bearer = {"Authorization": f"Bearer {given['token']}"}
    assert old_app.client().get("/api/topics", headers=bearer).status_code == 200
    capsys.readouterr()
    assert run(["crowd", "approve", str(old_app.folder), given["code"], "--quiet"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["state"], row["assessor"]) == ("approved", given["worker"])


def test_every_page_of_the_organiser_is_shown(old_app: Any) -> None:
    client = old_app.client("otto", role="organiser")
    for page in ("", "people", "crowd", "crowd/1", "crowd/2", "log", "progress", "agreement",
                 "assessors", "disagreements", "rounds/2", "versions", "preferences", "challenges",
                 "exports", "tokens"):  # fmt: skip
        assert client.get(f"/organiser/{page}").status_code == 200, page


@pytest.mark.parametrize("kind", DATABASES)
def test_a_backup_is_restored_and_judging_continues(
    request: pytest.FixtureRequest,
    release: Path,
    tmp_path: Path,
    kind: str,
    open_app: Any,
    at_work: Any,
) -> None:
    folder = give_campaign(release, kind, tmp_path / "campaign")
    name = "backup.sqlite3" if kind == "sqlite" else "backup.pgdump"
    backup = unpacked(release / kind / f"{name}.xz", tmp_path / name)
    with database_of(kind, request):
        assert run(["restore", str(folder), str(backup), "--quiet"]) == 0
        with open_app(folder, is_ready=True) as app:
            assert_labels_are(exported(folder, tmp_path / "out"), labels_of(release, kind))
            gold = at_work(app, "gold-3", "P16")
            assert gold.values() == [None] * 8
            gold.judge(1, 3)
            gold.judge(1, 2)
            gold.undo()
            assert gold.values()[0] == 3
            assert run(["verify", str(folder), "--quiet"]) == 0


def test_an_export_is_imported_and_exported_unchanged(
    release: Path, tmp_path: Path, give_tables: Callable[[Path], Path]
) -> None:
    first = release / "sqlite" / "export"
    copy = give_tables(shutil.copytree(first, tmp_path / "copy"))
    for _ in range(2):  # the second time, everything exists already
        assert run(["import", str(copy), "--quiet"]) == 0
    assert run(["verify", str(copy), "--quiet"]) == 0
    second = exported(copy, tmp_path / "second", "--documents")
    assert replace(read_campaign(second), folder=first) == read_campaign(first)
    for old in sorted(first.rglob("*.*")):
        new = second / old.relative_to(first)
        text = old.read_text(encoding="utf-8")
        if old.suffix == ".csv":
            assert in_old_columns(new, old) == text, old.name
        elif old.parent.name == "app":
            assert_records_are(new, text)
        elif old.name not in ("manifest.json", "campaign.toml"):
            assert new.read_text(encoding="utf-8") == text, old.name


def assert_records_are(path: Path, expected: str) -> None:
    """Check that records have their earlier values; newer keys add nothing."""
    new = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    old = [json.loads(line) for line in expected.splitlines()]
    if path.name == "format.json":
        return
    assert [{key: row.get(key) for key in was} for row, was in zip(new, old, strict=True)] == old
