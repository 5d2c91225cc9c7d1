"""Twelve answers from the first label to the audit: computer, phone, model, both databases."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.pressing import press
from tests.web.browser.test_answers import PHONE, AnswerPage
from tests.web.fixtures.answer_campaigns import FACTS, QUESTIONS

pytestmark = [pytest.mark.slow, pytest.mark.full]

_CONTRADICTS = -3
_TEXTS = {text: (topic, n) for topic, facts in FACTS.items() for n, text in enumerate(facts)}
_SENDING = "() => document.getElementById('sending').dataset.kind === 'lost'"


def label_of(at: AnswerPage, *, is_strict: bool) -> int:
    """Return the label that a person gives the aspect on the screen, based on the page."""
    _, place = _TEXTS.get(at.text, ("", 0))
    if at.family == "Criterion":
        return 2 if is_strict else 3
    if at.family == "Citation":
        return 1 if is_strict and place == 0 else 2
    if at.text not in at.page.inner_text(".one:not([hidden]) .sentences"):
        return 0
    return {1: 1, 2: _CONTRADICTS}.get(place, 2) if is_strict else 2


def verdict_on(kind: str, text: str) -> int:
    """Return the decision of the adjudicator."""
    topic, place = _TEXTS.get(text, ("", 0))
    if kind == "Criterion":
        return 2
    if kind == "Citation" or place == 1:
        return 1
    return _CONTRADICTS if topic == "attic" else 2


def told(row: dict[str, str]) -> tuple[str, str]:
    """Return the kind and text of the aspect of an exported row, as shown on pages."""
    aspect = row["aspect"]
    if aspect.startswith("citation:"):
        return "Citation", FACTS[row["topic"]][int(aspect.split(":")[1])]
    if aspect == "fluency":
        return "Criterion", aspect
    return "Nugget", FACTS[row["topic"]][int(aspect[1:]) - 1]


def fits(page: Any) -> bool:
    """Return whether a page needs no horizontal scrolling."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.fixture
def journey(
    conftest: Any, make_answers: Callable[..., Path], tmp_path: Path, database_url: str
) -> Iterator[Any]:
    site = conftest.Site(make_answers(tmp_path / "campaign"), database_url=database_url)
    yield site
    site.kill()


class Person:
    """A person who judges all answers; `given` contains the labels by topic, kind and text."""

    def __init__(self, context: Any, site: Any, name: str, *, by_touch: bool) -> None:
        self.at, self.site, self.name = AnswerPage(context, site, name), site, name
        self.by_touch = by_touch
        self.given: Counter[tuple[str, str, str, int]] = Counter()

    def start(self, topic: str) -> None:
        """Choose a topic on the front page."""
        page = self.at.page
        page.goto(self.site.url)
        assert fits(page)
        page.get_by_role("link", name=QUESTIONS[topic], exact=True).click()
        self.at.shown()

    def judge(self, topic: str, *, most: int = 1000) -> None:
        """Judge the aspects of a topic until all have labels."""
        at = self.at
        for _ in range(most):
            if at.page.is_visible("#finished"):
                return
            value = label_of(at, is_strict=self.by_touch)
            self.given[topic, at.family, at.text, value] += 1
            at.judge("c" if value == _CONTRADICTS else str(value), by_touch=self.by_touch)


