"""Background jobs: done once, resumed after a kill, cancelled by a click, on both databases."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from qrelsmith.web.jobs import queue, runner
from qrelsmith.web.jobs.queue import ask, cancel, claim, latest
from qrelsmith.web.jobs.runner import Runner, serve_jobs
from qrelsmith.web.models import Account, Job

# Claims the waiting job, and reports this; then it works forever.
WORK_FOREVER = """
import sys, time
from qrelsmith.web.instance import find_instance
from qrelsmith.web.project import use
use(find_instance(sys.argv[1]))
from qrelsmith.web.jobs.queue import claim
print(claim(["probe"]).owner, flush=True)
time.sleep(600)
"""


def until(holds: Callable[[], Any], what: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not in {seconds} s: {what}"
        time.sleep(0.02)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the runs of jobs of the kind `probe`, in order of their start."""
    begun: list[Any] = []

    def probe(work: Any) -> str:
        begun.append(work)
        deadline = time.monotonic() + work.options.get("seconds", 0)
        while time.monotonic() < deadline:
            work.step(len(begun), 10)
            time.sleep(0.01)
        if "fail" in work.options:
            raise ZeroDivisionError
        return f"result of {work.options['name']}"

    monkeypatch.setitem(runner._KINDS, "probe", runner._Kind(probe, is_quick=True))
    monkeypatch.setattr(runner, "BEAT_S", 0.05)
    return begun


@pytest.fixture
def serving(app: Any, runs: list[Any]) -> Iterator[Any]:
    """Start a process that works on jobs."""
    runner = serve_jobs()
    yield runner
    runner.close(10)


def test_a_job_requested_several_times_is_done_once(serving: Any, runs: list[Any]) -> None:
    asked: list[int] = []

    def want() -> None:
        asked.append(ask("probe", {"name": "a", "seconds": 0.3}).pk)
        connection.close()

    threads = [threading.Thread(target=want) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    serving.wake()
    until(lambda: latest("probe", {"name": "a", "seconds": 0.3}), "the job is done")
    assert len(set(asked)) == 1
    assert [work.number for work in runs] == [asked[0]]
    assert Job.objects.get().result == "result of a"


def test_two_processes_never_claim_the_same_job(app: Any) -> None:
    wanted = {ask("probe", {"name": str(number)}).pk for number in range(12)}
    taken: list[int] = []

    def take() -> None:
        while job := claim(["probe"]):
            taken.append(job.pk)
        connection.close()

    threads = [threading.Thread(target=take) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while job := claim(["probe"]):
        taken.append(job.pk)
    assert sorted(taken) == sorted(wanted)


def test_a_killed_process_loses_its_job_to_another_process(
    app: Any, runs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queue.ask("probe", {"name": "a"})
    with subprocess.Popen(
        [sys.executable, "-c", WORK_FOREVER, str(app.folder)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        owner = process.stdout.readline().strip()
        process.kill()
    job.refresh_from_db()
    assert (job.state, job.owner, job.attempts) == ("running", owner, 1)
    assert queue.claim(["probe"]) is None, "it may be alive still"
    monkeypatch.setattr(queue, "PATIENCE", timedelta(0))
    killed = Job.objects.get()
    Runner(stays=False)
    until(lambda: Job.objects.get().state == "done", "another process has done it")
    assert not queue.beat(killed, 1, 2), "what the killed one says counts no more"
    assert not queue.end(killed, result="late")
    assert Job.objects.get().result == "result of a"
    assert len(runs) == 1


def test_a_job_that_kills_every_process_is_abandoned(
    app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "PATIENCE", timedelta(0))
    queue.ask("probe", {"name": "a"})
    assert [queue.claim(["probe"]) is not None for _ in range(4)] == [True, True, True, False]
    job = Job.objects.get()
    assert job.state == "failed"
    assert "3 times" in job.problem


def test_a_job_can_be_cancelled_while_it_waits_and_while_it_runs(
    serving: Any, runs: list[Any]
) -> None:
    running = ask("probe", {"name": "a", "seconds": 60})
    serving.wake()
    until(lambda: Job.objects.get(pk=running.pk).total == 10, "its progress is shown")
    waiting = ask("probe", {"name": "b"})
    client = serving_client(serving)
    for job in (waiting, running):
        assert client.post(f"/organiser/jobs/{job.pk}/cancel").status_code == 302
    until(lambda: Job.objects.get(pk=running.pk).state == "cancelled", "the running one ends")
    assert Job.objects.get(pk=waiting.pk).state == "cancelled"
    assert [work.number for work in runs] == [running.pk]
    assert client.post(f"/organiser/jobs/{running.pk}/cancel").status_code == 400
    assert not cancel(running.pk)


def serving_client(_: Any) -> Any:
    client = Client(raise_request_exception=False, headers={"host": "127.0.0.1"})
    account = Account.objects.create(login="olga", role="organiser")
    client.force_login(account, backend="qrelsmith.web.accounts.login.AccountBackend")
    return client


def test_a_process_that_ends_returns_its_job(serving: Any, runs: list[Any]) -> None:
    ask("probe", {"name": "a", "seconds": 60})
    serving.wake()
    until(lambda: runs, "the job is begun")
    serving.close(10)
    job = Job.objects.get()
    assert (job.state, job.attempts) == ("waiting", 0)


def test_an_error_ends_the_job_but_not_the_runner(serving: Any, runs: list[Any]) -> None:
    bad = ask("probe", {"name": "a", "fail": True})
    ask("probe", {"name": "b"})
    serving.wake()
    until(lambda: latest("probe", {"name": "b"}), "the job after it is done")
    bad = Job.objects.get(pk=bad.pk)
    assert (bad.state, bad.problem) == ("failed", "ZeroDivisionError")
