"""Answers judged in Chromium: by keys, on a phone, without a connection, with edited nuggets."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.complaints import complaints
from tests.web.browser.pressing import breathe, press
from tests.web.browser.test_layout import SEEN, SIZES, WATCH, assert_in_view
from tests.web.browser.working_page import WorkingPage

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class AnswerPage(WorkingPage):
    """The page for answers, as seen and used by a person."""

    def open(self, topic: str = "attic") -> AnswerPage:
        """Open the answers to a topic, where the person stopped."""
        query = """SELECT g.id FROM qrelsmith_web_answerassignment g
            JOIN qrelsmith_web_assessor s ON s.id = g.assessor_id
            JOIN qrelsmith_web_topic t ON t.id = g.topic_id WHERE s.name = ? AND t.name = ?"""
        (found,) = rows_of(self.site, query, self.assessor, topic)
        self.page.goto(f"{self.site.url}/answers/{found['id']}")
        self.shown()
        return self

    def shown(self) -> int:
        """Wait until an aspect can be judged; return its position."""
        self.page.wait_for_function("() => document.getElementById('main')?.dataset.shown")
        return int(self.page.evaluate("document.getElementById('main').dataset.shown"))

    def judge(self, key: str, *, by_touch: bool = False) -> None:
        """Label the aspect, and wait for the next step."""
        before = self.shown()
        breathe(self.page)
        if by_touch:
            self.page.wait_for_timeout(500)  # a second tap within a double tap does not count
            value = "-3" if key == "c" else key
            self.page.tap(f"#grade label:has(input[value='{value}'])")
        else:
            press(self.page, key)
        self.page.wait_for_function(
            """before => Number(document.getElementById('main')?.dataset.shown ?? before) !== before
            || !document.getElementById('finished').hidden""",
            arg=before,
        )

    @property
    def family(self) -> str:
        """Return the family of the judged aspect."""
        return str(self.page.inner_text("#aspect-family"))

    @property
    def text(self) -> str:
        """Return the text of the judged aspect."""
        return str(self.page.inner_text("#aspect-text"))


def rows_of(site: Any, query: str, *values: Any) -> list[dict[str, Any]]:
    connection = sqlite3.connect(site.folder / ".qrelsmith" / "app.sqlite3", timeout=20)
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(query, values)]
    finally:
        connection.close()


_LABELS = """SELECT i.family, i.text, i.value, i.note, i.passages FROM qrelsmith_web_answeraspect i
JOIN qrelsmith_web_answerassignment g ON g.id = i.assignment_id
JOIN qrelsmith_web_assessor s ON s.id = g.assessor_id
WHERE s.name = ? AND i.is_judged ORDER BY i.position"""


@pytest.fixture(scope="module")
def answer_site(
    chromium_path: str, conftest: Any, tmp_path_factory: Any, make_answers: Callable[..., Path]
) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("answers") / "campaign"
    site = conftest.Site(make_answers(folder, people=tuple(f"a{n:02}" for n in range(1, 9))))
    yield site
    assert site.verify() == ""
    site.kill()


@pytest.fixture
def answering(answer_site: Any, open_context: Any) -> Callable[..., AnswerPage]:
    def start(assessor: str, **options: Any) -> AnswerPage:
        return AnswerPage(open_context(answer_site, assessor, **options), answer_site, assessor)

    return start


@pytest.mark.quick
def test_each_label_needs_one_key_and_citations_open_their_doc(
    answer_site: Any, answering: Any
) -> None:
    at = answering("a01").open()
    page = at.page
    for key in "210c":
        at.judge(key)
    press(page, "n")
    page.keyboard.type("Only in a clause.")
    press(page, "Escape")
    press(page, "x")
    page.wait_for_function("() => CSS.highlights.has('pick')")
    press(page, "Enter")
    page.wait_for_selector("#passages li")
    press(page, "Escape")
    at.judge("1")
    # The citation opens its doc at the words of the sentence.
    assert at.family == "Citation"
    page.wait_for_selector("#cited:not([hidden])")
    frame = page.frame_locator("#doc-place iframe:not(.waiting)")
    assert "It was measured." in frame.locator("body").inner_text()
    assert page.locator(".sentences [data-asked]:visible").count() == 1
    at.judge("2")
    press(page, "u")
    page.wait_for_function(
        "() => !document.querySelector('#grade input:checked')"
        " && document.getElementById('aspect-family').textContent === 'Citation'"
    )
    at.saved()
    labels = rows_of(answer_site, _LABELS, "a01")
    assert [row["value"] for row in labels] == [2, 1, 0, -3, 1]
    assert labels[4]["note"] == "Only in a clause."
    (passage,) = json.loads(labels[4]["passages"])
    assert passage["quote"].endswith(".")
    page.reload()
    assert at.shown()
    assert page.locator("#aspects .given:not(:empty)").count() == 5


def test_nuggets_are_edited_in_a_form_and_edits_undone(answer_site: Any, answering: Any) -> None:
    at = answering("a02").open("solar")
    page = at.page
    press(page, "a")
    page.fill("#nugget-text", "East roofs suit breakfast.")
    page.select_option("#nugget-value", "0.5")
    page.click("#nugget button.first")
    added = "#aspects >> text=East roofs suit breakfast."
    page.wait_for_selector(added)
    at.shown()
    press(page, "r")
    page.fill("#nugget-split", "Four fifths is enough.")
    page.click("#nugget button.first")
    page.wait_for_selector("#aspects >> text=Four fifths is enough.")
    at.shown()
    press(page, "u")
    page.wait_for_selector("#aspects >> text=Four fifths is enough.", state="detached")
    other = answering("a03").open("solar")
    assert other.page.locator(added).count() == 1


def test_labels_wait_for_a_connection(answer_site: Any, answering: Any) -> None:
    at = answering("a04", service_workers="allow").open("heat")
    at.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    at.page.context.set_offline(True)
    for key in "2101":
        at.judge(key)
    at.page.wait_for_selector("#sending[data-kind=lost]")
    assert rows_of(answer_site, _LABELS, "a04") == []
    at.page.reload()  # the page was stored, and so were the labels
    at.shown()
    assert at.page.locator("#aspects .given:not(:empty)").count() == 4
    at.page.context.set_offline(False)
    at.saved()
    assert [row["value"] for row in rows_of(answer_site, _LABELS, "a04")] == [2, 1, 0, 1]


def test_nothing_moves_from_the_first_nugget_to_the_last_criterion(answering: Any) -> None:
    for assessor, (size, share) in zip(("a06", "a07", "a08"), SIZES.items(), strict=True):
        width, height = size
        at = answering(assessor, viewport={"width": width, "height": height})
        at.page.add_init_script(WATCH)
        at.open()
        assert at.page.evaluate(SEEN, "#answer") / height >= share
        at.page.wait_for_timeout(300)
        at.page.evaluate("window.shifts.length = 0")
        for key in "210c121211212":
            at.judge(key)
        at.saved()
        assert at.page.evaluate("window.shifts") == [], size
        assert_in_view(at.page)
        assert complaints(at.page) == []


def test_a_phone_shows_answer_aspect_and_labels(answer_site: Any, answering: Any) -> None:
    at = answering("a05", **PHONE).open()
    page = at.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for _ in range(5):
        at.judge("2", by_touch=True)
    at.saved()
    assert [row["value"] for row in rows_of(answer_site, _LABELS, "a05")] == [2] * 5
    page.wait_for_selector("#cited:not([hidden])")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
