"""Campaigns with preference tasks, and the page on which a person compares pairs."""

from __future__ import annotations

import csv
import itertools
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.working_page import WorkingPage

# Unused topics for tests: each topic has one preference task.
TOPICS = 40
CANDIDATES = 5
PEOPLE = 50
TITLE = "heat pumps in old houses"
INSTRUCTIONS = """Choose the doc that answers the question better.

If both answer it, take the one with less that is beside the point."""
PREFERENCES = 'scheduler = "tournament"\nk = 1\nshare = "pair"'


def write_pair_site(
    folder: Path,
    docs: Iterable[Mapping[str, str]],
    *,
    preferences: str = PREFERENCES,
    topics: int = TOPICS,
    candidates: int = CANDIDATES,
    people: int = PEOPLE,
    instructions: str = INSTRUCTIONS,
) -> Path:
    """Write a campaign whose topics have the first docs as candidates and the last two as bad docs.

    Docs of the first topic are also assigned for grading.
    """
    (folder / "pools").mkdir(parents=True)
    (folder / "qrels").mkdir()
    names = ", ".join(f'"a{n:02}"' for n in range(1, people + 1))
    (folder / "campaign.toml").write_text(
        f'''format = 1
title = "Energy and cities"

[scale]
levels = [{{ grade = 0, label = "No" }}, {{ grade = 1, label = "Yes" }}]

[groups.bronze]
role = "bronze"
assessors = [{names}]

[preferences]
{preferences}
source = "qrels/thin.qrels"
instructions = """
{instructions}"""
''',
        encoding="utf-8",
    )
    ids = []
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as out:
        for doc in docs:
            out.write(json.dumps(doc) + "\n")
            ids.append(doc["doc_id"])
    topic_names = [f"p{n:03}" for n in range(1, topics + 1)]
    described = {
        "title": TITLE,
        "description": "Can a heat pump heat a house from before 1950 with its old radiators?",
        "narrative": "Good docs give experience, measurements or advice on heat pumps in houses"
        " with poor insulation. Docs that only sell heat pumps help nobody.",
    }
    lines = [json.dumps({"topic": topic} | described) for topic in topic_names]
    (folder / "topics.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    graded = dict.fromkeys(ids[:candidates], 1) | dict.fromkeys(ids[candidates:][-2:], 0)
    with (folder / "qrels" / "thin.qrels").open("w", encoding="utf-8") as out:
        for topic in topic_names:
            out.writelines(f"{topic} 0 {doc} {grade}\n" for doc, grade in graded.items())
    with (folder / "pools" / "prioritised.pool").open("w", encoding="utf-8") as out:
        out.write("# pool format=1 ordering=prioritised depth=30 seed=0\n")
        out.writelines(f"p001 {doc} {place}\n" for place, doc in enumerate(ids[:3], start=1))
    return folder


class PairSite:
    """A served campaign, and the pairs in its database."""

    def __init__(self, served: Any) -> None:
        self.served = served
        self.folder = served.folder
        self._topics = (f"p{n:03}" for n in itertools.count(1))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.served, name)

    def topic(self) -> str:
        """Return a topic without any answers."""
        return next(self._topics)

    def contest(self, topic: str) -> int:
        """Return the number of a topic's preference task."""
        return int(self._rows(_CONTEST, topic)[0]["id"])

    def pairs(self, topic: str) -> list[dict[str, Any]]:
        """Return the valid pairs of a topic, with the names of their docs."""
        rows: list[dict[str, Any]] = self._rows(_PAIRS, topic)
        return rows

    def outcomes(self, topic: str) -> list[int]:
        """Return the answers of a topic, in the order in which pairs were assigned."""
        pairs = [pair for pair in self.pairs(topic) if pair["is_judged"]]
        return [pair["outcome"] for pair in sorted(pairs, key=lambda pair: pair["position"])]

    def export(self, topic: str) -> list[str]:
        """Return the best docs of a topic, from the export and `qrelsmith topk result`."""
        out = self.folder.parent / "export"
        for command in (
            ("export", self.folder, "-o", out),
            ("topk", "result", out / "qrels" / "thin.qrels", out / "preferences.csv",
             "-k", "2", "--scheduler", "tournament", "--format", "csv"),
        ):  # fmt: skip
            done = subprocess.run(
                [sys.executable, "-m", "qrelsmith", *command],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
        rows = csv.DictReader(done.stdout.splitlines())
        return [row["doc"] for row in rows if row["topic"] == topic]

    def answers(self, topic: str) -> list[dict[str, Any]]:
        """Return the events of a topic, oldest first."""
        rows: list[dict[str, Any]] = self._rows(_ANSWERS, topic)
        return rows


_CONTEST = """
SELECT c.id FROM qrelsmith_web_contest c
JOIN qrelsmith_web_topic t ON t.id = c.topic_id WHERE t.name = ?"""
_PAIRS = """
SELECT p.*, l.name AS left_doc, r.name AS right_doc, s.name AS who FROM qrelsmith_web_pairtask p
JOIN qrelsmith_web_contest c ON c.id = p.contest_id
JOIN qrelsmith_web_topic t ON t.id = c.topic_id
JOIN qrelsmith_web_doc l ON l.id = p.left_id JOIN qrelsmith_web_doc r ON r.id = p.right_id
LEFT JOIN qrelsmith_web_assessor s ON s.id = p.assessor_id
WHERE t.name = ? AND NOT p.withdrawn ORDER BY p.number"""
_ANSWERS = """
SELECT e.*, p.position FROM qrelsmith_web_preferenceevent e
JOIN qrelsmith_web_pairtask p ON p.id = e.pair_id
JOIN qrelsmith_web_contest c ON c.id = e.contest_id
JOIN qrelsmith_web_topic t ON t.id = c.topic_id WHERE t.name = ? ORDER BY e.id"""


@pytest.fixture(scope="session")
def serve_pairs(
    chromium_path: str,
    tmp_path_factory: pytest.TempPathFactory,
    conftest: Any,
    give_tables: Callable[[Path], Path],
) -> Iterator[Callable[..., PairSite]]:
    """Return a function that serves a campaign with preferences until the tests end."""
    sites: list[PairSite] = []

    def start(docs: Iterable[Mapping[str, str]], **options: Any) -> PairSite:
        folder = write_pair_site(tmp_path_factory.mktemp("pairs") / "campaign", docs, **options)
        sites.append(PairSite(conftest.Site(give_tables(folder))))
        return sites[-1]

    yield start
    for site in sites:
        site.kill()


@pytest.fixture(scope="session")
def pair_site(serve_pairs: Callable[..., PairSite], conftest: Any) -> Iterator[PairSite]:
    """Serve a campaign of tournaments with three choices, and verify it after the tests."""
    site = serve_pairs(conftest.plain_docs(12))
    yield site
    assert site.verify() == ""


@pytest.fixture(scope="session")
def five_site(serve_pairs: Callable[..., PairSite], conftest: Any) -> PairSite:
    """Serve a campaign in which all pairs of eight docs are compared, with five choices."""
    preferences = 'scheduler = "round-robin"\nshare = "pair"\nchoices = 5'
    return serve_pairs(
        conftest.plain_docs(12), preferences=preferences, topics=4, people=4, candidates=8
    )


class ComparingPage(WorkingPage):
    """The preference page, as seen and used by a person."""

    def __init__(self, context: Any, site: PairSite, assessor: str, topic: str) -> None:
        super().__init__(context, site, assessor)
        self.topic = topic

    @property
    def address(self) -> str:
        """Return the address at which the topic continues."""
        return f"{self.site.url}/prefer/{self.site.contest(self.topic)}"

    def open(self) -> ComparingPage:
        """Open the topic where the person stopped."""
        self.page.goto(self.address)
        self.shown()
        return self

    def shown(self, pair: int | None = None) -> int:
        """Wait until a pair is on the screen; return its number among the person's own pairs."""
        self.page.wait_for_function(
            "number => document.getElementById('main')?.dataset.shown !== undefined && (number"
            " === null || document.getElementById('place')?.textContent === `Pair ${number}`)",
            arg=pair,
        )
        return int(self.page.inner_text("#place").removeprefix("Pair "))

    def open_over(self, reason: str) -> ComparingPage:
        """Open the topic if there is nothing to compare, for a reason."""
        self.page.goto(self.address)
        return self.over(reason)

    def over(self, reason: str) -> ComparingPage:
        """Wait until there is nothing to compare, for a reason."""
        self.page.wait_for_selector(f"#over [data-reason={reason}]:visible")
        return self

    def answer(self, *keys: str) -> ComparingPage:
        """Answer the pair on the screen with keys, and wait for the next one, or the end."""
        before = self.shown()
        self.press(*keys)
        self.page.wait_for_function(
            "before => document.getElementById('over')?.hidden === false"
            " || (document.getElementById('main')?.dataset.shown !== undefined"
            " && document.getElementById('place')?.textContent !== `Pair ${before}`)",
            arg=before,
        )
        return self

    def to_pages(self) -> ComparingPage:
        """Answer until both docs are pages, which have a view that texts lack."""
        while self.page.locator(".views [data-view=page][hidden]").count():
            self.answer("ArrowLeft", "Enter")
        return self

    def marked(self) -> str | None:
        """Return the marked answer."""
        value: str | None = self.page.evaluate(
            "document.querySelector('input[name=outcome]:checked')?.value ?? null"
        )
        return value

    def frame(self, side: str) -> Any:
        """Return the frame of a doc on the screen."""
        handle = self.page.wait_for_selector(
            f"#{side}-place iframe:not(.waiting)", state="attached"
        )
        frame = handle.content_frame()
        assert frame is not None
        frame.wait_for_load_state()  # earlier keys are lost
        return frame

    def words(self, side: str) -> str:
        """Return the text of a doc on the screen."""
        text = self.page.locator(f"#{side}-text")
        if text.is_visible():
            return str(text.inner_text())
        return str(self.frame(side).evaluate("document.body.innerText"))

    def numbers(self, doc_number: Callable[[str], int]) -> tuple[int, int]:
        """Return the numbers of the plain docs on the screen."""
        return doc_number(self.words("left")), doc_number(self.words("right"))


@pytest.fixture
def comparing_page(open_context: Callable[..., Any]) -> Callable[..., ComparingPage]:
    """Return a function that opens the page in a topic without any answers."""

    def start(site: PairSite, assessor: str = "", topic: str = "", **options: Any) -> ComparingPage:
        assessor = assessor or site.anybody()
        topic = topic or site.topic()
        return ComparingPage(open_context(site, assessor, **options), site, assessor, topic)

    return start


@pytest.fixture
def close_contest() -> Callable[[PairSite, str], None]:
    """Return a function that closes the preference task of a topic, as an organiser does."""

    def close(site: PairSite, topic: str) -> None:
        connection = sqlite3.connect(site.folder / ".qrelsmith" / "app.sqlite3", timeout=20)
        with connection:
            connection.execute(
                "UPDATE qrelsmith_web_contest SET is_open = 0 WHERE id = ?", (site.contest(topic),)
            )
        connection.close()

    return close


@pytest.fixture(scope="session")
def pair_conftest() -> Any:
    """Return this module, for campaigns that a test writes itself."""
    return sys.modules[__name__]
