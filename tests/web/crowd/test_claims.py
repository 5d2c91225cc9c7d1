"""No two workers have the same HIT, however many arrive at once; a killed server loses nothing."""

from __future__ import annotations

import http.cookiejar
import json
import re
import urllib.request
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import IntegrityError, connections

from qrelsmith.cli import run
from qrelsmith.topk.crowd.platforms import Arrival
from qrelsmith.web.crowd.claims import has_work, release_overdue, take_hit
from qrelsmith.web.crowd.finishing import exclude, hand_in
from qrelsmith.web.crowd.sittings import begin
from qrelsmith.web.instance import find_instance
from qrelsmith.web.models import CrowdWorker, Hit, PairTask, Sitting
from qrelsmith.web.project import use

WORKERS = 8


def at_once(work: Callable[[Any], Any], items: list[Any]) -> list[Any]:
    """Return the results of some work that all threads begin at the same time."""
    from threading import Barrier

    barrier = Barrier(len(items))

    def started(item: Any) -> Any:
        barrier.wait()
        try:
            return work(item)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(items)) as pool:
        return list(pool.map(started, items))


def arrivals(count: int) -> list[Any]:
    return [Arrival(f"AWORKER{n:04}", f"REFERENCE{n:04}") for n in range(count)]


@pytest.fixture
def many(app: Any, make_crowd: Callable[..., Any], crowd_toml: str) -> Any:
    """Return a batch of six HITs of two pairs."""
    return make_crowd(app, training=False, toml=crowd_toml.replace("pairs = 5", "pairs = 2"))


def test_each_of_many_workers_has_a_separate_hit(many: Any) -> None:
    sittings = [begin(many.batch, each, own=None) for each in arrivals(WORKERS)]
    taken = at_once(take_hit, sittings)
    held = [hit.pk for hit in taken if hit is not None]
    assert len(held) == len(set(held)) == 6
    assert Counter(Hit.objects.values_list("state", flat=True)) == {"taken": 6}
    for hit in Hit.objects.select_related("worker", "sitting"):
        owners = PairTask.objects.filter(hit=hit.key).values_list("assessor", flat=True)
        assert set(owners) == {hit.worker.assessor_id}
        assert hit.sitting.worker_id == hit.worker_id
    assert Sitting.objects.filter(hit=None).count() == WORKERS - 6


def test_a_worker_with_many_windows_has_one_hit_and_one_session(many: Any) -> None:
    def come(arrival: Any) -> Any:
        try:
            return begin(many.batch, arrival, own=None)
        except IntegrityError:  # like the view
            return begin(many.batch, arrival, own=None)

    sittings = at_once(come, arrivals(1) * 5)
    assert len({sitting.pk for sitting in sittings}) == 1
    hits = at_once(take_hit, sittings)
    assert len({hit.pk for hit in hits}) == 1
    assert CrowdWorker.objects.count() == Sitting.objects.count() == 1
    assert Hit.objects.filter(state="taken").count() == 1


def test_an_overdue_hit_goes_to_one_of_the_arriving_workers(many: Any) -> None:
    early = [begin(many.batch, each, own=None) for each in arrivals(6)]
    late = [begin(many.batch, each, own=None) for each in arrivals(9)[6:]]
    for sitting in early:
        assert take_hit(sitting) is not None
    overdue = Hit.objects.get(sitting=early[0])
    Hit.objects.filter(pk=overdue.pk).update(taken_at="2020-01-01T00:00:00Z")
    got = [hit for hit in at_once(take_hit, late) if hit is not None]
    assert [hit.follows_id for hit in got] == [overdue.pk]
    assert Hit.objects.filter(state="abandoned").count() == 1


def test_a_hit_taken_back_does_not_count_toward_a_workers_limit(many: Any) -> None:
    many.batch.terms["per_worker"] = 1
    many.batch.save()
    sitting = begin(many.batch, arrivals(1)[0], own=None)
    taken = take_hit(sitting)
    worker = sitting.worker
    assert taken is not None
    assert not has_work(many.batch, worker)
    Hit.objects.filter(pk=taken.pk).update(taken_at="2020-01-01T00:00:00Z")
    assert release_overdue(many.batch) == [taken]
    assert Hit.objects.get(pk=taken.pk).state == "abandoned"
    assert has_work(many.batch, worker)


