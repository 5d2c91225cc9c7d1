"""Many clients at once, bad connections, a killed server: nothing is lost, nothing counts twice.

`benchmarks/races.py` runs these tests with 50 clients and 2,000 judgments.
"""

from __future__ import annotations

import http.client
import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from qrelsmith.web.models import AssignedDoc, Contest, Event, PairTask, PreferenceEvent
from qrelsmith.web.pairs.searches import state_of
from qrelsmith.web.verification.whole import verified

pytestmark = [pytest.mark.slow, pytest.mark.full]

IS_LARGE = "QRELSMITH_TRIES" in os.environ
CLIENTS, EACH = (50, 40) if IS_LARGE else (16, 25)

TOML = """\
format = 1
[scale]
levels = [{ grade = 0 }, { grade = 1 }, { grade = 2 }]
[groups.bronze]
assessors = [%s]
per_doc = %d
"""


@pytest.fixture
def crowd(tmp_path: Path, make_campaign: Callable[..., Path]) -> Path:
    """Return a campaign of one topic with some docs and many assessors who judge them all."""
    names = ", ".join(f'"a{n:02}"' for n in range(CLIENTS))
    return make_campaign(tmp_path / "crowd", topics=1, docs=EACH, toml=TOML % (names, CLIENTS))


def the_assignment(page: Any) -> int:
    """Return the number of the only assignment of a user."""
    return int(page.get("/api/assignments")["assignments"][0]["assignment"])


def a_judgment(doc: dict[str, Any], op_id: str, value: int) -> dict[str, Any]:
    """Return a judgment as sent by a client."""
    return {
        "op_id": op_id,
        "doc": doc["doc"],
        "value": value,
        "sha256": doc["sha256"],
        "base_revision": doc["revision"],
    }


def judged(page: Any, assignment: int, rng: random.Random, acknowledged: dict[str, Any]) -> None:
    """Judge all docs over a connection that sometimes fails."""
    path = f"/api/assignments/{assignment}/judgments"
    for doc in page.get(f"/api/assignments/{assignment}/docs?limit=500")["docs"]:
        body = a_judgment(doc, f"{rng.getrandbits(128):032x}", rng.randrange(3))
        trouble = rng.random()
        if trouble < 0.15:  # the response is lost
            page.shoot("POST", path, body)
            page.hang_up()
        elif trouble < 0.3:  # the request arrives twice
            status, _ = page.post(path, body)
            assert status == 200
        status, answer = page.post(path, body)
        assert status == 200, answer
        acknowledged[body["op_id"]] = body


PREFERENCES = """
[preferences]
scheduler = "rounds"
k = 3
groups = ["bronze"]
per_pair = 2
challenges = 1
swapped = 0.1
share = "pair"
source = "qrels/g.qrels"
"""


@pytest.fixture
def comparing_crowd(tmp_path: Path, make_campaign: Callable[..., Path]) -> Path:
    """Return a campaign of two topics with 12 candidates each, compared by many assessors."""
    names = ", ".join(f'"a{n:02}"' for n in range(CLIENTS))
    toml = TOML % (names, 1) + PREFERENCES
    folder = make_campaign(tmp_path / "crowd", topics=2, docs=24, toml=toml)
    (folder / "qrels").mkdir()
    grades = [f"q{topic} 0 d{n:05} {int(n < 12)}\n" for topic in (1, 2) for n in range(24)]
    (folder / "qrels" / "g.qrels").write_text("".join(grades))
    return folder