def test_answers_are_judged_adjudicated_exported_and_audited(
    journey: Any, open_context: Any, tmp_path: Path
) -> None:
    desk = Person(open_context(journey, "a01"), journey, "a01", by_touch=False)
    phone = Person(open_context(journey, "a02", **PHONE), journey, "a02", by_touch=True)
    judge_all(desk, phone)
    command = [sys.executable, "-m", "qrelsmith"]
    labels: list[str] = []
    for prompt in ("nuggets", "citations", "criterion"):
        file = tmp_path / f"{prompt}.csv"
        options = ["--endpoint", "builtin:lexical", "--prompt", prompt, "-o", file]
        subprocess.run(
            [*command, "judge", journey.folder, *options],
            check=True, capture_output=True, env=journey.environment,
        )  # fmt: skip
        labels += file.read_text().splitlines(keepends=True)[bool(labels) :]
    (journey.folder / "qrels").mkdir()
    (journey.folder / "qrels" / "model.csv").write_text("".join(labels))
    verdicts = adjudicate_all(journey, open_context)
    again = judge_repeats(desk, open_context)
    assert journey.verify() == ""
    out = exported(journey, open_context, tmp_path)
    with (out / "judgments.csv").open(newline="") as lines:
        events = sorted(csv.DictReader(lines), key=lambda row: int(row["revision"]))
    assert len(events) == 2 * (60 + 42 + 12) + 2  # a wrong label, and its undo
    named = ("assessor", "topic", "doc", "aspect")
    rows = {tuple(row[name] for name in named): row for row in events}.values()
    for person in (desk, phone):
        own = [row for row in rows if row["assessor"] == person.name]
        came = Counter((row["topic"], *told(row), int(row["grade"])) for row in own)
        assert came == person.given
    (noted,) = [row for row in rows if row["note"]]
    assert (noted["note"], noted["assessor"]) == ("Measured in one house.", "a01")
    with (out / "adjudications.csv").open(newline="") as lines:
        decided = list(csv.DictReader(lines))
    assert Counter((row["topic"], *told(row), int(row["grade"])) for row in decided) == verdicts
    assert {row["blind"] for row in decided} == {"yes"}
    with (out / "qrels" / "adjudicated.csv").open(newline="") as lines:
        final = {(row["topic"], row["doc"], row["aspect"]): row for row in csv.DictReader(lines)}
    assert len(final) == 114
    for row in decided:
        assert final[row["topic"], row["doc"], row["aspect"]]["grade"] == row["grade"]
    with (out / "rejudging" / "round-2.csv").open(newline="") as lines:
        repeated = [row for row in csv.DictReader(lines) if row["assessor"] == "a01"]
    came = Counter((row["topic"], *told(row), int(row["grade"])) for row in repeated)
    assert came == again
    lower = sum(row["grade"] == "1" for row in repeated)
    options = ["--self-agreement", "--format", "jsonl"]
    said = subprocess.run(
        [*command, "efficiency", out, *options], check=True, capture_output=True
    ).stdout.decode()
    own, _ = map(json.loads, said.splitlines())
    assert lower > 0
    assert [own[name] for name in ("assessor", "repeats", "same", "higher", "lower")] == [
        "a01", len(repeated), len(repeated) - lower, 0, lower,
    ]  # fmt: skip
    subprocess.run([*command, "audit", out, "-o", tmp_path / "audit"], check=True)
    report = (tmp_path / "audit" / "audit.html").read_text()
    for sentence in (
        "model",
        f"{len(decided)} aspects of answers were adjudicated",
        f"{len(repeated) - lower} of {len(repeated)} hidden repeats got the same grade",
    ):
        assert sentence in report


def judge_repeats(person: Person, open_context: Any) -> Counter[tuple[str, str, str, int]]:
    """Draw a third of the answers again, and judge them with lower labels of some citations."""
    site, at = person.site, person.at
    page = open_context(site, "organiser").new_page()
    page.goto(f"{site.url}/organiser/assessors")
    page.fill("input[name=percent]", "33")
    page.get_by_role("button", name="Rejudge blind").click()
    page.wait_for_url("**/rounds/2")
    given: Counter[tuple[str, str, str, int]] = Counter()
    for _ in QUESTIONS:
        at.page.goto(site.url)
        if not at.page.locator("td.state a.button").count():
            break
        assert "round" not in at.page.inner_text("table.topics")
        at.page.click("td.state a.button")
        at.shown()
        topic = at.page.inner_text("#topic .id")
        while not at.page.is_visible("#finished"):
            _, place = _TEXTS.get(at.text, ("", 0))
            value = 1 if at.family == "Citation" and place else label_of(at, is_strict=False)
            given[topic, at.family, at.text, value] += 1
            at.judge(str(value))
        at.saved()
    assert given
    return given


