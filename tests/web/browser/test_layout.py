"""The doc comes first: its share of the window, no layout shifts, little to load.

Shares are of the window's height; at 200% zoom, a window of 1280 × 800 has 640 × 400 pixels.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browser.pressing import hint

pytestmark = pytest.mark.slow

SIZES = {(1280, 800): 0.7, (1024, 768): 0.6, (640, 400): 0.6}
MOST_BYTES = 120_000
# Every shift counts, including those immediately after a key.
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    const told = ({ node }) => node?.id || node?.outerHTML?.slice(0, 80) || node?.data;
    window.shifts.push([value, ...sources.map(told)]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
SEEN = """selector => {
  const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0);
}"""
INSIDE = """selector => {
  const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""


def assert_in_view(page: Any) -> None:
    """Check that the topic's title and all grades are visible, without horizontal scrolling."""
    for selector in ("#topic-title", ".grades"):
        assert page.evaluate(INSIDE, selector), selector
    width = "document.documentElement.scrollWidth <= innerWidth"
    assert page.evaluate(width)


@pytest.mark.parametrize("size", [*SIZES, (390, 844)], ids=str)
def test_the_doc_has_most_of_the_window_and_nothing_moves(
    site: Any, judging: Any, size: tuple[int, int], record_property: Any
) -> None:
    width, height = size
    at = judging(site, viewport={"width": width, "height": height})
    at.page.add_init_script(WATCH)
    at.open(1)
    share = at.page.evaluate(SEEN, "#doc-place") / height
    record_property("share", share)
    print(f"{width} × {height}: the doc has {share:.0%}")
    assert share >= SIZES.get(size, 0.5)
    assert_in_view(at.page)
    at.page.wait_for_timeout(300)
    at.page.evaluate("window.shifts.length = 0")
    for key in "012":
        at.judge(key)
    at.press("x")
    hint(at.page)
    at.press("Enter")
    at.page.wait_for_selector("#passages:not([hidden]) li", state="attached")
    at.press("Escape", "n")
    at.page.keyboard.type("A note that is longer than its field. " * 2)
    at.press("Escape", "k", "j", "h", "h", "u")
    at.shown(3)
    at.judge("3")
    at.saved()
    assert at.page.evaluate("window.shifts") == []
    assert_in_view(at.page)


# The positions of the parts beside the save state.
PLACES = """() => [
  "#progress-text", ".bar .account", "#topic", ".grades", ".undo", "#doc-place"
].map((selector) => JSON.stringify(document.querySelector(selector).getBoundingClientRect()))"""


@pytest.mark.parametrize("width", [1280, 1024, 700, 390])
def test_a_lost_connection_moves_nothing(site: Any, judging: Any, width: int) -> None:
    at = judging(site, viewport={"width": width, "height": 800}).open(1)
    at.page.wait_for_load_state("networkidle")
    places = at.page.evaluate(PLACES)
    at.context.set_offline(True)
    at.judge("1")
    at.state("lost")
    assert at.page.evaluate(PLACES) == places
    at.context.set_offline(False)
    at.saved()
    assert at.page.evaluate(PLACES) == places


@pytest.mark.parametrize("width", [1280, 700, 390])
def test_one_action_shows_the_whole_topic_and_moves_nothing(
    site: Any, judging: Any, width: int
) -> None:
    at = judging(site, viewport={"width": width, "height": 800}).open(1)
    places = at.page.evaluate(PLACES)[:-1]
    height = at.page.evaluate(SEEN, "#doc-place")
    at.page.click("#topic-button")
    panel = at.page.locator("#topic-panel")
    for words in ("heat a house from before 1950", "houses with poor insulation"):
        assert panel.locator(f"p:has-text('{words}')").is_visible()
    fits = "e => e.scrollHeight <= e.clientHeight || getComputedStyle(e).overflowY === 'auto'"
    assert panel.evaluate(fits)
    assert at.page.evaluate(PLACES)[:-1] == places
    assert at.page.evaluate(SEEN, "#doc-place") == height
    panel.locator(".close").click()
    assert panel.is_hidden()


def test_the_open_topic_is_remembered_for_that_topic(site: Any, judging: Any) -> None:
    at = judging(site).open(1)
    at.press("t")
    at.open(1)
    assert at.page.is_visible("#topic-panel")
    at.open(1, topic="0226")
    assert at.page.is_hidden("#topic-panel")
    at.open(1).press("t", "j")
    at.shown(2)
    assert at.page.is_hidden("#topic-panel")
    at.open(1)
    assert at.page.is_hidden("#topic-panel")


LAST = """() => {
  const last = document.getElementById("last");
  return last.scrollHeight <= last.clientHeight + 1 && last.scrollWidth <= last.clientWidth;
}"""


@pytest.mark.parametrize("width", [1440, 1280, 700])
def test_the_last_label_is_shown_in_full(site: Any, judging: Any, width: int) -> None:
    at = judging(site, viewport={"width": width, "height": 800}).open(1)
    at.judge("3")
    assert at.page.inner_text("#last") == "Doc 1: Highly relevant"
    assert at.page.evaluate(LAST)


def test_a_grade_below_a_resting_mouse_does_not_look_selected(site: Any, judging: Any) -> None:
    at = judging(site).open(1)
    at.breathe()
    first, other = (at.page.locator(f"label.grade >> nth={n}") for n in (0, 1))
    first.click()
    at.shown(2)
    colours = [each.evaluate("e => getComputedStyle(e).backgroundColor") for each in (first, other)]
    assert colours[0] == colours[1]


def test_a_note_without_a_grade_leaves_no_grade_focused(site: Any, judging: Any) -> None:
    at = judging(site).open(1)
    at.press("n")
    at.page.keyboard.type("short")
    at.press("Enter")
    assert at.page.inner_text("#hint") == "Select a grade first."
    assert at.page.evaluate("document.activeElement.matches('fieldset.grades')")
    assert at.judge("2") == 2


def test_grades_on_a_phone_have_their_numbers(site: Any, judging: Any) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    at = judging(site, **phone).open(1)
    numbers = at.page.locator("label.grade kbd[data-grade]:visible").all_inner_texts()
    assert numbers == ["0", "1", "2", "3"]


def test_a_key_without_effect_gives_a_message(site: Any, judging: Any) -> None:
    at = judging(site).open(1)
    for key in ("y", "7", "m"):
        at.press(key)
        at.wait_for(lambda key=key: f"The key {key} does nothing here" in at.told())
        assert f"The key {key} " in at.page.inner_text("#hint")
    assert site.labels(at.assessor) == {}


def test_the_first_load_is_small(site: Any, judging: Any, record_property: Any) -> None:
    at = judging(site).open(1)
    at.page.wait_for_load_state("networkidle")
    sent = at.page.evaluate(
        "performance.getEntriesByType('resource')"
        ".map(({ name, transferSize }) => [name, transferSize])"
    )
    # Stored for offline use, they are read again from the browser's own cache.
    files = [(url, size) for url, size in sent if "/static/" in url]
    record_property("bytes", sum(size for _, size in files))
    print(f"{len({url for url, _ in files})} files, {sum(size for _, size in files):,} bytes")
    assert len({url for url, _ in files}) == 2
    assert 1000 < sum(size for _, size in files) <= MOST_BYTES