def compared(
    page: Any, rng: random.Random, acknowledged: dict[str, Any], seen: list[tuple[int, int]],
    *, most: int = 10_000,
) -> None:  # fmt: skip
    """Compare pairs over a bad connection until all topics are done, or there were enough."""
    waiting = {each["contest"] for each in page.get("/api/contests")["contests"]}
    while waiting and most:
        contest = rng.choice(sorted(waiting))
        path = f"/api/contests/{contest}"
        found = page.get(f"{path}/next")
        if found["pair"] is None:
            if found["reason"] == "done":
                waiting.remove(contest)
            else:
                time.sleep(0.3)
            continue
        pair = found["pair"]
        seen.append((contest, pair["pair"]))
        body = {
            "op_id": f"{rng.getrandbits(128):032x}",
            "pair": pair["pair"],
            "outcome": rng.choice([-1, -1, 0, 1, 1]),
            "base_revision": pair["revision"],
            "left_sha256": pair["left"]["sha256"],
            "right_sha256": pair["right"]["sha256"],
            "topic_version": pair["topic_version"],
        }
        trouble = rng.random()
        if trouble < 0.15:  # the response is lost
            page.shoot("POST", f"{path}/judgments", body)
            page.hang_up()
        elif trouble < 0.3:  # the request arrives twice
            status, _ = page.post(f"{path}/judgments", body)
            assert status == 200
        status, answer = page.post(f"{path}/judgments", body)
        assert status == 200, answer
        acknowledged[body["op_id"]] = body
        most -= 1


def test_many_clients_compare_pairs_and_no_two_have_the_same_one(
    comparing_crowd: Path,
    database_url: str,
    start_server: Callable[..., Any],
    log_in: Callable[..., Any],
    browser: Callable[..., Any],
) -> None:
    server = start_server(comparing_crowd, database_url=database_url)
    logins = log_in(comparing_crowd, *(f"a{n:02}" for n in range(CLIENTS)))
    acknowledged: dict[str, Any] = {}
    seen: dict[int, list[tuple[int, int]]] = {n: [] for n in range(CLIENTS)}

    def work(number: int) -> None:
        page = browser(server.url, logins[number])
        compared(page, random.Random(number), acknowledged, seen[number])

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(work, range(CLIENTS)))
    server.close()
    shown = [pair for pairs in seen.values() for pair in dict.fromkeys(pairs)]
    assert len(shown) == len(set(shown)), "two assessors had one pair"
    assert_answers_kept(acknowledged, are_done=True)


def test_a_killed_server_has_lost_no_answer_to_a_pair(
    comparing_crowd: Path,
    database_url: str,
    start_server: Callable[..., Any],
    log_in: Callable[..., Any],
    browser: Callable[..., Any],
) -> None:
    server = start_server(comparing_crowd, database_url=database_url)
    logins = log_in(comparing_crowd, *(f"a{n:02}" for n in range(10)))
    acknowledged: dict[str, Any] = {}
    interrupted = []

    def work(number: int) -> None:
        page = browser(server.url, logins[number])
        try:
            compared(page, random.Random(number), acknowledged, [])
        except (OSError, http.client.HTTPException):
            interrupted.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 60
    while len(acknowledged) < 40 and time.monotonic() < deadline:
        time.sleep(0.01)
    server.kill()
    for thread in threads:
        thread.join(timeout=120)
    assert len(interrupted) == 10, "the server was killed after the work was done"
    before = dict(acknowledged)
    assert_answers_kept(before, may_hold_more=True)

    again = start_server(comparing_crowd, database_url=database_url)
    with ThreadPoolExecutor(10) as pool:
        pages = [browser(again.url, login) for login in logins]
        list(
            pool.map(
                lambda number: compared(
                    pages[number], random.Random(100 + number), acknowledged, [], most=10
                ),
                range(10),
            )
        )
    again.close()
    assert len(acknowledged) >= len(before) + 100
    assert_answers_kept(acknowledged, may_hold_more=True)


