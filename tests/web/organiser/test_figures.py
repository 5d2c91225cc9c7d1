"""Figures of the organiser's pages while the app is served: one job computes them for all."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from qrelsmith.judging_times.judging_pace import Forecast, Pace
from qrelsmith.web.jobs.queue import unfinished_jobs
from qrelsmith.web.jobs.results import read_result, result_text
from qrelsmith.web.jobs.runner import serve_jobs
from qrelsmith.web.models import Job
from qrelsmith.web.organiser import figures
from qrelsmith.web.organiser.progress import Progress, ProgressPart

WAITING = b"These figures are being computed"


@pytest.fixture
def served(judged: Any) -> Iterator[Any]:
    """Return an app with judgments whose process works on jobs."""
    runner = serve_jobs()
    yield judged
    runner.close(30)


def shown(client: Any, address: str) -> bytes:
    """Return the page once its figures are computed."""
    deadline = time.monotonic() + 60
    while WAITING in (answer := client.get(address)).content:
        assert answer["Refresh"] == "2"
        assert time.monotonic() < deadline
        time.sleep(0.1)
    lines = answer.content.split(b"\n")
    return b"\n".join(line for line in lines if b'name="csrfmiddlewaretoken"' not in line)


@pytest.mark.parametrize("page", ["agreement", "progress"])
def test_a_page_equals_that_of_an_app_that_computes_its_figures_at_once(
    judged: Any, page: str
) -> None:
    client = judged.client("olga", role="organiser")
    address = f"/organiser/{page}"
    at_once = shown(client, address)
    runner = serve_jobs()
    try:
        assert shown(client, address) == at_once
    finally:
        runner.close(30)


def test_the_same_events_are_computed_once(served: Any) -> None:
    client = served.client("olga", role="organiser")
    first = shown(client, "/organiser/agreement")
    assert Job.objects.filter(kind="figures").count() == 1
    assert shown(client, "/organiser/agreement") == first
    assert Job.objects.filter(kind="figures").count() == 1
    shown(client, "/organiser/agreement?coefficient=phi")
    assert Job.objects.filter(kind="figures").count() == 2


def test_old_figures_are_shown_while_new_ones_are_computed(
    served: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = served.client("olga", role="organiser")
    shown(client, "/organiser/progress")
    own = figures._FIGURES["progress"]

    def slow(*given: Any) -> Any:
        time.sleep(3)
        return own.compute(*given)

    monkeypatch.setitem(figures._FIGURES, "progress", replace(own, compute=slow))
    monkeypatch.setattr(figures, "MOST_AGE_S", 0.0)
    started = time.perf_counter()
    answer = client.get("/organiser/progress")
    assert time.perf_counter() - started < 2.5
    assert WAITING not in answer.content
    assert answer["Refresh"] == "2"
    while unfinished_jobs("figures").exists():
        time.sleep(0.1)


def test_results_are_read_unchanged() -> None:
    part = ProgressPart("b1", "bronze", 1, 2, 3, pace=Pace(25, 1.5), forecast=Forecast(docs=4))
    progress = Progress(part, [part], [], [part, part], [], "active")
    text = result_text(progress)
    back = read_result(text, Progress)
    assert back.everything.pace.median == 1.5
    assert back.assessors == []
    assert result_text(back) == text
    assert isinstance(back.topics[1], ProgressPart)
