"""Reading two docs: views, search, highlights and scrolling, in one doc and in both."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow

SCROLLED = "window.scrollY"
TOP = "document.getElementById('{}-text').scrollTop"


def found(at: Any) -> str:
    """Return the announced number of matches, when it is announced."""
    at.page.wait_for_function("() => document.querySelector('#find-place').textContent !== ''")
    return str(at.page.inner_text("#find-place"))


@pytest.fixture(scope="module")
def long_site(serve_pairs: Any) -> Any:
    """Serve pairs of two docs that are several screens long, one longer than the other."""
    docs = [
        {
            "doc_id": f"long-{n}", "title": f"Long {n}",
            "html": "".join(f"<p>Heat pump line {line} of {n}.</p>" for line in range(size)),
        }
        for n, size in enumerate((200, 90))
    ]  # fmt: skip
    return serve_pairs(docs, topics=6, people=6, candidates=2)


def test_each_doc_has_its_views_and_a_key_changes_both(
    pair_site: Any, comparing_page: Any, doc_number: Any
):
    at = comparing_page(pair_site).open().to_pages()
    numbers = at.numbers(doc_number)
    at.page.click("#left .views >> text=Source")
    at.frame("left").wait_for_selector("pre.source")
    assert "<h1>" in at.words("left")
    assert at.frame("right").evaluate("document.querySelector('h1') !== null")
    at.page.click("#right .views >> text=Text")
    at.page.wait_for_selector("#right-text:not([hidden])")
    at.page.reload()  # the choice is kept for both sides
    at.shown()
    assert at.page.get_attribute("#left [aria-current]", "data-view") == "source"
    assert at.page.get_attribute("#right [aria-current]", "data-view") == "text"
    at.page.hover("#right-title")
    at.press("v")
    at.frame("left").wait_for_selector("pre.source")
    assert at.page.get_attribute("#right [aria-current]", "data-view") == "source"
    at.press("v")
    at.frame("left").wait_for_selector("h1")
    at.frame("right").wait_for_selector("h1")
    assert at.numbers(doc_number) == numbers


@pytest.mark.full
def test_the_topics_words_are_highlighted_in_both_docs_or_in_none(
    long_site: Any, comparing_page: Any
):
    at = comparing_page(long_site).open()
    for side in ("left", "right"):
        assert at.frame(side).locator("mark.qrelsmith-term").count() > 50
    at.press("h")
    at.page.wait_for_selector("#highlight[aria-pressed=false]")
    for side in ("left", "right"):
        at.frame(side).wait_for_selector("p")
        assert at.frame(side).locator("mark").count() == 0
    at.press("v", "h")
    at.page.wait_for_selector("#right-text:not([hidden])")
    at.page.wait_for_function(
        "() => CSS.highlights.get('term0')?.size > 5 && CSS.highlights.get('term0-right')?.size > 5"
    )


@pytest.mark.full
def test_words_are_found_in_both_docs_and_their_matches_shown_side_by_side(
    long_site: Any, comparing_page: Any
):
    at = comparing_page(long_site).open()
    longer = 0 if "of 0." in at.words("left") else 1
    at.press("/")
    at.page.keyboard.type("line 19")
    at.page.wait_for_function("() => document.querySelector('#find-place').textContent !== ''")
    # 19 and 190 to 199 in one doc, 19 in the other.
    counts = (11, 1) if longer == 0 else (1, 11)
    assert (
        found(at)
        == f"Occurrence 1 of {counts[0]} in the left doc, 1 of {counts[1]} in the right doc"
    )
    for side in ("left", "right"):
        at.frame(side).wait_for_selector("#qrelsmith-f1:target")
    at.press("Enter", "Enter")
    more, fewer = ("left", "right") if longer == 0 else ("right", "left")
    at.frame(more).wait_for_selector("#qrelsmith-f3:target")
    at.frame(fewer).wait_for_selector("#qrelsmith-f1:target")
    at.press("Escape")
    assert at.page.is_hidden("#find")
    at.press("v")
    at.page.wait_for_selector("#left-text:not([hidden])")
    at.press("/")
    at.page.keyboard.type("LINE  42 ")
    assert found(at) == "Occurrence 1 of 1 in the left doc, 1 of 1 in the right doc"
    assert at.page.evaluate(TOP.format("left")) > 500
    assert at.page.evaluate(TOP.format("right")) > 500


@pytest.mark.full
def test_keys_scroll_one_doc_the_other_or_both(long_site: Any, comparing_page: Any):
    at = comparing_page(long_site).open()
    left, right = at.frame("left"), at.frame("right")
    at.press("PageDown")
    left.wait_for_function(f"() => {SCROLLED} > 200")
    assert right.evaluate(SCROLLED) == 0
    at.press("s", "PageDown")
    right.wait_for_function(f"() => {SCROLLED} > 200")
    at.page.hover("#left-title")  # the doc under the mouse
    at.press("End")
    left.wait_for_function(
        f"() => {SCROLLED} + innerHeight > document.documentElement.scrollHeight - 40"
    )
    at.press("b", "Home")
    for frame in (left, right):
        frame.wait_for_function(f"() => {SCROLLED} === 0")
    assert at.page.evaluate("window.scrollY") == 0
    at.press("b")


@pytest.mark.full
def test_texts_scroll_together_with_the_wheel(long_site: Any, comparing_page: Any):
    at = comparing_page(long_site).open()
    at.press("v")
    at.page.wait_for_selector("#left-text:not([hidden])")
    at.page.wait_for_selector("#right-text:not([hidden])")
    at.page.hover("#left-text")
    at.page.mouse.wheel(0, 300)
    at.page.wait_for_function(f"() => {TOP.format('left')} === 300")
    assert at.page.evaluate(TOP.format("right")) == 0
    at.press("b")
    assert at.page.get_attribute("#together", "aria-pressed") == "true"
    at.page.mouse.wheel(0, 200)
    at.page.wait_for_function(
        f"() => {TOP.format('left')} === 500 && {TOP.format('right')} === 200"
    )
    at.page.hover("#right-text")
    at.page.mouse.wheel(0, 100)
    at.page.wait_for_function(
        f"() => {TOP.format('left')} === 600 && {TOP.format('right')} === 300"
    )
    at.press("PageDown")
    at.page.wait_for_function(f"() => {TOP.format('left')} > 700 && {TOP.format('right')} > 400")
    moved = [at.page.evaluate(TOP.format(side)) for side in ("left", "right")]
    assert moved[0] - moved[1] == 300  # no echo moves one of them twice


@pytest.mark.full
def test_a_click_in_a_doc_does_not_capture_the_keys(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    for side in ("left", "right"):
        place = at.page.locator(f"#{side}-place").bounding_box()
        at.page.mouse.click(place["x"] + 200, place["y"] + 200)
        at.page.wait_for_function("() => document.activeElement.tagName !== 'IFRAME'")
    at.breathe()
    at.answer("ArrowRight", "Enter")
    at.saved()
    assert pair_site.outcomes(at.topic) == [1]


def test_the_docs_of_the_next_pair_are_prefetched(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.page.wait_for_load_state("networkidle")
    asked: list[str] = []
    at.page.on("request", lambda request: asked.append(request.url))
    at.page.route("**/pair/**", lambda route: route.abort())
    at.answer("ArrowLeft", "Enter")  # it is shown, although nothing can be fetched any more
    assert at.shown() == 2
    at.page.unroute("**/pair/**")
