"""The page of pairs with axe-core, a screen reader, small windows and phones, and its speed."""

from __future__ import annotations

import re
import time
from typing import Any

import numpy as np
import pytest
from tests.web.browser.complaints import complaints

pytestmark = pytest.mark.slow

OTHER_SIZES = [
    pytest.param(*size, marks=pytest.mark.full) for size in ((390, 844), (768, 1024), (1024, 768))
]

WIDTH = "document.documentElement.scrollWidth"
PLACES = """sides => sides.map(side => {
  const { scrollHeight, clientHeight } = document.getElementById(`${side}-text`);
  return scrollHeight > clientHeight && clientHeight > 200;
})"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.full
def test_no_state_of_the_page_has_a_violation(pair_site: Any, comparing_page: Any):
    topic = pair_site.topic()
    at = comparing_page(pair_site, topic=topic).open()
    assert complaints(at.page) == []
    at.press("t", "/")
    at.page.keyboard.type("the")
    at.page.wait_for_function("() => document.querySelector('#find-place').textContent !== ''")
    at.press("Escape", "Enter", "ArrowLeft")
    assert complaints(at.page) == []
    at.press("v")
    at.page.wait_for_selector("#left-text:not([hidden])")
    at.press("ArrowUp")
    assert complaints(at.page) == []
    at.press("v", "v")
    at.page.wait_for_load_state("networkidle")
    other = comparing_page(pair_site, topic=topic).open_over("waiting")
    assert complaints(other.page) == []
    other.page.close()  # while it waits, it would take a pair that becomes available
    while at.page.is_hidden("#over"):
        at.answer("ArrowLeft", "Enter")
    at.over("done")
    assert complaints(at.page) == []
    at.page.goto(pair_site.url)
    assert complaints(at.page) == []


@pytest.mark.full
def test_no_dialog_has_a_violation(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.press("?")
    at.page.wait_for_selector("#keys-dialog[open]")
    assert complaints(at.page) == []
    at.press("Escape")
    there = comparing_page(pair_site, at.assessor, at.topic).open()
    there.answer("ArrowRight", "Enter")
    there.saved()
    at.press("ArrowLeft", "Enter")
    at.page.wait_for_selector("#conflict[open]")
    assert complaints(at.page) == []
    at.page.click("#conflict button[value=theirs]")
    at.shown(2)
    at.context.clear_cookies()
    at.press("ArrowLeft", "Enter")
    at.page.wait_for_selector("#login-dialog[open]")
    assert complaints(at.page) == []


@pytest.mark.full
def test_events_are_announced(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    assert at.told() == "Pair 1"
    at.press("ArrowLeft")
    assert at.told() == "Left is better. Press Enter to continue."
    at.answer("Enter")
    assert at.told() == "Left is better. Pair 2"
    at.press("u")
    at.shown(1)
    assert at.told() == "Undone. The answer is now: not compared. Pair 1"
    assert at.page.get_attribute("#announcer-0", "aria-live") == "polite"


@pytest.mark.parametrize("docs_fail", [False, pytest.param(True, marks=pytest.mark.full)])
def test_a_late_pair_is_announced_once_after_the_answer(
    pair_site: Any, comparing_page: Any, docs_fail: bool
):
    at = comparing_page(pair_site)
    at.page.route("**/next?besides=*", lambda route: route.abort())
    at.open()
    docs = re.compile(r"/pairs?/\d+/(left|right)")
    if docs_fail:
        at.page.route(docs, lambda route: route.abort())
    at.listen().press("ArrowLeft", "Enter")
    if docs_fail:
        at.page.wait_for_selector("#left-message:not([hidden])")
        at.page.unroute(docs)
    at.shown(2)
    assert at.heard() == ["Left is better. Press Enter to continue.", "Left is better. Pair 2"]


@pytest.mark.full
def test_the_tab_key_follows_the_reading_order(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.answer("ArrowLeft", "Enter")
    seen = []
    for _ in range(40):
        at.press("Tab")
        seen.append(
            at.page.evaluate(
                "() => { const e = document.activeElement; return e.id || e.dataset.deed"
                " || (e.name ?? '') || e.dataset.view || e.className }"
            )
        )
    wanted = ["skip", "help", "asked", "to-previous", "to-next", "outcome-1", "first continue",
              "undo", "highlight", "find", "together", "at-once"]  # fmt: skip
    assert [name for name in seen if name in wanted][: len(wanted)] == wanted


@pytest.mark.full
def test_keys_can_be_changed_and_those_of_the_graded_page_stay(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.press("?")
    at.page.click("[data-action=tie]")
    at.press("y", "Escape")
    at.press("e")
    assert at.marked() is None
    at.press("y")
    assert at.marked() == "0"
    # A key already in use swaps places with the other key.
    at.press("?")
    at.page.click("[data-action=tie]")
    at.press("w", "Escape")
    at.press("ArrowLeft", "w")
    assert at.marked() == "0"
    at.press("y")
    assert at.page.evaluate("document.activeElement.id") == "own-term"
    assert at.page.evaluate("localStorage.getItem('qrelsmith:keys')") is None


@pytest.mark.parametrize(("width", "height"), [(320, 256), *OTHER_SIZES])
def test_the_page_works_in_small_windows_and_at_four_hundred_percent(
    pair_site: Any, comparing_page: Any, width: int, height: int
):
    """A window of 1280 × 1024 at 400% is one of 320 × 256."""
    at = comparing_page(pair_site, viewport={"width": width, "height": height}).open().to_pages()
    number = at.shown()
    assert at.page.evaluate(WIDTH) <= width
    if width < 400:
        assert complaints(at.page) == []
    at.press("v")
    at.page.wait_for_selector("#left-text:not([hidden])")
    if height > 544:  # texts are longer than the window, and scroll inside their containers
        assert at.page.evaluate("document.documentElement.scrollHeight") == height
        assert at.page.evaluate(PLACES, ["left", "right"]) == [True, True]
    at.breathe()
    at.page.locator("label.outcome >> nth=0").click()
    at.page.click(".continue")
    at.shown(number + 1)
    at.press("/")
    at.page.keyboard.type("the")
    at.press("Escape")
    at.page.wait_for_timeout(50)
    assert at.page.evaluate(WIDTH) <= width
    at.page.goto(pair_site.url)
    assert at.page.evaluate(WIDTH) <= width


def test_on_a_phone_the_thumb_reaches_all_controls_and_one_doc_is_shown_at_a_time(
    pair_site: Any, comparing_page: Any
):
    at = comparing_page(pair_site, **PHONE).open()
    assert at.page.evaluate("document.documentElement.scrollHeight") == 844  # nothing to scroll
    assert at.page.is_visible("#asked >> text=Choose the doc that answers")
    for each in at.page.locator(".flip button, label.outcome, .continue").all():
        box = each.bounding_box()
        assert box["y"] > 844 * 0.75
        assert box["y"] + box["height"] <= 844
        assert box["height"] >= 38
    place = at.page.locator("#left-place").bounding_box()
    assert place["height"] > 844 * 0.35
    assert at.page.is_visible("#left-place")
    assert not at.page.is_visible("#right-place")
    at.page.tap(".flip [data-deed=right]")
    assert at.page.is_visible("#right-place")
    assert not at.page.is_visible("#left-place")
    assert at.page.get_attribute(".flip [data-deed=right]", "aria-pressed") == "true"
    at.breathe()
    at.page.tap("label.outcome >> nth=2")
    at.page.tap(".continue")
    at.shown(2)
    at.saved()
    (event,) = pair_site.answers(at.topic)
    assert (event["outcome"], event["input_kind"]) == (1, "touch")
    assert at.page.is_visible("#left-place")  # a new pair begins with its left doc


@pytest.mark.full
def test_text_twice_as_large_is_not_cut_off(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.page.evaluate("document.documentElement.style.fontSize = '32px'")
    at.page.wait_for_timeout(100)
    assert at.page.evaluate(WIDTH) <= 1280
    fits = "e => e.scrollWidth <= e.clientWidth + 1 && e.scrollHeight <= e.clientHeight + 1"
    for selector in ("label.outcome", ".continue", ".undo button", ".looks button"):
        for each in at.page.locator(selector).element_handles():
            assert each.evaluate(fits), selector


@pytest.mark.full
def test_forced_colours_and_reduced_motion_are_respected(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site, forced_colors="active", reduced_motion="reduce").open()
    at.press("ArrowLeft")
    marked, other = (
        at.page.evaluate(
            f"getComputedStyle(document.querySelectorAll('label.outcome')[{n}]).backgroundColor"
        )
        for n in (0, 1)
    )
    assert marked != other
    moving = at.page.evaluate(
        "[...document.querySelectorAll('*')].filter(e => {"
        " const style = getComputedStyle(e);"
        " return parseFloat(style.transitionDuration) || parseFloat(style.animationDuration)"
        " }).length"
    )
    assert moving == 0


# From a key to the second frame after the next pair was loaded: it is painted then.
STOPWATCH = """
window.took = [];
addEventListener("keydown", () => { window.pressed = performance.now(); }, { capture: true });
addEventListener("DOMContentLoaded", () => {
  const main = document.getElementById("main");
  new MutationObserver(() => {
    if (main.dataset.shown === undefined || !window.pressed) return;
    const { pressed } = window;
    window.pressed = 0;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.took.push(performance.now() - pressed);
    }));
  }).observe(main, { attributes: true, attributeFilter: ["data-shown"] });
});
"""


@pytest.mark.full
def test_each_key_shows_the_next_pair_and_the_time_is_reported(
    five_site: Any, comparing_page: Any, record_property: Any
):
    at = comparing_page(five_site)
    at.page.add_init_script(STOPWATCH)
    at.open()
    for number in range(1, 16):
        at.press("ArrowLeft", "Enter")
        at.shown(number + 1)
    at.page.wait_for_function("() => window.took.length === 15")
    p95 = float(np.percentile(at.page.evaluate("window.took"), 95))
    record_property("p95_ms", p95)
    print(f"key to next pair, p95 of 15: {p95:.0f} ms")
    at.saved()
    assert five_site.outcomes(at.topic) == [-1] * 15


def test_a_key_shows_where_pages_with_the_same_navigation_differ(
    serve_pairs: Any, comparing_page: Any
):
    links = "".join(f"<li>Link number {n} of a navigation</li>" for n in range(80))
    content = "<p>What this page is about, and no other one.</p>" * 120
    docs = [
        {
            "doc_id": f"d{n}",
            "title": "Shop",
            "html": f"<ul>{links}</ul><main><h1>{n}</h1>{content}</main>",
        }
        for n in range(8)
    ]
    at = comparing_page(serve_pairs(docs, topics=1, people=1)).open()
    seen = "(() => { const { top } = document.querySelector('h1').getBoundingClientRect();"
    seen += " return top >= 0 && top < innerHeight; })()"
    frames = [at.frame("left"), at.frame("right")]
    assert [frame.evaluate(seen) for frame in frames] == [False, False]
    at.press("m")
    # A frame without scripts has no animation frames to wait in.
    for frame in frames:
        deadline = time.monotonic() + 30
        while not frame.evaluate(seen):
            assert time.monotonic() < deadline
            at.page.wait_for_timeout(50)