def judge_all(desk: Person, phone: Person) -> None:
    """Judge everything; meanwhile, labels are corrected and the server is killed."""
    site, page = desk.site, desk.at.page
    desk.start("attic")
    desk.judge("attic", most=8)
    # A wrong label is undone, and a label gets a note.
    (wrong,) = [key for key in ("0", "2") if key != str(label_of(desk.at, is_strict=False))]
    before = desk.at.shown()
    desk.at.judge(wrong)
    press(page, "u")
    page.wait_for_function(
        "before => document.getElementById('main').dataset.shown === String(before)", arg=before
    )
    press(page, "n")
    page.keyboard.type("Measured in one house.")
    press(page, "Escape")
    for topic in ("attic", "heat", "solar"):
        if topic != "attic":
            desk.start(topic)
        desk.judge(topic)
        desk.at.saved()
    phone.start("heat")
    assert fits(phone.at.page)
    phone.judge("heat", most=9)
    phone.at.saved()
    port = int(site.url.rpartition(":")[2])
    site.kill()
    phone.judge("heat", most=4)
    phone.at.page.wait_for_function(_SENDING)
    site.start(port)
    phone.at.saved()
    phone.judge("heat")
    for topic in ("heat", "solar", "attic"):
        if topic != "heat":
            phone.start(topic)
        phone.judge(topic)
        phone.at.saved()
        assert fits(phone.at.page)


def adjudicate_all(site: Any, open_context: Any) -> Counter[tuple[str, str, str, int]]:
    """Decide all disagreements: twenty on a computer by keys, the others on a phone."""
    given: Counter[tuple[str, str, str, int]] = Counter()
    for options, most in (({}, 20), (PHONE, 1000)):
        page = open_context(site, "organiser", **options).new_page()
        page.goto(f"{site.url}/organiser/disagreements")
        assert fits(page)
        page.get_by_role("link", name="Adjudicate blind").click()
        for _ in range(most):
            if page.url.endswith("/disagreements"):
                break
            assert fits(page)
            topic = page.inner_text("h1 .id")
            kind, text = page.inner_text("h2 >> nth=0"), page.inner_text("blockquote")
            assert not page.is_visible("#labels")
            value = verdict_on(kind, text)
            given[topic, kind, text, value] += 1
            page.wait_for_timeout(500)
            if options:
                page.tap(f"#verdict button[value='{value}']")
            else:
                press(page, "c" if value == _CONTRADICTS else str(value))
            page.wait_for_selector("#labels")
            page.get_by_role("link", name="Next disagreement, blind").click()
            page.wait_for_load_state()
    assert page.url.endswith("/disagreements")
    # Nuggets that one assessor labels as partial or contradicted, first citations, all criteria.
    kinds = Counter(kind for _, kind, *_ in given.elements())
    assert kinds == {"Nugget": 12 + 9, "Citation": 12, "Criterion": 12}
    return given


def exported(site: Any, open_context: Any, tmp_path: Path) -> Path:
    """Create an export as organiser, and unpack it."""
    page = open_context(site, "organiser", accept_downloads=True).new_page()
    page.goto(f"{site.url}/organiser/exports")
    page.get_by_role("button", name="Create export").click()
    link = "table.figures th a"
    while not page.locator(link).count():
        page.wait_for_timeout(1000)
        page.reload()
    with page.expect_download() as started:
        page.click(link)
    file = tmp_path / started.value.suggested_filename
    started.value.save_as(file)
    out = tmp_path / "unpacked"
    with zipfile.ZipFile(file) as packed:
        packed.extractall(out)
    (settings,) = out.rglob("campaign.toml")
    return settings.parent
