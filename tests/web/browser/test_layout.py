"""The doc comes first: its share of the window, nothing that moves, little to load.

Shares are of the window's height; 640 × 400 is what 200 % of zoom leaves of 1280 × 800.
"""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow

SIZES = {(1280, 800): 0.7, (1024, 768): 0.6, (640, 400): 0.6}
MOST_BYTES = 120_000
# Every shift counts, those that follow a key at once as well.
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
    """The title of the topic and all grades are seen, and nothing scrolls sideways."""
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
    at.press("x", "Enter")
    at.page.wait_for_selector("#passages:not([hidden]) li", state="attached")
    at.press("Escape", "n")
    at.page.keyboard.type("A note that is longer than its field. " * 2)
    at.press("Escape", "k", "j", "h", "h", "u")
    at.shown(3)
    at.judge("3")
    at.saved()
    assert at.page.evaluate("window.shifts") == []
    assert_in_view(at.page)


# Where the parts beside the save state are.
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


def test_a_key_that_does_nothing_says_so(site: Any, judging: Any) -> None:
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
    # Kept for a time without a connection, they are read once more, from the browser's own store.
    files = [(url, size) for url, size in sent if "/static/" in url]
    record_property("bytes", sum(size for _, size in files))
    print(f"{len({url for url, _ in files})} files, {sum(size for _, size in files):,} bytes")
    assert len({url for url, _ in files}) == 2
    assert 1000 < sum(size for _, size in files) <= MOST_BYTES
