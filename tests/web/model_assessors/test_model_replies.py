"""The data of a model's run in the app: replies with their cost, failures, but no key."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from django.db import connection
from tests.models.hostile import HostileServer, running
from tests.web.model_assessors.test_label_files import LLM, is_verified

from qrelsmith.cli import run
from qrelsmith.models.model_costs import model_costs
from qrelsmith.web.model_assessors.verification import reply_check
from qrelsmith.web.models import Event, ModelReply

KEY = "sk-hostile-7d20aa"


@pytest.fixture
def truthful(lite_app: Any) -> Any:
    """Return an app whose docs contain their right grade, with a group of models."""
    texts = lite_app.folder / "documents.jsonl"
    docs = [json.loads(line) for line in texts.read_text("utf-8").splitlines()]
    lines = [
        json.dumps({"doc_id": doc["doc_id"], "text": f"truth {place % 3}, doc {place}"}) + "\n"
        for place, doc in enumerate(docs)
    ]
    texts.write_text("".join(lines), encoding="utf-8")
    with (lite_app.folder / "campaign.toml").open("a", encoding="utf-8") as out:
        out.write(LLM)
    assert run(["import", str(lite_app.folder), "--quiet"]) == 0
    return lite_app


def words(app: Any, server: HostileServer, *more: str) -> list[str]:
    asked = ["judge", str(app.folder), "--endpoint", server.address, "--model", "m"]
    return [*asked, "--price-in", "1", "--price-out", "2", "--quiet", *more]


def test_replies_and_error_records_are_in_the_log_the_export_and_on_the_page(
    truthful: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with running(HostileServer({"off-scale": 0.7}, key=KEY)) as server:
        assert run(words(truthful, server, "--concurrency", "1")) == 0
    labels = Event.objects.count()
    replies = ModelReply.objects.all()
    assert 0 < labels < 12 < replies.count() == len(server.bodies)
    assert replies.filter(fault="").count() == labels
    assert sum(each.tokens for each in replies) == server.tokens
    assert sum(each.money for each in replies) == 1000 * server.money
    assert all(each.latency_ms is not None and each.request for each in replies)
    failed = replies.exclude(fault="").values("topic", "doc")
    assert is_verified()
    page = truthful.client("olga", role="organiser").get("/organiser/tokens").content.decode()
    assert f"{server.tokens:,} tokens" in page
    _, _, missing = page.partition("Failed labels")
    assert missing.partition("</details>")[0].count("<td>3</td>") == 12 - labels, "each once"
    assert f"<td>{labels}</td><td>{12 - labels}</td><td>{len(server.bodies)}</td>" in page
    assert failed.distinct().count() >= 12 - labels

    folder = tmp_path / "export"
    assert run(["export", str(truthful.folder), "-o", str(folder), "--quiet"]) == 0
    lines = (folder / "app" / "model_replies.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(line)["op_id"] for line in lines} == {each.op_id for each in replies}
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["parameters"]["model_replies"] == len(lines)
    (model,) = model_costs(folder)
    assert (model["assessor"], model["replies"], model["tokens"]) == (
        "m.grade", len(lines), server.tokens,
    )  # fmt: skip
    assert run(["backup", str(truthful.folder)]) == 0
    files = [path for place in (truthful.folder, folder) for path in place.rglob("*")]
    assert any(path.parent.name == "backups" for path in files)
    assert not any(KEY.encode() in path.read_bytes() for path in files if path.is_file())


def test_no_server_log_and_no_metric_contains_a_key_while_a_model_judges(
    truthful: Any, start_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    site = start_server(truthful.folder)
    with running(HostileServer({"off-scale": 0.3, "broken": 0.2}, key=KEY)) as server:
        assert run(words(truthful, server)) == 0
    headers = {"Authorization": f"Bearer {KEY}"}
    asked = urllib.request.Request(f"{site.url}/api/topics", headers=headers)  # noqa: S310 - our own
    with pytest.raises(HTTPError, match="401"):
        urllib.request.urlopen(asked)  # noqa: S310 - our own
    with urllib.request.urlopen(f"{site.url}/metrics") as answer:  # noqa: S310 - our own
        metrics = answer.read()
    assert b"qrelsmith_judgments" in metrics
    assert KEY.encode() not in metrics
    logs = [path.read_bytes() for path in truthful.folder.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in content for content in [*logs, *map(str.encode, site.said)])


def test_labels_of_a_killed_run_are_in_the_app_and_the_next_run_repeats_none(truthful: Any) -> None:
    with running(HostileServer(delay=0.4)) as server:
        command = [sys.executable, "-m", "qrelsmith", *words(truthful, server)]
        command += ["--concurrency", "1"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 60
            while Event.objects.count() < 2 and time.monotonic() < deadline:
                time.sleep(0.05)
            os.kill(process.pid, signal.SIGKILL)
        there = Event.objects.count()
        assert 2 <= there < 12
        server.delay = 0.0
        assert run(words(truthful, server)) == 0
    assert Event.objects.count() == ModelReply.objects.count() == 12
    assert not Event.objects.exclude(revision=1).exists()
    assert is_verified()


def test_a_label_that_differs_from_its_reply_is_found(truthful: Any) -> None:
    assert run(["judge", str(truthful.folder), "--endpoint", "builtin:lexical", "--quiet"]) == 0
    check = reply_check()
    assert (check.rows, check.wrong) == (12, 0)
    with connection.cursor() as cursor:
        for statement in _without_triggers():
            cursor.execute(statement)
        cursor.execute("UPDATE qrelsmith_web_modelreply SET answer = '{\"grade\": 9}' WHERE id = 1")
    assert reply_check().wrong == 1


def test_an_import_accepts_replies_and_refuses_those_of_unknown_models(
    truthful: Any, tmp_path: Path, open_app: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["judge", str(truthful.folder), "--endpoint", "builtin:lexical", "--quiet"]) == 0
    folder = tmp_path / "export"
    assert run(["export", str(truthful.folder), "-o", str(folder), "--quiet"]) == 0
    path = folder / "app" / "model_replies.jsonl"
    text = path.read_text("utf-8")
    with open_app(folder):
        assert run(["import", str(folder), "--quiet"]) == 0
        assert ModelReply.objects.count() == 12
    path.write_text(text.replace('"topic": "q1"', '"topic": "q7"'), encoding="utf-8")
    capsys.readouterr()
    assert run(["import", str(folder)]) == 2
    assert "model_replies.jsonl:1: the topic 'q7' is unknown" in capsys.readouterr().err


def _without_triggers() -> Iterator[str]:
    for verb in ("update", "delete"):
        yield f"DROP TRIGGER IF EXISTS qrelsmith_web_modelreply_no_{verb}"
