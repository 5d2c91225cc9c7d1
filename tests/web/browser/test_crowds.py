"""Crowd work in a real Chromium: from the landing page to the code, also on a phone."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.web.browser.pressing import breathe, press
from tests.web.browser.test_accessibility import complaints

pytestmark = pytest.mark.slow

# Pictures for visual inspection, created on request.
PICTURES = os.environ.get("QRELSMITH_SCREENSHOTS", "")
SETTINGS = """
[groups.crowd]
hit_size = 3
per_doc = 2

[preferences]
choices = 3
k = 2
finalists = 4
pairings = 3
source = "qrels/graded.qrels"
share = "pair"
groups = ["crowd"]
instructions = \"\"\"
Read the topic. Then read both docs and say which one a searcher would rather be given.

Judge what the docs say, not how they look.\"\"\"

[hits]
pairs = 2
challenges = 2
challenge_docs = 1
training_reward = 0.5
contact = "crowd@example.org"
notice = "This study was approved by the ethics board of the institute. You may stop at any time."
"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class CrowdSite:
    """A served campaign with a batch of pairs for Mechanical Turk and one of docs for Prolific."""

    def __init__(self, conftest: Any, folder: Path) -> None:
        self.folder = conftest.write_site(
            folder, conftest.plain_docs(9), sizes=(9, 9), people=1, judging='note = "none"'
        )
        self._write()
        self.site = conftest.Site(self.folder)
        self.url = self.site.url
        self._run("prefer")
        self._run("assign", "--group", "crowd", "-o", str(self.folder / "assignments.csv"))
        self.pairs = self._open("pairs", "mturk")
        self.docs = self._open("docs", "prolific")
        self._count = 0

    def newcomer(self) -> int:
        """Return the number of a new worker."""
        self._count += 1
        return self._count

    def address(self, kind: str, worker: int, **changes: str) -> str:
        """Return the address to which a platform sends a worker."""
        if kind == "pairs":
            query = {"workerId": f"AWORKER{worker:04}", "assignmentId": f"REFERENCE{worker:04}",
                     "hitId": "HIT0000001"}  # fmt: skip
            return f"{self.pairs}?{urlencode(query | changes)}"
        ids = {"PROLIFIC_PID": f"{worker:024x}", "SESSION_ID": f"{worker + 4096:024x}"}
        return f"{self.docs.partition('?')[0]}?{urlencode(ids | changes)}"

    def better(self, pair: int) -> str:
        """Return the side of the better doc of an attention check; empty for other pairs."""
        query = "SELECT better FROM qrelsmith_web_pairtask WHERE id = ?"
        return str(self.site._rows(query, pair)[0]["better"])

    def challenge_positions(self, assignment: int) -> list[int]:
        """Return the positions of the attention checks in an assignment."""
        query = "SELECT docs, challenges FROM qrelsmith_web_hit WHERE assignment_id = ?"
        row = self.site._rows(query, assignment)[0]
        docs, known = json.loads(row["docs"]), json.loads(row["challenges"])
        return [docs.index(name) + 1 for name in known]

    def judged(self, assignment: int) -> int:
        """Return how many docs of an assignment are judged."""
        query = "SELECT judged FROM qrelsmith_web_assignment WHERE id = ?"
        return int(self.site._rows(query, assignment)[0]["judged"])

    def hits(self) -> list[dict[str, Any]]:
        """Return all HITs."""
        return self.site._rows("SELECT * FROM qrelsmith_web_hit ORDER BY id")

    def _write(self) -> None:
        toml = self.folder / "campaign.toml"
        toml.write_text(toml.read_text() + SETTINGS)
        (self.folder / "qrels").mkdir()
        names = [f"clueweb-{n:05}" for n in range(1, 10)]
        rows = [
            f"{topic} 0 {name} {3 if place < 4 else 0}\n"
            for topic in ("0225", "0226")
            for place, name in enumerate(names)
        ]
        (self.folder / "qrels" / "graded.qrels").write_text("".join(rows))
        (self.folder / "training_pairs.csv").write_text(
            "topic,left,right,answer,feedback\n"
            "0225,clueweb-00001,clueweb-00005,left,"
            "The left doc gives measurements of old houses; the right one only sells.\n"
            "0226,clueweb-00006,clueweb-00002,right,The right doc says what an attic brings.\n"
        )
        (self.folder / "training_docs.csv").write_text(
            "topic,doc,lowest,highest,feedback\n"
            "0225,clueweb-00001,2,3,It answers the topic with numbers of its own.\n"
        )
        (self.folder / "challenge_docs.csv").write_text(
            "topic,doc,lowest,highest\n"
            + "".join(f"{topic},{name},0,0\n" for topic in ("0225", "0226") for name in names)
        )

    def _open(self, kind: str, platform: str) -> str:
        text = self._run("crowd open", kind, "--on", platform, "--url", self.url, "--format", "csv")
        rows = {row["what"]: row["value"] for row in csv.DictReader(io.StringIO(text))}
        return rows["address"]

    def _run(self, command: str, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "qrelsmith", *command.split(), self.folder, *arguments],
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def crowd_site(chromium_path: str, conftest: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Serve a crowd site, and verify it after the tests."""
    crowd = CrowdSite(conftest, tmp_path_factory.mktemp("crowd") / "campaign")
    yield crowd
    assert crowd.site.verify() == ""
    crowd.site.kill()


class Worker:
    """A worker at a browser."""

    def __init__(self, context: Any, crowd: CrowdSite, kind: str, number: int, name: str) -> None:
        self.context, self.crowd, self.kind, self.number = context, crowd, kind, number
        self.name = name
        self.page = context.new_page()

    def land(self) -> Worker:
        self.page.goto(self.crowd.address(self.kind, self.number))
        return self

    def begin(self) -> Worker:
        """Read the terms and agree."""
        self.land().seen("landing")
        self.page.check("input[name=agree]")
        self.page.click("button.begin")
        self.page.wait_for_url("**/work/training/1")
        return self

    def learn(self, *, right: bool = True) -> Worker:
        """Do the training."""
        answers = ["-1", "1"] if self.kind == "pairs" else ["3"]
        if not right:
            answers = [{"-1": "1", "1": "-1", "3": "0"}[value] for value in answers]
        for number, value in enumerate(answers, start=1):
            self.page.wait_for_selector(f"form.answer input[value='{value}']")
            self.seen(f"training-{number}")
            self.page.locator(f"label.choice:has(input[value='{value}'])").click()
            self.page.click("form.answer button")
            self.page.wait_for_selector(".feedback")
            self.seen(f"feedback-{number}")
            self.page.click(".feedback a.button")
        return self

    def compare(self, *, careful: bool = True, most: int = 99) -> Worker:
        """Answer pairs until all are answered, or the given number."""
        for _ in range(most):
            self.page.wait_for_url("**/*")
            if "/prefer/" not in self.page.url:
                return self
            before = self.page.url
            better = self.crowd.better(int(before.rpartition("/")[2]))
            side = better or "left"
            self.page.wait_for_selector("main[data-shown]")
            breathe(self.page)
            if better and not careful:
                side = "left" if better == "right" else "right"
            outcome = {"left": "-1", "right": "1"}[side]
            self.page.locator(f"label:has(input[name=outcome][value='{outcome}'])").click()
            self.page.get_by_role("button", name="Continue", exact=True).click()
            self.page.wait_for_function("before => location.href !== before", arg=before)
        return self

    def hand_in(self) -> str:
        """Submit the HIT; return the code."""
        self.page.wait_for_url("**/work/hand-in")
        self.seen("hand-in")
        self.page.locator("main button.first").click()
        self.page.wait_for_selector("output")
        self.seen("done")
        return str(self.page.inner_text("output"))

    def seen(self, what: str) -> None:
        """Check that the page on the screen is accessible, and fits the window."""
        assert complaints(self.page) == [], what
        width = self.page.viewport_size["width"]
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width, what
        if PICTURES:
            folder = Path(PICTURES)
            folder.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=folder / f"crowd-{self.name}-{what}.png", full_page=True)


@pytest.fixture
def come(open_context: Callable[..., Any], crowd_site: CrowdSite) -> Callable[..., Worker]:
    """Return a function that opens a browser for a worker; without a number, for a new worker."""

    def start(kind: str = "pairs", number: int = 0, name: str = "", **options: Any) -> Worker:
        number = number or crowd_site.newcomer()
        context = open_context(crowd_site.site, **options)
        return Worker(context, crowd_site, kind, number, name or f"{kind}{number}")

    return start


@pytest.mark.quick
def test_a_careful_worker_from_mechanical_turk_gets_a_code(
    come: Callable[..., Worker], crowd_site: CrowdSite
) -> None:
    worker = come(name="desk").begin().learn().compare()
    code = worker.hand_in()
    assert len(code) == 14
    form = worker.page.locator("main form")
    assert form.get_attribute("action") == "https://www.mturk.com/mturk/externalSubmit"
    assert form.locator("input[name=code]").input_value() == code
    assert form.locator("input[name=assignmentId]").input_value() == f"REFERENCE{worker.number:04}"
    assert [hit["missed"] for hit in crowd_site.hits() if hit["state"] == "finished"] == [0]


@pytest.mark.full
def test_a_careless_worker_gets_a_code_but_no_other_task(
    come: Callable[..., Worker], crowd_site: CrowdSite
) -> None:
    worker = come().begin().learn().compare(careful=False)
    assert worker.hand_in()
    discarded = [hit for hit in crowd_site.hits() if hit["state"] == "discarded"]
    assert len(discarded) == 1
    following = [hit for hit in crowd_site.hits() if hit["follows_id"] == discarded[0]["id"]]
    assert [hit["state"] for hit in following] == ["open"]
    worker.page.goto(crowd_site.address("pairs", worker.number, assignmentId="ANOTHER00001"))
    assert "no more tasks for you" in worker.page.inner_text("main")
    worker.seen("excluded")


@pytest.mark.full
def test_after_closing_the_browser_a_worker_continues(come: Callable[..., Worker]) -> None:
    worker = come().begin().learn().compare(most=2)
    place = worker.page.url
    worker.context.close()
    again = come(number=worker.number).land()
    again.seen("return")
    assert "Continue where you stopped" in again.page.inner_text("main")
    again.page.click("button.begin")
    again.page.wait_for_url(place)
    assert again.compare().hand_in()


def test_a_worker_who_fails_the_training_is_thanked_and_paid(come: Callable[..., Worker]) -> None:
    worker = come(name="untrained").begin().learn(right=False)
    worker.page.wait_for_selector("output")
    worker.seen("done")
    assert "Too few answers were correct" in worker.page.inner_text("main")


@pytest.mark.full
def test_a_hit_of_docs_from_prolific_is_done_on_the_judging_page(
    come: Callable[..., Worker], crowd_site: CrowdSite
) -> None:
    worker = come("docs", name="docs").begin().learn()
    page = worker.page
    page.wait_for_url("**/judge/**")
    assignment = int(page.url.split("/")[-2])
    challenges = crowd_site.challenge_positions(assignment)
    worker.seen("judge")
    for position in range(1, 5):
        page.wait_for_function(
            "position => document.getElementById('main')?.dataset.shown === String(position)",
            arg=position,
        )
        press(page, "0" if position in challenges else "2")
    deadline = time.monotonic() + 20
    while crowd_site.judged(assignment) < 4:
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)
    page.click("a.hit")
    code = worker.hand_in()
    link = page.locator("main a.first")
    assert link.get_attribute("href") == (
        f"https://app.prolific.com/submissions/complete?cc={code}"
    )
    assert [hit["missed"] for hit in crowd_site.hits() if hit["assignment_id"]] == [0]


@pytest.mark.full
def test_on_a_phone_every_page_fits(come: Callable[..., Worker]) -> None:
    worker = come(name="phone", **PHONE).begin().learn()
    worker.compare()
    assert worker.hand_in()


@pytest.mark.full
def test_in_the_frame_of_the_platform_a_window_is_opened(
    come: Callable[..., Worker], crowd_site: CrowdSite, open_context: Callable[..., Any]
) -> None:
    worker = come(name="frame")
    # Only because the tests' server is on this machine: a browser asks before other sites reach it.
    worker.context.grant_permissions(["local-network-access"])
    inner = crowd_site.address("pairs", worker.number)
    # A page of another site that shows ours in a frame, as the platform does.
    outer = f"<title>x</title><iframe width='100%' height='900' src='{inner}'></iframe>"
    worker.page.route(
        "https://worker.mturk.com/**",
        lambda route: route.fulfill(content_type="text/html", body=outer),
    )
    worker.page.goto("https://worker.mturk.com/task")
    frame = worker.page.frame_locator("iframe")
    with worker.context.expect_page() as opened:
        frame.locator("a.begin").click()
    window = opened.value
    window.wait_for_load_state()
    if PICTURES:
        worker.page.screenshot(path=Path(PICTURES) / "crowd-frame.png")
    window.check("input[name=agree]")
    window.click("button.begin")
    worker.page = window
    worker.page.wait_for_url("**/work/training/1")
    assert worker.learn().compare().hand_in()


@pytest.mark.full
def test_a_preview_and_pages_for_refused_workers_are_shown(
    come: Callable[..., Worker], crowd_site: CrowdSite
) -> None:
    worker = come(name="away")
    address = crowd_site.address("pairs", 1, assignmentId="ASSIGNMENT_ID_NOT_AVAILABLE")
    worker.page.goto(address)
    worker.seen("preview")
    worker.page.goto(crowd_site.address("pairs", 1, workerId="%"))
    worker.seen("wrong")
    worker.page.goto(f"{crowd_site.url}/hit/1-no")
    worker.seen("unknown")


def test_the_organisers_pages_show_the_batch(
    crowd_site: CrowdSite, open_context: Callable[..., Any]
) -> None:
    context = open_context(crowd_site.site, "organiser")
    organiser = Worker(context, crowd_site, "pairs", 0, "organiser")
    organiser.page.goto(f"{crowd_site.url}/organiser/crowd")
    organiser.seen("batches")
    organiser.page.fill("input[name=code]", "AAAA-BBBB-CCCC")
    organiser.page.click("main button.first")
    organiser.page.wait_for_selector("p[role=status]:visible")
    assert "Code not found: AAAA-BBBB-CCCC" in organiser.page.inner_text("main")
    organiser.page.click("tbody th a >> nth=0")
    organiser.seen("batch")


def test_a_worker_judges_answers_by_keys_submits_and_gets_a_code(
    chromium_path: str, conftest: Any, tmp_path: Path, make_answers: Any, open_context: Any
) -> None:
    folder = make_answers(tmp_path / "campaign", people=("a01",))
    toml = folder / "campaign.toml"
    toml.write_text(
        f"{toml.read_text()}\n[groups.crowd]\nhit_size = 1\n\n[hits]\nchallenge_aspects = 1\n"
    )
    (folder / "challenge_aspects.csv").write_text(
        "topic,run,aspect,lowest,highest\n"
        + "".join(
            f"{topic},{system},n1,2,2\n"
            for topic in ("heat", "attic", "solar")
            for system in ("garden", "harbour")
        )
    )
    site = conftest.Site(folder)
    try:
        command = [sys.executable, "-m", "qrelsmith"]
        table = ["assign", folder, "--group", "crowd", "-o", folder / "assignments.csv"]
        subprocess.run([*command, *table], check=True)
        publish = ["app", "crowd", "open", folder, "answers", "--on", "prolific"]
        printed = subprocess.run(
            [*command, *publish, "--url", site.url, "--format", "csv"],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        (address,) = (row["value"] for row in csv.DictReader(io.StringIO(printed))
                      if row["what"] == "address")  # fmt: skip
        page = open_context(site).new_page()
        ids = {"PROLIFIC_PID": f"{1:024x}", "SESSION_ID": f"{2:024x}"}
        page.goto(f"{address.partition('?')[0]}?{urlencode(ids)}")
        assert complaints(page) == []
        page.check("input[name=agree]")
        page.click("button.begin")
        page.wait_for_selector("main[data-shown]")
        shown = "Number(document.getElementById('main').dataset.shown)"
        while page.locator("#finished").is_hidden():
            before = page.evaluate(shown)
            breathe(page)
            press(page, "2")
            page.wait_for_function(
                f"before => {shown} !== before || !document.getElementById('finished').hidden",
                arg=before,
            )
        page.click("a.hit")
        page.locator("main button.first").click()
        assert len(page.inner_text("output")) == 14
        assert site.verify() == ""
    finally:
        site.kill()
