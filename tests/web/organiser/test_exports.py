"""Exports for download: the output of the command, packed; only for organisers, and logged."""

from __future__ import annotations

import io
import random
import time
import zipfile
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.base.errors import InputError
from qrelsmith.web.jobs import queue
from qrelsmith.web.jobs.runner import JobWork, UnwantedError
from qrelsmith.web.models import Account, Job, OrganiserAction
from qrelsmith.web.organiser import audits_page
from qrelsmith.web.organiser import exports as module
from qrelsmith.web.organiser.exports import delete_export, exports

ADDRESS = "/organiser/exports"


@pytest.fixture
def made() -> Callable[..., str]:
    """Return a function that creates an export, waits for it, and returns its name."""

    def make(app: Any, **fields: Any) -> str:
        client = app.client("olga", role="organiser")
        answer = client.post(f"{ADDRESS}/make", {"what": "campaign"} | fields)
        assert answer.status_code == 302
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            (found,) = exports()
            if found.state != "making":
                assert found.state == "ready"
                return found.name
            time.sleep(0.02)
        pytest.fail("the export was not made in 30 seconds")

    return make


def download(app: Any, name: str) -> bytes:
    answer = app.client("olga", role="organiser").get(f"{ADDRESS}/{name}")
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    return b"".join(answer.streaming_content)