def assert_answers_kept(
    acknowledged: dict[str, Any], *, may_hold_more: bool = False, are_done: bool = False
) -> None:
    """Check that every acknowledged answer is one event and current, and `verify` finds nothing."""
    connections.close_all()
    events = {event.op_id: event for event in PreferenceEvent.objects.select_related("pair")}
    assert acknowledged.keys() <= events.keys()
    if not may_hold_more:
        assert acknowledged.keys() == events.keys()
    for op_id, body in acknowledged.items():
        event = events[op_id]
        assert (event.pair_id, event.outcome) == (body["pair"], body["outcome"])
        assert (event.pair.revision, event.pair.outcome) == (1, body["outcome"])
        assert event.assessor_id == event.pair.assessor_id
    assert PairTask.objects.filter(is_judged=True).count() == len(events)
    assert {check.name: check.wrong for check in verified() if check.wrong} == {}
    for contest in Contest.objects.select_related("topic"):
        assert contest.is_done == state_of(contest).done == (are_done or contest.is_done)


def test_many_clients_with_retries_lose_and_duplicate_nothing(
    crowd: Path,
    database_url: str,
    start_server: Callable[..., Any],
    log_in: Callable[..., Any],
    browser: Callable[..., Any],
) -> None:
    # Two processes serve one campaign, also on SQLite.
    servers = [start_server(crowd, database_url=database_url) for _ in range(2)]
    logins = log_in(crowd, *(f"a{n:02}" for n in range(CLIENTS)))
    acknowledged: dict[str, Any] = {}

    def work(number: int) -> None:
        page = browser(servers[number % 2].url, logins[number])
        judged(page, the_assignment(page), random.Random(number), acknowledged)

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(work, range(CLIENTS)))
    for server in servers:
        server.close()
    assert len(acknowledged) == CLIENTS * EACH
    assert_kept(acknowledged)


def test_a_killed_server_has_lost_no_acknowledged_judgment(
    crowd: Path,
    database_url: str,
    start_server: Callable[..., Any],
    log_in: Callable[..., Any],
    browser: Callable[..., Any],
) -> None:
    server = start_server(crowd, database_url=database_url)
    logins = log_in(crowd, *(f"a{n:02}" for n in range(10)))
    acknowledged: dict[str, Any] = {}
    unanswered: dict[str, Any] = {}

    def work(number: int) -> None:
        page = browser(server.url, logins[number])
        try:
            judged(page, the_assignment(page), random.Random(number), acknowledged)
        except (OSError, http.client.HTTPException):
            unanswered[str(number)] = True

    threads = [threading.Thread(target=work, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 60
    while len(acknowledged) < 40 and time.monotonic() < deadline:
        time.sleep(0.01)
    server.kill()
    for thread in threads:
        thread.join(timeout=120)
    assert len(unanswered) == 10, "the server was killed after the work was done"
    before = dict(acknowledged)

    again = start_server(crowd, database_url=database_url)

    def repeat(number: int) -> None:
        """Send everything again, like a client whose responses were lost."""
        page = browser(again.url, logins[number])
        assignment = the_assignment(page)
        rng = random.Random(number)
        for doc in page.get(f"/api/assignments/{assignment}/docs?limit=500")["docs"]:
            if doc["status"] == "open":
                body = a_judgment(doc, f"{rng.getrandbits(128):032x}x", 1)
                status, _ = page.post(f"/api/assignments/{assignment}/judgments", body)
                assert status == 200
                acknowledged[body["op_id"]] = body

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(repeat, range(10)))
    again.close()
    assert 40 <= len(before) < 10 * EACH
    assert_kept(acknowledged, may_hold_more=True)


def assert_kept(acknowledged: dict[str, Any], *, may_hold_more: bool = False) -> None:
    """Check that every acknowledged operation is one event with its label, and run `verify`."""
    connections.close_all()
    events = {event.op_id: event for event in Event.objects.select_related("assigned")}
    assert acknowledged.keys() <= events.keys()
    if not may_hold_more:
        assert acknowledged.keys() == events.keys()
    for op_id, body in acknowledged.items():
        event = events[op_id]
        assert (event.assigned_id, event.value) == (body["doc"], body["value"])
        assert (event.assigned.revision, event.assigned.value) == (1, body["value"])
    assert AssignedDoc.objects.filter(is_judged=True).count() == len(events)
    assert {check.name: check.wrong for check in verified() if check.wrong} == {}
