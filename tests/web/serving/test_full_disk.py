"""A server with a full disk: one sentence for each refused step, and nothing lost."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from tests.web.fixtures.small_disk import SmallDisk
from tests.web.hub.conftest import Hub, Person

pytestmark = [pytest.mark.full, pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small disk")]
REFUSED = (
    "The server's disk is full: nothing can be saved until the server's operator frees up space."
    " Everything reported as saved is safe."
)
ENDPOINT = "https://api.example.org/v1"


def test_every_step_on_a_full_disk_is_refused_in_one_sentence_and_works_afterwards(
    small_disk: SmallDisk,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QRELSMITH_ENDPOINTS", ENDPOINT)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = give_tables(make_campaign(small_disk.folder / "one"))
    hub = Hub(folder)
    try:
        root = hub.first_admin()
        anna = hub.person().register(root.link_alone("b1"), "anna")
        labels = [label(anna, number) for number in range(2)]
        assert [status for status, _ in labels] == [200, 200]
        small_disk.fill()
        number, status = 2, 200
        while status == 200:  # SQLite may have some pages left
            (status, text), number = label(anna, number), number + 1
        assert (status, json.loads(text)["message"]) == (503, REFUSED)
        steps: dict[str, dict[str, str]] = {
            "exports/make": {"what": "campaign"}, "audits/make": {}, "backups/make": {},
            "invites": {"role": "viewer"},
        }  # fmt: skip
        for path, fields in steps.items():
            answer = root.post(f"/organiser/{path}", **fields)
            assert (path, answer.status, REFUSED in unescape(answer.text)) == (path, 503, True)
        answer = root.post("/organiser/tokens/key", endpoint=ENDPOINT, key="sk-1")
        assert "The key was not saved: No space left on device." in answer.text
        for path in ("exports", "audits", "backups", "tokens", "people"):
            assert root.get(f"/organiser/{path}").status == 200
        small_disk.free()
        assert label(anna, number - 1)[0] == 200
        for path, fields in steps.items():
            assert root.post(f"/organiser/{path}", **fields).status == 200, path
        rows = json.loads(anna.get("/api/assignments").text)["assignments"]
        assert sum(row["judged"] for row in rows) == number
        hub.run("app verify")
    finally:
        hub.close()


def test_an_audit_on_a_disk_that_fills_fails_in_one_sentence_and_succeeds_later(
    small_disk: SmallDisk,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = give_tables(make_campaign(small_disk.folder / "one"))
    hub = Hub(folder)
    try:
        root = hub.first_admin()
        anna = hub.person().register(root.link_alone("b1"), "anna")
        assert label(anna, 0)[0] == 200
        failed = "failed: the server's disk is full; free up space, then start it again"
        for times, left in enumerate((150_000, 300_000), start=1):  # in the export, in the report
            small_disk.fill(left)
            assert unescape(audited(root)).count(failed) == times
            assert [*(folder / ".qrelsmith" / "audits").iterdir()] == []
            small_disk.free()
        assert "finished" in audited(root)
        hub.run("app verify")
    finally:
        hub.close()


def audited(root: Person) -> str:
    """Start an audit, and return the page with its end."""
    assert root.post("/organiser/audits/make").status == 200
    while "in progress" in (text := root.get("/organiser/audits").text):
        time.sleep(0.5)
    return text


def label(person: Person, number: int) -> tuple[int, str]:
    """Label the doc of a number; return status and body of the response."""
    rows: list[dict[str, Any]] = json.loads(person.get("/api/assignments").text)["assignments"]
    address = f"/api/assignments/{rows[0]['assignment']}"
    doc = json.loads(person.get(f"{address}/docs").text)["docs"][number]
    answer = person.post(
        f"{address}/judgments", op_id=f"operation-{number:06}", doc=doc["doc"], value=1,
        sha256=doc["sha256"], base_revision=doc["revision"],
    )  # fmt: skip
    return answer.status, answer.text