def test_a_download_contains_the_output_of_the_command(
    judged: Any, made: Callable[..., str], exported: Callable[..., Path]
) -> None:
    content = download(judged, made(judged, part=["runs"]))
    folder = exported(judged)
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        assert packed.testzip() is None
        files = {name: packed.read(name) for name in packed.namelist()}
    assert files == {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_campaign_gives_the_same_archive(
    lite_judged: Any, made: Callable[..., str]
) -> None:
    name = made(lite_judged)
    first = download(lite_judged, name)
    assert delete_export(name)
    assert download(lite_judged, made(lite_judged)) == first


def test_an_export_is_ready_when_its_job_is_finished(
    lite_judged: Any, made: Callable[..., str]
) -> None:
    name = made(lite_judged)
    job = Job.objects.create(
        kind="export", key="again", state=Job.State.RUNNING, options={"name": name}
    )
    assert [(each.name, each.state) for each in exports()] == [(name, "making")]
    assert not delete_export(name)
    job.delete()
    assert [(each.name, each.state) for each in exports()] == [(name, "ready")]


def test_a_cancelled_job_publishes_nothing_and_a_finished_job_counts_as_done(
    lite_judged: Any, tmp_path: Path
) -> None:
    running = {"kind": "export", "state": Job.State.RUNNING, "is_unwanted": True}
    cancelled, late = (Job.objects.create(key=key, **running) for key in "ab")
    (tmp_path / "part").write_text("made")
    with pytest.raises(UnwantedError):
        module.publish(JobWork(cancelled.pk, {}), tmp_path / "part", tmp_path / "made")
    assert not (tmp_path / "made").exists()
    queue.end(cancelled, problem="stopped")
    queue.end(late, result="made")
    states = Job.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["cancelled", "done"]


def test_parts_can_be_chosen(lite_judged: Any, made: Callable[..., str]) -> None:
    content = download(lite_judged, made(lite_judged, part=["documents", "spreadsheet"]))
    names = zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert "documents.jsonl" in names
    assert "labels/judgments-spreadsheet.csv" in names


def test_an_export_contains_no_personal_data(lite_judged: Any, made: Callable[..., str]) -> None:
    Account.objects.create(login="A Person's Name", role="viewer", email="me@example.org")
    content = download(lite_judged, made(lite_judged, part=["documents"]))
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        everything = b"".join(packed.read(name) for name in packed.namelist())
    secret = (lite_judged.folder / ".qrelsmith" / "secret.key").read_bytes().strip()
    for private in (b"A Person's Name", b"me@example.org", secret, b"scrypt", b"olga"):
        assert private not in everything


def test_actions_on_exports_are_logged(lite_judged: Any, made: Callable[..., str]) -> None:
    name = made(lite_judged)
    download(lite_judged, name)
    client = lite_judged.client("olga", role="organiser")
    assert client.post(f"{ADDRESS}/{name}/delete").status_code == 302
    olga = lite_judged.account("olga", role="organiser").pk
    actions = OrganiserAction.objects.filter(account=olga).order_by("id")
    assert list(actions.values_list("action", "target")) == [
        ("export", name), ("download", name), ("delete-export", name),
    ]  # fmt: skip
    assert client.get(f"{ADDRESS}/{name}").status_code == 404
    assert client.post(f"{ADDRESS}/{name}/delete").status_code == 400


def test_only_one_export_is_created_at_a_time_and_an_interrupted_one_is_reported(
    lite_judged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "20240101T000000Z-abcd.zip"
    job = queue.ask_alone("export", {"name": name, "documents": False})
    assert job is not None
    client = lite_judged.client("olga", role="organiser")
    assert [each.state for each in exports()] == ["making"]
    assert client.post(f"{ADDRESS}/make", {"what": "campaign"}).status_code == 409
    assert client.post(f"{ADDRESS}/{name}/delete").status_code == 400
    page = client.get(ADDRESS)
    assert f"/organiser/jobs/{job.pk}/cancel".encode() in page.content
    assert page["Refresh"] == "3"
    monkeypatch.setattr(queue, "PATIENCE", timedelta(0))
    while queue.claim(["export"]):
        pass
    assert [each.state for each in exports()] == ["failed"]
    assert b"failed; see the server" in client.get(ADDRESS).content
    assert client.post(f"{ADDRESS}/{name}/delete").status_code == 302
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("kind", "address", "fields"),
    [
        ("export", f"{ADDRESS}/make", {"what": "campaign"}),
        ("audit", "/organiser/audits/make", {}),
        ("backup", "/organiser/backups/make", {}),
    ],
)
def test_two_organisers_at_once_get_one_job(
    app: Any,
    race: Callable[..., list[Any]],
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    address: str,
    fields: dict[str, str],
) -> None:
    for each in (module, audits_page):
        monkeypatch.setattr(each, "work_now", lambda: None)  # the job stays unfinished
    clients = [app.client(name, role="organiser") for name in ("olga", "omar")]
    rng = random.Random(1)
    for _ in range(50):
        first, second = race(*(partial(each.post, address, fields) for each in clients), rng)
        refused = 302 if kind == "backup" else 409
        assert sorted((first.status_code, second.status_code)) == [302, refused]
        assert Job.objects.filter(kind=kind).count() == 1
        Job.objects.all().delete()


def test_a_failed_export_leaves_no_archive(
    lite_judged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise InputError("the disk is full")

    monkeypatch.setattr(module, "export", fail)
    folder = lite_judged.folder / ".qrelsmith" / "exports"
    part = folder / ".20240101T000000Z-abcd.zip-1.part"
    part.mkdir(parents=True)
    with pytest.raises(InputError):
        module._make(JobWork(1, {"name": "20240101T000000Z-abcd.zip"}))
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    "name",
    ["../app.sqlite3", "..%2Fapp.sqlite3", "secret.key", "x.zip", ".20240101T000000Z-abcd.zip"],
)
def test_no_other_file_is_ever_streamed(lite_judged: Any, name: str) -> None:
    client = lite_judged.client("olga", role="organiser")
    assert client.get(f"{ADDRESS}/{name}").status_code == 404


@pytest.mark.parametrize("fields", [{}, {"what": "x"}, {"what": "campaign", "part": "x"}])
def test_invalid_forms_create_no_export(lite_judged: Any, fields: Any) -> None:
    client = lite_judged.client("olga", role="organiser")
    assert client.post(f"{ADDRESS}/make", fields).status_code == 400
    assert exports() == []


def test_viewers_cannot_download_exports(lite_judged: Any, made: Callable[..., str]) -> None:
    name = made(lite_judged)
    viewer = lite_judged.client("the-viewer", role="viewer")
    assert viewer.get(ADDRESS).status_code == 403
    assert viewer.get(f"{ADDRESS}/{name}").status_code == 403
