"""Served campaigns, a real Chromium, and the judging page as used by a person."""

from __future__ import annotations

import itertools
import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.working_page import WorkingPage

PASSWORD = "correct horse battery"  # noqa: S105 - as in serve_site.py
# Number of unused people of a served campaign: all tests of one process use the same campaign.
_PEOPLE = 150
# A successful test never waits this long; on a busy machine, a page may need some time.
_PATIENCE_MS = 30_000
_SENTENCES = (
    "The house was built in 1928 and has walls of solid brick.",
    "Radiators of that time are often larger than they need to be.",
    "A heat pump works best when the flow temperature stays below 50 degrees.",
    "We measured for two winters; the seasonal performance factor was 3.4.",
    "Insulating the attic first cost little and took one weekend.",
    "Ask the neighbours before the outdoor unit is placed.",
    "The subsidy covers a third of the cost if it is asked for before the order.",
)
_TITLES = (
    "Heat pumps in houses from before the war: a report",
    "Flow temperature explained",
    "Forum: radiators too small?",
    "What our first winter cost",
    "Guide to air source heat pumps",
    "Should old houses be insulated first?",
    "Questions to an installer",
)
TOPICS = (
    {
        "topic": "0225",
        "title": "heat pumps in old houses",
        "description": "Can a heat pump heat a house from before 1950 with its old radiators?",
        "narrative": "Relevant docs give experience, measurements or advice on heat pumps in"
        " houses with poor insulation. Docs that only sell heat pumps are not relevant.",
    },
    {"topic": "0226", "title": "insulating an attic", "description": "What does it bring?"},
)
LEVELS = """levels = [
  { grade = 0, label = "Not relevant", text = "Contains nothing that helps with the topic." },
  { grade = 1, label = "Marginal", text = "Touches the topic; a reader would go on searching." },
  { grade = 2, label = "Relevant", text = "Answers part of the topic." },
  { grade = 3, label = "Highly relevant", text = "A reader could stop here." },
]"""
ERRORS = """errors = [
  { code = -2, label = "Cannot be displayed" },
  { code = -3, label = "Not in a language I read" },
]"""


# --- Campaigns ------------------------------------------------------------------------------------


def plain_docs(count: int) -> list[dict[str, str]]:
    """Return docs of a few paragraphs, every third of them as plain text."""
    docs = []
    for n in range(count):
        sentences = [_SENTENCES[(n * 3 + step) % len(_SENTENCES)] for step in range(24)]
        paragraphs = [" ".join(sentences[start : start + 4]) for start in range(0, 24, 4)]
        paragraphs[0] = f"This is doc {n + 1}. {paragraphs[0]}"
        doc = {"doc_id": f"clueweb-{n + 1:05}", "title": _TITLES[n % len(_TITLES)]}
        if n % 3 == 2:
            doc["text"] = "\n\n".join(paragraphs)
        else:
            body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
            doc["html"] = f"<title>x</title><h1>{doc['title']}</h1>{body}"
        docs.append(doc)
    return docs


