"""`/metrics`: its content, and its access rights."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from django.conf import settings
from prometheus_client.parser import text_string_to_metric_families

VARIABLE = "QRELSMITH_METRICS_TOKEN"
SECRET = "s" * 40


def test_the_metrics_contain_counts_of_a_server_and_its_campaign(
    tmp_path: Path, make_campaign: Callable[..., Path], start_server: Callable[..., Any]
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    server = start_server(folder)
    for path in ("health", "health", "login"):
        with urllib.request.urlopen(f"{server.url}/{path}") as answer:  # noqa: S310 - our own
            answer.read()
    with pytest.raises(HTTPError, match="404"):
        urllib.request.urlopen(f"{server.url}/nothing-is-here")  # noqa: S310 - our own
    with urllib.request.urlopen(f"{server.url}/metrics") as answer:  # noqa: S310 - our own
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        text = answer.read().decode()
    samples = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["qrelsmith_answers_total", "200", "GET"] == 3
    assert samples["qrelsmith_answers_total", "404", "GET"] == 1
    assert samples["qrelsmith_request_seconds_count", "health"] == 2
    assert samples["qrelsmith_request_seconds_count", "none"] == 1
    assert samples["qrelsmith_requests_at_work",] == 1
    assert samples["qrelsmith_database_up",] == 1
    assert samples["qrelsmith_judgments",] == 0
    assert samples["qrelsmith_assignments_open",] > 0
    assert samples["qrelsmith_disk_free_bytes",] > 0
    assert samples["qrelsmith_backup_age_seconds",] != samples["qrelsmith_backup_age_seconds",]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"HTTP_HOST": "localhost:8000"}, 200),
        ({"HTTP_HOST": "[::1]:8000", "REMOTE_ADDR": "::1"}, 200),
        # Through an untrusted proxy, requests seem to come from this machine.
        ({"HTTP_HOST": "judge.example.org"}, 404),
        ({"REMOTE_ADDR": "192.0.2.7"}, 404),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": f"Bearer {SECRET}"}, 200),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": f"Bearer {SECRET}x"}, 404),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer ü"}, 404),
    ],
)
def test_this_machine_and_the_token_have_access(
    lite_app: Any, monkeypatch: pytest.MonkeyPatch, headers: Any, status: int
) -> None:
    monkeypatch.setattr(settings, "ALLOWED_HOSTS", ["*"])
    monkeypatch.setenv(VARIABLE, SECRET)
    answer = lite_app.client().get("/metrics", **{"HTTP_HOST": "127.0.0.1:8000", **headers})
    assert answer.status_code == status


def test_without_a_configured_token_no_token_gives_access(
    lite_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    request = {"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer "}
    assert lite_app.client().get("/metrics", **request).status_code == 404