def test_every_overdue_hit_is_released_and_no_other(many: Any) -> None:
    taken = [take_hit(begin(many.batch, each, own=None)) for each in arrivals(3)]
    keys = [hit.pk for hit in taken if hit is not None]
    Hit.objects.filter(pk__in=keys[:2]).update(taken_at="2020-01-01T00:00:00Z")
    assert [hit.pk for hit in release_overdue(many.batch)] == keys[:2]
    states = dict(Hit.objects.filter(pk__in=keys).values_list("pk", "state"))
    assert [states[key] for key in keys] == ["abandoned", "abandoned", "taken"]


def test_simultaneous_submission_and_exclusion_leave_a_consistent_state(many: Any) -> None:
    """Whichever comes first, the HIT is paid once and discarded once."""
    worker = many.worker("A1")
    worker.begin()
    while b"All answered" not in worker.page.content:
        worker.answer()
    sitting, person = Sitting.objects.get(), CrowdWorker.objects.get()
    at_once(lambda work: work(), [lambda: hand_in(sitting), lambda: exclude(person, "a script")])
    hit = Hit.objects.get(follows=None, worker=person)
    sitting.refresh_from_db()
    assert (hit.state, sitting.result, sitting.pay) in {
        ("discarded", "finished", 2.0),
        ("abandoned", "abandoned", 0.0),
    }
    assert Hit.objects.filter(follows=hit, state="open").count() == 1
    assert run(["verify", str(many.app.folder), "--quiet"]) == 0


class Visitor:
    """A worker's browser with cookies and forms, but without JavaScript."""

    def __init__(self, url: str) -> None:
        self.url = url
        jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        self.text = ""
        self.path = ""

    def go(self, path: str, fields: dict[str, Any] | None = None) -> str:
        """Open a page, or send the form of the open page."""
        content = None
        if fields is not None:
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.text)
            assert token is not None, self.text
            content = urlencode(fields | {"csrfmiddlewaretoken": token[1]}).encode()
        request = urllib.request.Request(f"{self.url}{path}", content, {"Referer": self.url})  # noqa: S310
        with self._opener.open(request, timeout=30) as answer:
            self.text = answer.read().decode()
            self.path = answer.url.removeprefix(self.url)
        return self.text

    def answer(self, outcome: Callable[[int], int]) -> None:
        """Answer the pair on the page."""
        state = re.search(r'<script id="state" type="application/json">(.*?)</script>', self.text)
        op_id = re.search(r'name="op_id" value="(\w+)"', self.text)
        assert state is not None
        assert op_id is not None
        pair = json.loads(state[1])["pair"]
        fields = {f"{side}_sha256": pair[side]["sha256"] for side in ("left", "right")}
        fields |= {"op_id": op_id[1], "base_revision": pair["revision"]}
        self.go(self.path, fields | {"outcome": outcome(pair["pair"])})


@pytest.mark.slow
@pytest.mark.full
def test_a_worker_continues_after_the_server_was_killed(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    write_crowd: Callable[..., None],
    database_url: str,
    start_server: Callable[..., Any],
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    write_crowd(folder, training=False)
    server = start_server(folder, database_url=database_url)
    server.run("prefer", "--quiet")
    table = server.run("crowd open", "pairs", "--on", "mturk", "--url", server.url)
    address = next(line for line in table.splitlines() if line.startswith("address,"))
    path = address.removeprefix(f"address,{server.url}")
    query = urlencode({"workerId": "AWORKER0001", "assignmentId": "REFERENCE0001"})

    def right(pair: int) -> int:
        better = PairTask.objects.get(pk=pair).better
        return 1 if better == "right" else -1

    use(find_instance(folder))
    visitor = Visitor(server.url)
    visitor.go(f"{path}?{query}")
    visitor.go(f"{path}?{query}", {"agree": "yes"})
    for _ in range(3):
        visitor.answer(right)
    place = visitor.path
    server.kill()
    port = int(server.url.rpartition(":")[2])
    again = start_server(folder, database_url=database_url, port=port)
    visitor.go("/work")
    assert visitor.path == place
    while 'id="state"' in visitor.text:
        visitor.answer(right)
    visitor.go("/work/hand-in", {})
    assert re.search("<output[^>]*>[0-9A-Z-]{14}</output>", visitor.text)
    assert again.run("crowd workers").splitlines()[1].split(",")[2] == "1"
    again.run("verify")
