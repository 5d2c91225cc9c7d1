"""A server with a full disk: one sentence for each refused step, and nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.hub.conftest import Hub, Person

pytestmark = [pytest.mark.full, pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small disk")]
REFUSED = "The database is not available at the moment. Everything reported as saved is safe."
ENDPOINT = "https://api.example.org/v1"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "none", folder]).returncode:
        pytest.skip("cannot mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", folder])


def test_every_step_on_a_full_disk_is_refused_in_one_sentence_and_works_afterwards(
    small_disk: Path,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QRELSMITH_ENDPOINTS", ENDPOINT)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = give_tables(make_campaign(small_disk / "one"))
    hub = Hub(folder)
    try:
        root = hub.first_admin()
        anna = hub.person().register(root.link_alone("b1"), "anna")
        labels = [label(anna, number) for number in range(2)]
        assert [status for status, _ in labels] == [200, 200]
        filler, free = small_disk / "filler", os.statvfs(small_disk)
        filler.write_bytes(b"x" * (free.f_bavail * free.f_bsize))
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
            assert (path, answer.status, REFUSED in answer.text) == (path, 503, True)
        answer = root.post("/organiser/tokens/key", endpoint=ENDPOINT, key="sk-1")
        assert "The key was not saved: No space left on device." in answer.text
        for path in ("exports", "audits", "backups", "tokens", "people"):
            assert root.get(f"/organiser/{path}").status == 200
        filler.unlink()
        assert label(anna, number - 1)[0] == 200
        for path, fields in steps.items():
            assert root.post(f"/organiser/{path}", **fields).status == 200, path
        rows = json.loads(anna.get("/api/assignments").text)["assignments"]
        assert sum(row["judged"] for row in rows) == number
        hub.run("app verify")
    finally:
        hub.close()


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
