"""Graded docs, pairs, answers, models and HITs at once: no acknowledged judgment is lost.

Every acknowledged judgment must be in the log once, for its item. The connections are bad, and the
server and its PostgreSQL are killed repeatedly.

`benchmarks/races.py` runs this with 50 clients and 2,000 judgments of each kind.
"""

from __future__ import annotations

import csv
import http.client
import json
import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from tests.web.fixtures.servers import Login, open_session

from qrelsmith.cli import run
from qrelsmith.topk.crowd.platforms import Arrival
from qrelsmith.web.accounts.tokens import make_token
from qrelsmith.web.answers.kind import aspects_with_docs
from qrelsmith.web.crowd.claims import take_hit
from qrelsmith.web.crowd.opening import WantedBatch, open_batch
from qrelsmith.web.crowd.sittings import TurnedAwayError, account_of_worker, begin
from qrelsmith.web.instance import find_instance
from qrelsmith.web.models import AnswerEvent, Assessor, Event, PreferenceEvent
from qrelsmith.web.verification.whole import verified

pytestmark = [pytest.mark.slow, pytest.mark.full]

IS_LARGE = "QRELSMITH_TRIES" in os.environ
CLIENTS, DOCS, PAIRS, PER_DOC = (50, 21, 2000, 48) if IS_LARGE else (10, 20, 60, 3)
TOPICS, NUGGETS, SYSTEMS, BATCH = 2, 10, 2, 5
# How often a process is killed, and the time before each kill.
KILLS, QUIET_S = (6, 6.0) if IS_LARGE else (2, 3.0)

TOML = """\
format = 1
[scale]
levels = [{ grade = 0 }, { grade = 1 }, { grade = 2 }]
[preferences]
scheduler = "rounds"
k = 3
groups = ["bronze"]
per_pair = %d
share = "pair"
source = "qrels/g.qrels"
[groups.bronze]
role = "bronze"
assessors = [%s]
per_doc = %d
[groups.llm]
role = "llm"
assessors = [%s]
[groups.crowd]
hit_size = 10
per_doc = %d
[hits]
reward = 1.0
challenge_docs = 1
"""


@dataclass
class Sent:
    """The acknowledged operations of a client, each with the data sent."""

    graded: dict[str, tuple[str, str, str, float]] = field(default_factory=dict)
    paired: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    in_hits: dict[str, tuple[str, str, str, float]] = field(default_factory=dict)
    of_models: dict[str, tuple[str, str, str, float]] = field(default_factory=dict)
    aspects: dict[str, tuple[str, int, float]] = field(default_factory=dict)
    retries: int = 0


@pytest.fixture
def loaded(tmp_path: Path, make_campaign: Callable[..., Path]) -> Path:
    """Return a campaign of graded docs, pairs, and HITs whose attention checks are never failed."""
    names = ", ".join(f'"a{n:02}"' for n in range(CLIENTS))
    toml = TOML % (PER_DOC, names, CLIENTS, names.replace("a", "m"), PER_DOC)
    folder = make_campaign(tmp_path / "load", topics=TOPICS, docs=DOCS, toml=toml)
    (folder / "qrels").mkdir()
    pairs = [(f"q{topic}", f"d{n:05}") for topic in range(1, TOPICS + 1) for n in range(DOCS)]
    (folder / "qrels" / "g.qrels").write_text("".join(f"{t} 0 {d} 1\n" for t, d in pairs))
    rows = "".join(f"{topic},{doc},0,2\n" for topic, doc in pairs)
    (folder / "challenge_docs.csv").write_text("topic,doc,lowest,highest\n" + rows)
    topics = [f"q{topic}" for topic in range(1, TOPICS + 1)]
    answers = [
        {
            "topic_id": topic,
            "run_id": f"s{n}",
            "answer": [{"text": f"{topic} {n}", "citations": []}],
        }
        for topic in topics
        for n in range(SYSTEMS)
    ]
    aspects = [
        {"topic": topic, "aspect": f"n{n}", "kind": "nugget", "text": f"Fact {n}."}
        for topic in topics
        for n in range(NUGGETS)
    ]
    for name, of in (("answers", answers), ("aspects", aspects)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in of))
    return folder


