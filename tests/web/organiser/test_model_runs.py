"""Runs of models on the organiser's page: started in the browser, and compared over time."""

from __future__ import annotations

import errno
import json
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.web.organiser.conftest import GRADES, Page

from qrelsmith import judge
from qrelsmith.collection.qrels import Qrels
from qrelsmith.models.anchors import COLUMNS
from qrelsmith.web.jobs.queue import UNFINISHED
from qrelsmith.web.models import Event, Job

PRICES = {"spend": "1", "price_in": "0.5", "price_out": "1"}


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[str]]]:
    """The address of an endpoint that browsers may name, and the keys that it was sent."""
    keys: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            keys.append(self.headers["Authorization"])
            self.rfile.read(int(self.headers["Content-Length"]))
            message = {"message": {"content": '{"grade": 1}'}}
            content = json.dumps({"choices": [message]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        monkeypatch.setenv("QRELSMITH_ENDPOINTS", url)
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-server")
        yield url, keys
        server.shutdown()


def run_model(client: Any, **given: str) -> Job:
    """Start a run in the browser; return its job when it has ended."""
    assert client.post("/organiser/tokens/run", {"assessor": "gpt-x", **given}).status_code == 302
    jobs = Job.objects.filter(kind="model-run").order_by("-pk")
    deadline = time.monotonic() + 120
    while jobs[0].state in UNFINISHED:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert (jobs[0].state, jobs[0].problem) == (Job.State.DONE, "")
    return jobs[0]


def test_a_run_of_the_baseline_is_made_and_shown(lite_app: Any, lite_model: Any) -> None:
    client = lite_app.client("olga", role="organiser")
    run_model(client, endpoint="builtin:lexical")
    assert Event.objects.filter(assessor__name="gpt-x").exists()
    assert "builtin:lexical" in client.get("/organiser/tokens").content.decode()


def test_a_key_is_sent_to_its_endpoint_and_never_shown(
    lite_app: Any, lite_model: Any, endpoint: tuple[str, list[str]]
) -> None:
    (url, sent), key = endpoint, "sk-0123456789abcdefghij"
    client = lite_app.client("olga", role="organiser")
    change = "/organiser/tokens/key"
    assert client.post(change, {"endpoint": url, "key": key}).status_code == 302
    (file,) = (lite_app.folder / ".qrelsmith" / "keys").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    run_model(client, endpoint=url, model="m", **PRICES)
    assert set(sent) == {f"Bearer {key}"}
    for page in ("tokens", "log"):
        assert key not in client.get(f"/organiser/{page}").content.decode()
    holders = [path for path in lite_app.folder.rglob("*") if path.is_file() and path != file]
    assert not [path for path in holders if key.encode() in path.read_bytes()]
    for wrong in ("", "two words"):
        assert client.post(change, {"endpoint": url, "key": wrong}).status_code == 400
    assert file.read_text() == f"{key}\n"
    client.post(change, {"endpoint": url, "delete": "1"})
    assert not file.exists()


def test_a_key_of_the_operator_is_sent_to_its_own_host_alone(
    lite_app: Any,
    lite_model: Any,
    endpoint: tuple[str, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (url, sent), key = endpoint, "sk-of-the-operator"
    monkeypatch.setenv("QRELSMITH_KEY_FOLDER", str(tmp_path))
    client = lite_app.client("olga", role="organiser")
    for host, is_shown in (("localhost", False), ("127.0.0.1", True)):
        (tmp_path / host).write_text(f"{key}\n")
        (tmp_path / host).chmod(0o600)
        shown = client.get("/organiser/tokens").content.decode()
        assert ("set by the operator" in shown, key in shown) == (is_shown, False)
    run_model(client, endpoint=url, model="m", **PRICES)
    assert set(sent) == {f"Bearer {key}"}


def test_a_full_disk_keeps_the_earlier_key(
    lite_app: Any, lite_model: Any, endpoint: tuple[str, list[str]]
) -> None:
    client, given = lite_app.client("olga", role="organiser"), {"endpoint": endpoint[0]}
    client.post("/organiser/tokens/key", given | {"key": "first"})
    folder = lite_app.folder / ".qrelsmith" / "keys"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fdopen", full_disk)
        answer = client.post("/organiser/tokens/key", given | {"key": "second"})
    assert answer.status_code == 400
    assert "The key was not saved: No space left on device." in answer.content.decode()
    assert [path.read_text() for path in folder.iterdir()] == ["first\n"]


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/v1", "http://169.254.169.254/v1", "https://example.org/v1", ""]
)
def test_only_endpoints_on_the_list_are_asked_or_given_keys(
    lite_app: Any, lite_model: Any, endpoint: tuple[str, list[str]], url: str
) -> None:
    client = lite_app.client("olga", role="organiser")
    run = {"assessor": "gpt-x", "endpoint": url, "model": "m", **PRICES}
    assert client.post("/organiser/tokens/run", run).status_code == 400
    key = {"endpoint": url, "key": "sk-0123456789"}
    assert client.post("/organiser/tokens/key", key).status_code == 400
    assert not Job.objects.filter(kind="model-run").exists()
    assert not (lite_app.folder / ".qrelsmith" / "keys").exists()


def test_a_model_that_changed_on_its_anchors_has_a_picture(judged: Any) -> None:
    client, address = judged.client("olga", role="organiser"), "/organiser/tokens"
    humans = [
        (topic, f"d{place:05}", int(grade))
        for (assessor, topic), grades in GRADES.items()
        for place, grade in enumerate(grades)
        if assessor == "t1" and grade.isdigit()
    ]
    label_anchors(judged.folder, humans)
    assert "Drift" not in client.get(address).content.decode()
    label_anchors(judged.folder, humans)
    spoil_last_run(judged.folder / ".qrelsmith" / "anchors.csv")
    page = Page(client.get(address))
    assert "Drift of baseline-lexical" in page.text
    assert page.html.count("<svg") == 1
    rows = page.rows("Drift of baseline-lexical")
    assert [row[2] for row in rows] == ["alpha", "agreement", "bias", "coverage"] * 2
    assert [row[5] for row in rows[:4]] == ["pass"] * 4
    assert rows[4][5] == "fail"


def label_anchors(folder: Path, humans: list[tuple[str, str, int]]) -> None:
    """Have the baseline label the docs anew."""
    judge(folder, endpoint="builtin:lexical", anchors=Qrels.from_rows(humans))


def spoil_last_run(file: Path) -> None:
    """Turn the grades of the last date upside down."""
    head, *lines = file.read_text("utf-8").splitlines()
    last = max(line.partition(",")[0] for line in lines)
    spoiled = []
    for line in lines:
        before, grade, people = line.rsplit(",", 2)
        spoiled.append(f"{before},{2 - int(grade)},{people}" if line.startswith(last) else line)
    file.write_text("\n".join([head, *spoiled]) + "\n", "utf-8")


def test_a_broken_file_of_anchors_is_named_on_the_page(lite_judged: Any) -> None:
    file = lite_judged.folder / ".qrelsmith" / "anchors.csv"
    file.write_text(",".join(COLUMNS) + "\nyesterday,m,m,p,1,s,{},q1,d00001,1,1\n", "utf-8")
    page = Page(lite_judged.client("olga", role="organiser").get("/organiser/tokens"))
    assert "anchors.csv:2: expected the columns date,assessor,model" in page.text


def full_disk(handle: int, *_: object) -> None:
    os.close(handle)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
