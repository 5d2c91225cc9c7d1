"""Keys pressed before the doc on the screen could be read, on all pages with keys."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browser.pressing import hint, press_after

pytestmark = pytest.mark.slow

IGNORED = "Key ignored: the doc had only just appeared. Press again."


def test_a_key_counts_from_300_ms_after_the_doc_was_painted(site: Any, judging: Any):
    at = judging(site).open(topic="0226")
    for ms in (-200, 100, 200, 299):
        press_after(at.page, "3", ms)
        assert hint(at.page) == IGNORED
    press_after(at.page, "2", 301)
    assert at.shown(2) == 2
    assert at.page.inner_text("#hint") == ""
    # A doc opened by the user must be read, too.
    at.press("k")
    at.shown(1)
    press_after(at.page, "3", 100)
    assert hint(at.page) == IGNORED
    at.saved()
    assert site.labels(at.assessor, "0226") == {1: 2}


def test_a_busy_page_counts_a_key_at_the_time_when_it_was_pressed(site: Any, judging: Any):
    at = judging(site).open(topic="0226")
    at.page.evaluate(
        """() => addEventListener("keydown", ({ timeStamp }) => {
          while (performance.now() < timeStamp + 500);
        }, { capture: true, once: true })"""
    )
    press_after(at.page, "3", 200)
    assert hint(at.page) == IGNORED
    assert site.labels(at.assessor, "0226") == {}


def test_a_key_between_a_grade_and_the_next_doc_is_ignored_with_a_message(site: Any, judging: Any):
    at = judging(site)
    at.page.route("**/next?*", lambda route: route.abort())
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    at.page.route("**/docs/2", hold)
    at.open(1, topic="0226")
    press_after(at.page, "1", 301)
    at.wait_for(lambda: bool(held))
    at.press("3")
    said = hint(at.page)
    held[0].continue_()
    at.shown(2)
    # The message is still visible when the doc is shown.
    assert at.page.inner_text("#hint") == said
    at.saved()
    assert site.labels(at.assessor, "0226") == {1: 1}


def test_a_key_pressed_inside_the_doc_counts_from_the_time_of_pressing(site: Any, judging: Any):
    at = judging(site).open(1, topic="0226")
    frame = at.frame()
    # While the button is down, the doc has the keys.
    at.page.mouse.move(*_middle(at.page))
    at.page.mouse.down()
    frame.wait_for_function("document.hasFocus()")
    press_after(at.page, "3", 200)
    assert hint(at.page) == IGNORED
    press_after(at.page, "1", 301)
    assert at.shown(2) == 2
    at.page.mouse.up()


def _middle(page: Any) -> tuple[float, float]:
    box = page.locator("#doc-place").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_verdict_by_a_key_needs_a_doc_that_could_be_read(site: Any, open_context: Any):
    page = open_context(site, "organiser").new_page()
    query = "SELECT id FROM qrelsmith_web_assigneddoc ORDER BY id DESC LIMIT 1"
    page.goto(f"{site.url}/organiser/desk/{site._rows(query)[0]['id']}")
    press_after(page, "1", 299)
    assert hint(page) == IGNORED
    press_after(page, "2", 301)
    page.wait_for_selector(".notice:has-text('decided: Relevant.')")
    # The page shows the decision now; another digit pressed in haste does not change it.
    press_after(page, "3", 100)
    assert hint(page) == IGNORED
    query = "SELECT value FROM qrelsmith_web_deskevent WHERE kind = 'adjudicated'"
    assert [row["value"] for row in site._rows(query)] == [2]