class Client:
    """A client with a bad connection that sends again until it gets a response."""

    def __init__(self, page: Any, rng: random.Random, sent: Sent) -> None:
        self.page, self.rng, self.sent = page, rng, sent

    def get(self, path: str) -> Any:
        status, answer = self._until_answered("GET", path, None)
        assert status == 200, answer
        return answer

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send data that must be accepted in the end: lost, twice, or late."""
        time.sleep(self.rng.random() * 0.1)
        trouble = self.rng.random()
        try:
            if trouble < 0.15:  # the response is lost
                self.page.shoot("POST", path, body)
                self.page.hang_up()
            elif trouble < 0.3:  # the request arrives twice
                self.page.post(path, body)
        except (OSError, http.client.HTTPException, ValueError):
            self.page.hang_up()
        status, answer = self._until_answered("POST", path, body)
        return answer if status == 200 else None

    def _until_answered(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        deadline = time.monotonic() + 120
        while True:
            try:
                status, answer = self.page.send(method, path, body)
                if status < 500:
                    return status, answer
            except (OSError, http.client.HTTPException, ValueError):
                pass
            self.page.hang_up()
            self.sent.retries += 1
            assert time.monotonic() < deadline, "the server does not come back"
            time.sleep(0.1 + self.rng.random() * 0.3)

    def new_op(self) -> str:
        return f"{self.rng.getrandbits(128):032x}"

    def grade(self, found: dict[str, Any], who: str, kept: dict[str, Any]) -> None:
        """Grade all docs of an assignment."""
        path = f"/api/assignments/{found['assignment']}"
        for doc in self.get(f"{path}/docs?limit=500")["docs"]:
            body = {
                "op_id": self.new_op(), "doc": doc["doc"], "value": self.rng.randrange(3),
                "sha256": doc["sha256"], "base_revision": doc["revision"],
                "timing": {"delay_ms": self.rng.randrange(100_000)},
            }  # fmt: skip
            assert self.post(f"{path}/judgments", body) is not None
            kept[body["op_id"]] = (who, found["topic"], doc["name"], float(body["value"]))

    def label(self, who: str, assignment: int, rows: list[tuple[int, str, str]]) -> None:
        """Label all aspects of the answers to a topic."""
        for aspect, text, sha256 in rows:
            body = {
                "op_id": self.new_op(), "aspect": aspect, "value": self.rng.randrange(3),
                "wording": text, "sha256": sha256, "base_revision": 0,
            }  # fmt: skip
            assert self.post(f"/api/answers/{assignment}/judgments", body) is not None
            self.sent.aspects[body["op_id"]] = (who, aspect, float(body["value"]))

    def label_batches(self, who: str) -> None:
        """Label all docs as a model does, some at a time."""
        setting = {"model": who, "prompt": "Is it relevant?"}
        keys = [(f"q{t}", f"d{n:05}") for t in range(1, TOPICS + 1) for n in range(DOCS)]
        for start in range(0, len(keys), BATCH):
            batch = {
                self.new_op(): (who, topic, doc, float(self.rng.randrange(3)))
                for topic, doc in keys[start : start + BATCH]
            }
            judgments = [
                {"op_id": op_id, "topic": topic, "doc": doc, "grade": grade}
                for op_id, (_, topic, doc, grade) in batch.items()
            ]
            done = self.post("/api/judgments", {"setting": setting, "judgments": judgments})
            assert done is not None
            self.sent.of_models |= batch

    def compare(self, who: str, contests: list[int]) -> bool:
        """Compare one pair, if there is one for this client."""
        contest = self.rng.choice(contests)
        pair = self.get(f"/api/contests/{contest}/next")["pair"]
        if pair is None:
            contests.remove(contest)
            return False
        body = {
            "op_id": self.new_op(), "pair": pair["pair"], "outcome": self.rng.choice([-1, 0, 1]),
            "base_revision": pair["revision"], "topic_version": pair["topic_version"],
            "left_sha256": pair["left"]["sha256"], "right_sha256": pair["right"]["sha256"],
        }  # fmt: skip
        if self.post(f"/api/contests/{contest}/judgments", body) is not None:
            self.sent.paired[body["op_id"]] = (who, pair["pair"], body["outcome"])
        return True


def test_nothing_is_lost_duplicated_or_misfiled_whatever_is_killed(
    loaded: Path,
    database: str,
    start_server: Callable[..., Any],
    browser: Callable[..., Any],
    log_in: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    postgres = request.getfixturevalue("own_postgres") if database == "postgresql" else None
    url = f"{postgres.url}/postgres" if postgres else ""
    if url:
        monkeypatch.setenv("DATABASE_URL", url)
    first = start_server(loaded, database_url=url)
    port = int(first.url.rpartition(":")[2])
    logins, workers = opened_sessions(loaded, log_in)
    aspects, tokens = aspects_by_assignment(), tokens_of_models()
    servers, sent, is_over = [first], Sent(), threading.Event()

    def work(number: int) -> None:
        page = browser(first.url, logins[number])
        client, who = Client(page, random.Random(number), sent), f"a{number:02}"
        for each in client.get("/api/assignments")["assignments"]:
            client.grade(each, who, sent.graded)
        for assignment, rows in aspects[who].items():
            client.label(who, assignment, rows)
        model = f"m{number:02}"
        page_of_model = browser(first.url, Login("", "", tokens[model]))
        Client(page_of_model, random.Random(model), sent).label_batches(model)
        contests = [each["contest"] for each in client.get("/api/contests")["contests"]]
        while contests and len(sent.paired) < PAIRS:
            client.compare(who, contests)
        for worker, login in workers[number::CLIENTS]:
            client = Client(browser(first.url, login), random.Random(worker), sent)
            for each in client.get("/api/assignments")["assignments"]:
                client.grade(each, worker, sent.in_hits)

    def kill() -> None:
        for turn in range(KILLS):
            if is_over.wait(QUIET_S):
                return
            if postgres is not None and turn % 2:
                postgres.stop_at_once()
                time.sleep(0.5)
                postgres.start()
                kills.append("-m immediate")
            else:
                servers[-1].kill()
                servers.append(start_server(loaded, database_url=url, port=port))
                kills.append("SIGKILL")

    kills: list[str] = []
    killer = threading.Thread(target=kill)
    killer.start()
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(work, range(CLIENTS)))
    is_over.set()
    killer.join()
    servers[-1].close()
    print(
        f"{database}: {CLIENTS} clients, {len(sent.graded)} graded, {len(sent.paired)} pairs,"
        f" {len(sent.aspects)} aspects, {len(sent.of_models)} of models,"
        f" {len(sent.in_hits)} in HITs, {sent.retries} sent again, {', '.join(kills)}"
    )
    assert_as_sent(loaded, sent)
    assert kills


def opened_sessions(
    folder: Path, log_in: Callable[..., list[Any]]
) -> tuple[list[Any], list[tuple[str, Any]]]:
    """Return sessions of all assessors, and of as many workers as there are HITs."""
    table = str(folder / "assignments.csv")
    assert run(["assign", str(folder), "--group", "crowd", "-o", table, "--quiet"]) == 0
    logins = log_in(folder, *(f"a{n:02}" for n in range(CLIENTS)))

    batch = open_batch(find_instance(folder).campaign, WantedBatch("docs", "prolific"))
    workers = []
    while True:
        number = len(workers)
        arrival = Arrival(f"{number:024x}", f"{number:024x}")
        try:
            sitting = begin(batch, arrival, own=None)
        except TurnedAwayError:  # there are no HITs left
            break
        account = account_of_worker(sitting.worker)
        assert take_hit(sitting) is not None
        workers.append((sitting.worker.assessor.name, open_session(account)))
    connections.close_all()
    return logins, workers


def aspects_by_assignment() -> dict[str, dict[int, list[tuple[int, str, str]]]]:
    """Return the aspects that each assessor labels in each assignment of answers."""
    found: dict[str, dict[int, list[tuple[int, str, str]]]] = {}
    for each in aspects_with_docs().order_by("assignment", "position"):
        own = found.setdefault(each.assignment.assessor.name, {})
        own.setdefault(each.assignment_id, []).append((each.pk, each.text, each.current_sha256))
    connections.close_all()
    return found


def tokens_of_models() -> dict[str, str]:
    tokens = {each.name: make_token(each) for each in Assessor.objects.filter(group="llm")}
    connections.close_all()
    return tokens


def assert_as_sent(folder: Path, sent: Sent) -> None:
    """Assert that the log contains exactly the acknowledged data, once, under the right doc."""
    names = ("op_id", "assessor__name", "assignment__topic__name", "assigned__doc__name", "value")
    there = {row[0]: row[1:] for row in Event.objects.values_list(*names)}
    assert there == sent.graded | sent.in_hits | sent.of_models
    labels = AnswerEvent.objects.values_list("op_id", "assessor__name", "item", "value")
    assert {row[0]: row[1:] for row in labels} == sent.aspects
    answers = PreferenceEvent.objects.values_list("op_id", "assessor__name", "pair", "outcome")
    assert {row[0]: row[1:] for row in answers} == sent.paired
    assert {check.name: check.wrong for check in verified() if check.wrong} == {}
    out = folder / "out"
    assert run(["export", str(folder), "-o", str(out), "--quiet"]) == 0
    with (out / "judgments.csv").open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    rows = [
        (row["assessor"], row["topic"], row["doc"], float(row["grade"]))
        for row in written
        if not row["aspect"]
    ]
    assert sorted(rows) == sorted((sent.graded | sent.of_models).values())
    assert len(written) - len(rows) == len(sent.aspects)