def write_site(
    folder: Path,
    docs: Iterable[Mapping[str, str]],
    *,
    scale: str = LEVELS,
    judging: str = 'note = "optional"\nexcerpt = "optional"\n' + ERRORS,
    sizes: tuple[int, ...] = (60, 8),
    people: int = _PEOPLE,
    more: str = "",
) -> Path:
    """Write a campaign; each topic has the given number of first docs."""
    (folder / "pools").mkdir(parents=True)
    names = ", ".join(f'"{pseudonym(n)}"' for n in range(1, people + 1))
    (folder / "campaign.toml").write_text(
        f"""format = 1
title = "Energy and cities"

[scale]
{scale}

[judging]
{judging}
instructions = \"\"\"
Read the topic and its narrative before the first doc. Judge every doc by itself.

Judge what the doc says, not how it looks. If you are not sure, take the lower grade.\"\"\"

[groups.bronze]
role = "bronze"
assessors = [{names}]
{more}""",
        encoding="utf-8",
    )
    lines = [json.dumps(topic) for topic in TOPICS[: len(sizes)]]
    (folder / "topics.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    ids = []
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as out:
        for doc in docs:
            out.write(json.dumps(doc) + "\n")
            ids.append(doc["doc_id"])
    with (folder / "pools" / "prioritised.pool").open("w", encoding="utf-8") as out:
        out.write("# pool format=1 ordering=prioritised depth=30 seed=0\n")
        for topic, size in zip(TOPICS, sizes, strict=False):
            rows = enumerate(ids[:size], start=1)
            out.writelines(f"{topic['topic']} {doc} {place}\n" for place, doc in rows)
    return folder


def pseudonym(number: int) -> str:
    """Return the n-th pseudonym, which is part of no other one: a01, …, a99, b00, …"""
    return f"{'abcdefghij'[number // 100]}{number % 100:02}"


def _environment(database_url: str = "") -> dict[str, str]:
    """Return the environment with a database; by default SQLite."""
    others = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return others | ({"DATABASE_URL": database_url} if database_url else {})


class Site:
    """A campaign served by a separate process.

    Attributes
    ----------
    url : str
        The address of the server.
    environment : dict of str
        The environment of the campaign's programs, with its database.
    """

    def __init__(self, folder: Path, *, database_url: str = "") -> None:
        self.folder, self.environment = folder, _environment(database_url)
        self._people = map(pseudonym, itertools.count(1))
        self.start()

    def start(self, port: int = 0) -> None:
        """Start the server."""
        self._log = (self.folder / "server.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("serve_site.py"), self.folder, str(port)],
            stdout=subprocess.PIPE, stderr=self._log, text=True, env=self.environment,
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, (self.folder / "server.log").read_text()
        told = json.loads(line)
        self.url: str = told["url"]
        self._cookies: dict[str, str] = told["cookies"]

    def kill(self) -> None:
        """End the server at once: no handler runs, nothing is flushed."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._log.close()

    def import_again(self) -> None:
        """Update the database to the contents of the folder."""
        subprocess.run(
            [sys.executable, "-m", "qrelsmith", "import", self.folder, "--accept-changes"],
            check=True,
            capture_output=True,
        )

    def anybody(self) -> str:
        """Return an assessor who has judged nothing yet."""
        person = next(self._people)
        assert person in self._cookies, "the campaign has no more people; see _PEOPLE"
        return person

    def cookie(self, login: str) -> dict[str, Any]:
        """Return the cookie of a session."""
        value = self._cookies[login]
        return {"name": "qrelsmith_session", "value": value, "url": self.url, "httpOnly": True}

    def assignment(self, assessor: str, topic: str = "0225") -> int:
        """Return the number of an assignment."""
        return int(self._rows(_ASSIGNMENT, assessor, topic)[0]["id"])

    def events(self, assessor: str) -> list[dict[str, Any]]:
        """Return the events of an assessor, oldest first."""
        return self._rows(_EVENTS, assessor)

    def labels(self, assessor: str, topic: str = "0225") -> dict[int, float]:
        """Return the current labels of an assessor by position."""
        rows = self._rows(_LABELS, assessor, topic)
        return {row["position"]: row["value"] for row in rows}

    def verify(self) -> str:
        """Return the errors that `qrelsmith app verify` reports; empty if there are none."""
        done = subprocess.run(
            [sys.executable, "-m", "qrelsmith", "verify", self.folder],
            capture_output=True, text=True, env=self.environment,
        )  # fmt: skip
        return "" if done.returncode == 0 else done.stdout + done.stderr

    def _rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        connection = sqlite3.connect(self.folder / ".qrelsmith" / "app.sqlite3", timeout=20)
        connection.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in connection.execute(query, values)]
        finally:
            connection.close()


_ASSIGNMENT = """
SELECT g.id FROM qrelsmith_web_assignment g
JOIN qrelsmith_web_assessor s ON s.id = g.assessor_id
JOIN qrelsmith_web_topic t ON t.id = g.topic_id WHERE s.name = ? AND t.name = ?"""
_EVENTS = """
SELECT e.*, d.position FROM qrelsmith_web_event e
JOIN qrelsmith_web_assigneddoc d ON d.id = e.assigned_id
JOIN qrelsmith_web_assessor s ON s.id = e.assessor_id WHERE s.name = ? ORDER BY e.id"""
_LABELS = """
SELECT d.position, d.value FROM qrelsmith_web_assigneddoc d
JOIN qrelsmith_web_assignment g ON g.id = d.assignment_id
JOIN qrelsmith_web_assessor s ON s.id = g.assessor_id
JOIN qrelsmith_web_topic t ON t.id = g.topic_id
WHERE s.name = ? AND t.name = ? AND d.is_judged"""


@pytest.fixture(scope="session")
def serve(
    chromium_path: str,
    tmp_path_factory: pytest.TempPathFactory,
    give_tables: Callable[[Path], Path],
) -> Iterator[Callable[..., Site]]:
    """Return a function that serves a campaign until the tests end."""
    sites: list[Site] = []

    def start(docs: Iterable[Mapping[str, str]], **options: Any) -> Site:
        folder = write_site(tmp_path_factory.mktemp("site") / "campaign", docs, **options)
        sites.append(Site(give_tables(folder)))
        return sites[-1]

    yield start
    for site in sites:
        site.kill()


@pytest.fixture(scope="session")
def site(serve: Callable[..., Site]) -> Iterator[Site]:
    """Serve a campaign with four levels, two error codes, notes, passages; topics of 60 and 8 docs.

    The database is verified after the tests.
    """
    site = serve(plain_docs(60))
    yield site
    assert site.verify() == ""


@pytest.fixture(scope="session")
def strict_site(serve: Callable[..., Site]) -> Site:
    """Serve a campaign with one error code and a model; some levels need a note or a passage."""
    levels = """levels = [
      { grade = 0, label = "No" },
      { grade = 1, label = "Some", excerpt = "required" },
      { grade = 2, label = "Yes", note = "required" },
    ]"""
    model = '[groups.llm]\nrole = "llm"\nassessors = ["gpt-x"]\n'
    return serve(plain_docs(6), scale=levels, judging="", sizes=(6, 3), people=4, more=model)


@pytest.fixture(scope="session")
def slider_site(serve: Callable[..., Site]) -> Site:
    """Serve a campaign with a slider from 0 to 100."""
    scale = """range = "0..100"
    levels = [{ grade = 0, label = "no" }, { grade = 100, label = "all" }]"""
    return serve(plain_docs(6), scale=scale, judging='control = "slider"', sizes=(6,), people=2)


@pytest.fixture(scope="session")
def number_site(serve: Callable[..., Site]) -> Site:
    """Serve a campaign of magnitude estimation."""
    return serve(plain_docs(6), scale="", judging='control = "number"', sizes=(6,), people=2)


# --- The browser ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium(chromium_path: str) -> Iterator[Any]:
    """Start a headless Chromium for a module: Django cannot run at the same time."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium_path)
        yield browser
        browser.close()


# A page's service worker, needed only for reloads without a server, takes a fifth of the time.
_PLAIN = {"viewport": {"width": 1280, "height": 800}, "service_workers": "block"}


@pytest.fixture
def open_context(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a separate browser context; page errors fail the test."""
    opened = []
    problems: list[str] = []

    def start(site: Site, login: str = "", **options: Any) -> Any:
        context = chromium.new_context(**_PLAIN | options)
        context.set_default_timeout(_PATIENCE_MS)
        context.on("weberror", lambda error: problems.append(str(error.error)))
        if login:
            context.add_cookies([site.cookie(login)])
        opened.append(context)
        return context

    yield start
    for context in opened:
        context.close()
    assert problems == []


class JudgingPage(WorkingPage):
    """The judging page, as seen and used by a person."""

    def open(self, position: int | None = None, *, topic: str = "0225") -> JudgingPage:
        """Open a topic where the person stopped, or at a position."""
        place = "" if position is None else f"/{position}"
        self.page.goto(f"{self.site.url}/judge/{self.site.assignment(self.assessor, topic)}{place}")
        self.shown()
        return self

    def shown(self, position: int | None = None) -> int:
        """Wait until a doc is on the screen; return its position."""
        self.page.wait_for_function(
            "position => { const { shown } = document.getElementById('main')?.dataset ?? {};"
            " return shown !== undefined && (position === null || Number(shown) === position); }",
            arg=position,
        )
        return int(self.page.evaluate("document.getElementById('main')?.dataset.shown"))

    def judge(self, key: str) -> int:
        """Grade the doc on the screen with a key; return the position of the next doc."""
        before = self.shown()
        self.press(key)
        self.page.wait_for_function(
            "before => { const { shown } = document.getElementById('main')?.dataset ?? {};"
            " return shown !== undefined && Number(shown) !== before; }",
            arg=before,
        )
        return self.shown()

    def mark(self, position: int) -> str:
        """Return the label of a doc in the list, in words."""
        words = self.page.locator(f"#list a[data-position='{position}'] .mark .words")
        return " ".join(words.all_text_contents())

    def doc_words(self) -> str:
        """Return the text of the doc on the screen."""
        text = self.page.locator("#doc-text")
        if text.is_visible():
            return str(text.inner_text())
        return str(self.frame().evaluate("document.body.innerText"))

    def frame(self) -> Any:
        """Return the frame of the doc on the screen."""
        handle = self.page.wait_for_selector("#doc-place iframe:not(.waiting)", state="attached")
        assert handle is not None
        frame = handle.content_frame()
        assert frame is not None
        frame.wait_for_load_state()  # earlier keys are lost
        return frame

    def wait_for(self, what: Callable[[], bool]) -> None:
        """Wait until a condition is true on the server."""
        deadline = time.monotonic() + _PATIENCE_MS / 1000
        while not what():
            assert time.monotonic() < deadline
            self.page.wait_for_timeout(20)


@pytest.fixture
def judging(open_context: Callable[..., Any]) -> Callable[..., JudgingPage]:
    """Return a function that opens the judging page for an assessor who has judged nothing yet."""

    def start(site: Site, assessor: str = "", **options: Any) -> JudgingPage:
        assessor = assessor or site.anybody()
        return JudgingPage(open_context(site, assessor, **options), site, assessor)

    return start


def number_of_doc(words: str) -> int:
    """Return the number of the doc of `plain_docs` with this text."""
    found = re.search(r"This is doc (\d+)\.", words)
    assert found is not None, words
    return int(found[1])


@pytest.fixture
def doc_number() -> Callable[[str], int]:
    return number_of_doc


def without_digests(source: str) -> str:
    """Return a page's source without its digests, which can contain any short name by chance."""
    return re.sub("[0-9a-f]{12,}", "", source)


def place_of_paragraph(page: Any, root: str, number: int) -> tuple[float, float]:
    """Return the position of the first words of a paragraph, scrolled into view."""
    x, y = page.evaluate(
        f"""number => {{
        const root = {root};
        const page = root.ownerDocument;
        const frame = page.defaultView.frameElement;
        const range = page.createRange();
        const paragraph = [...root.querySelectorAll('p')].filter(
          ({{ textContent }}) => textContent.length > 60)[number];
        const words = page.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT).nextNode();
        range.setStart(words, 0);
        range.setEnd(words, 1);
        for (const block of ['start', 'center', 'end']) {{
          paragraph.scrollIntoView({{ block, behavior: 'instant' }});
          const base = frame?.getBoundingClientRect() ?? {{ x: 0, y: 0 }};
          const box = range.getBoundingClientRect();
          const place = [base.x + box.x + box.width / 2, base.y + box.y + box.height / 2];
          const seen = document.elementFromPoint(...place);
          if (frame ? seen === frame : paragraph.contains(seen)) return place;
        }}
        return null;
        }}""",
        number,
    )
    return x, y


@pytest.fixture(scope="session")
def conftest() -> Any:
    """Return this module, for campaigns that a test writes itself."""
    return sys.modules[__name__]
