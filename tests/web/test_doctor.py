"""`qrelsmith doctor` finds what is planted, and nothing on a healthy set-up."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.base.tables import Table
from qrelsmith.campaign.server_settings import ServerSettings

OLD_S = 500 * 24 * 3600


def wrong(table: Table) -> dict[str, str]:
    return {str(row[0]): str(row[2]) for row in table.rows if row[1] == "wrong"}


@pytest.fixture
def healthy(lite_app: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An app with a backup, whose address answers with these headers and this text."""
    from qrelsmith.web.maintenance.backup import back_up
    from qrelsmith.web.project import current_instance
    from qrelsmith.web.serving import doctor

    back_up()
    answer: tuple[dict[str, str], str] = ({"strict-transport-security": "max-age=1"}, "ok\n")
    monkeypatch.setattr(doctor, "_fetch", lambda url: answer)
    return current_instance()


def test_a_healthy_app_has_nothing_wrong(healthy: Any) -> None:
    from qrelsmith.web.serving.doctor import examine

    server = ServerSettings(public_url="https://judge.example.org")
    assert wrong(examine(server)) == {}
    assert len(examine(server).rows) >= 10


def token(instance: Any) -> None:
    from qrelsmith.web.accounts.tokens import make_token
    from qrelsmith.web.models import Assessor

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
    from django.db.migrations.recorder import MigrationRecorder

    last = MigrationRecorder.Migration.objects.filter(app="qrelsmith_web").order_by("-name")
    MigrationRecorder.Migration.objects.filter(pk=last[0].pk).delete()


def wrong_clock(instance: Any) -> None:
    from django.utils import timezone

    from qrelsmith.web.models import OrganiserAction

    OrganiserAction.objects.create(action="backup", at=timezone.now() + timedelta(hours=3))


def old_backup(instance: Any) -> None:
    for path in instance.backups.iterdir():
        os.utime(path, (time.time() - 8 * 24 * 3600,) * 2)


def old_secret(instance: Any) -> None:
    os.utime(instance.key, (time.time() - OLD_S,) * 2)


@pytest.mark.parametrize(
    ("check", "plant", "problem"),
    [
        ("identity", other_campaign, "of another campaign"),
        ("schema", missing_migration, "run qrelsmith migrate"),
        ("clock", wrong_clock, "which is to come"),
        ("backup", old_backup, "is 8 days old"),
        ("permissions", lambda instance: instance.key.chmod(0o644), "can be read by others"),
        ("secret", old_secret, "is 500 days old"),
        ("tokens", token, "is good until"),
    ],
)
def test_a_planted_fault_is_found(
    healthy: Any, check: str, plant: Callable[[Any], None], problem: str
) -> None:
    from qrelsmith.web.serving.doctor import examine

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
    from qrelsmith.web.serving import doctor

    def asked(_: str) -> Any:
        if answer is None:
            raise OSError("refused")
        return answer

    monkeypatch.setattr(doctor, "_fetch", asked)
    assert list(wrong(doctor.examine(ServerSettings(public_url=url)))) == [check]


def test_a_full_disk_is_found(healthy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    from qrelsmith.web.serving.doctor import examine

    usage = shutil.disk_usage(Path.cwd())._replace(free=1000)
    monkeypatch.setattr("qrelsmith.web.serving.doctor.shutil.disk_usage", lambda _: usage)
    assert list(wrong(examine(ServerSettings()))) == ["disk"]


def test_a_server_that_answers_is_asked(
    tmp_path: Path, make_campaign: Callable[..., Path], start_server: Callable[..., Any]
) -> None:
    server = start_server(make_campaign(tmp_path / "campaign"))
    server.run("backup")
    assert "wrong" not in server.run("doctor", "--exit-code")
