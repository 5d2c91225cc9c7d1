"""Reading a doc: views, search, scrolling, and the topic and the instructions beside the doc."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest

pytestmark = pytest.mark.slow

SCROLLED = "window.scrollY"


def test_a_page_has_three_views_and_the_choice_is_kept(site: Any, judging: Any, doc_number: Any):
    at = judging(site).open(1)
    assert at.page.get_attribute("#views [aria-current]", "data-view") == "page"
    assert at.frame().evaluate("document.querySelector('h1') !== null")
    at.press("v")
    at.page.wait_for_selector("#doc-text:not([hidden])")
    assert doc_number(at.doc_words()) == 1
    at.press("v")
    at.page.wait_for_selector("#doc-text", state="hidden")
    at.frame().wait_for_selector("pre")
    assert "<h1>Heat pumps" in at.doc_words()
    at.judge("1")
    assert "<h1>Flow" in at.doc_words()
    at.page.reload()
    at.shown(2)
    at.page.click("#views >> text=Page")
    at.frame().wait_for_selector("h1")
    at.press("j")
    at.shown(3)
    assert at.page.locator("#views a:visible").all_inner_texts() == ["Text", "Source"]
    at.press("v")  # as in the file, with aligned columns
    at.page.wait_for_selector("#doc-text", state="hidden")
    at.frame().wait_for_selector("pre.source")
    assert doc_number(at.doc_words()) == 3
    at.press("v")
    at.page.wait_for_selector("#doc-text:not([hidden])")
    assert doc_number(at.doc_words()) == 3


def test_highlighting_changes_no_word(site: Any, judging: Any):
    at = judging(site).open(1)
    marked = at.doc_words()
    assert at.frame().locator("mark.qrelsmith-term").count() > 5
    at.press("h")
    at.page.wait_for_selector("#highlight[aria-pressed=false]")
    at.frame().wait_for_selector("h1")
    assert at.frame().locator("mark").count() == 0
    assert at.doc_words() == marked
    at.press("v", "h")
    at.page.wait_for_function("() => CSS.highlights.get('term0')?.size > 1")
    assert at.page.locator("#doc-text mark").count() == 0


@pytest.mark.full
def test_search_moves_from_match_to_match_in_every_view(site: Any, judging: Any):
    at = judging(site).open(1)
    words = at.doc_words()
    place = at.page.locator("#find-place")
    at.press("/")
    at.page.keyboard.type("winters; the")
    at.page.wait_for_function("() => document.querySelector('#find-place').textContent !== ''")
    assert place.inner_text() == "1 of 3"
    at.press("Enter")
    at.frame().wait_for_selector("#qrelsmith-f2:target")
    assert place.inner_text() == "2 of 3"
    at.press("Shift+Enter", "Shift+Enter")
    at.frame().wait_for_selector("#qrelsmith-f3:target")
    assert at.doc_words() == words
    at.press("Escape")
    assert not at.page.is_visible("#find")
    at.page.keyboard.type("v")
    at.page.wait_for_selector("#doc-text:not([hidden])")
    at.press("/")
    at.page.keyboard.type("no such words")
    at.page.wait_for_function("() => document.querySelector('#find-place').textContent !== ''")
    assert place.inner_text() == "Not found"
    at.page.fill("#find-text", "WINTERS;  the")
    at.page.wait_for_function(
        "() => document.querySelector('#find-place').textContent.startsWith('1')"
    )
    assert at.page.evaluate("CSS.highlights.get('finds').size") == 3


def test_keys_scroll_the_doc_in_its_frame(site: Any, judging: Any):
    at = judging(site, viewport={"width": 1000, "height": 330}).open(1)
    frame = at.frame()
    at.press(" ")
    frame.wait_for_function(f"{SCROLLED} > 100")
    first = frame.evaluate(SCROLLED)
    at.page.wait_for_timeout(500)  # until the doc has stopped scrolling
    at.press("ArrowDown")
    frame.wait_for_function(f"{SCROLLED} > {first}")
    at.page.wait_for_timeout(500)  # until the doc has stopped scrolling
    at.press("Home")
    frame.wait_for_function(f"{SCROLLED} === 0")
    at.page.wait_for_timeout(500)  # until the doc has stopped scrolling
    at.press("End")
    frame.wait_for_function(
        f"{SCROLLED} + innerHeight > document.documentElement.scrollHeight - 40"
    )
    assert at.page.evaluate("window.scrollY") == 0
    entries = at.page.evaluate("history.length")
    at.press("Home", " ", "j")
    at.shown(2)
    assert at.page.evaluate("history.length") == entries  # Back leaves the page, as expected


def test_keys_scroll_the_text(site: Any, judging: Any):
    at = judging(site, viewport={"width": 1000, "height": 330}).open(3)
    for key, more in ((" ", True), ("PageDown", True), ("Shift+ ", False), ("Home", False)):
        before = at.page.evaluate("document.getElementById('doc-text').scrollTop")
        at.press(key)
        after = at.page.evaluate("document.getElementById('doc-text').scrollTop")
        assert (after > before) is more, key


def test_a_click_in_the_doc_does_not_capture_the_keys(site: Any, judging: Any):
    at = judging(site).open(1)
    at.page.locator("#doc-place iframe:not(.waiting)").click(position={"x": 200, "y": 200})
    at.page.wait_for_function("() => document.activeElement === document.body")
    at.press("2")
    at.shown(2)
    at.saved()
    assert site.labels(at.assessor) == {1: 2}


def test_while_typing_keys_are_letters(site: Any, judging: Any):
    at = judging(site).open(1)
    at.page.focus("textarea[name=note]")
    at.page.keyboard.type("ju?e2/")
    at.page.focus("#jump")
    at.page.keyboard.type("2e")
    assert at.shown() == 1
    assert at.page.input_value("textarea[name=note]") == "ju?e2/"
    at.page.keyboard.press("Escape")
    at.press("Control+2", "Alt+2")
    assert site.events(at.assessor) == []


@pytest.mark.full
def test_keys_can_be_changed_and_disabled(site: Any, judging: Any):
    at = judging(site).open(1)
    at.press("?")
    at.page.click("#keys-rows button[data-action=next]")
    at.press("u")  # it was the key of undo, which now gets j
    assert at.page.inner_text("#keys-rows button[data-action=undo]") == "j"
    at.press("Escape")
    at.press("u")
    at.shown(2)
    assert at.page.inner_text(".undo kbd") == "j"
    at.page.reload()
    at.shown(2)
    at.press("u")
    at.shown(3)
    at.press("?")
    at.page.click("#keys-rows button[data-action=next]")
    at.press("5")
    assert "can't be used" in at.told()
    at.page.uncheck("#keys-on")
    at.press("Escape")
    at.press("2", "u")
    at.page.wait_for_timeout(100)
    assert at.shown() == 3
    assert not at.page.is_visible(".undo kbd")
    at.page.click("nav.tools button")
    at.page.check("#keys-on")
    at.page.click("#keys-reset")
    at.press("Escape", "j")
    at.shown(4)
    assert site.events(at.assessor) == []


@pytest.mark.full
def test_a_key_chosen_before_another_action_needed_it_stays(site: Any, judging: Any):
    at = judging(site).open(1)
    # Chosen with a version without groups of words, and therefore without their key f.
    chosen = "{instructions: 'f', topic: 'i'}"
    at.page.evaluate(f"localStorage.setItem('qrelsmith:keys', JSON.stringify({chosen}))")
    at.page.reload()
    at.shown()
    at.press("f")
    assert at.page.is_visible("#instructions-panel")
    at.press("?")
    assert at.page.inner_text("#keys-rows button[data-action=instructions]") == "f"
    assert at.page.inner_text("#keys-rows button[data-action=group]") == "t"


@pytest.mark.full
def test_keys_work_on_keyboards_of_other_scripts(site: Any, judging: Any):
    at = judging(site).open(1)
    press = """([key, code]) => document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }))"""
    at.page.evaluate(press, ["о", "KeyJ"])  # Cyrillic
    at.shown(2)
    at.breathe()
    at.page.evaluate(press, ["é", "Digit2"])  # French, where digits need Shift
    at.shown(3)
    at.saved()
    assert site.labels(at.assessor) == {2: 2}


@pytest.mark.full
def test_instructions_and_narrative_are_available(site: Any, judging: Any):
    at = judging(site).open(1)
    at.press("i")
    panel = at.page.locator("#instructions-panel")
    assert "Judge what the doc says" in panel.inner_text()
    assert "A reader could stop here." in panel.inner_text()
    at.judge("1")  # it stays open while judging
    assert panel.is_visible()
    at.press("i")
    assert not panel.is_visible()
    at.press("t")
    assert at.page.is_visible("#topic-panel .narrative")
    at.press("i")
    assert not at.page.is_visible("#topic-panel")


def test_narrative_and_meanings_of_levels_are_in_the_initial_page(site: Any, judging: Any):
    at = judging(site, color_scheme="dark").open(1)
    assert at.page.is_visible("text=Docs that only sell heat pumps are not relevant.")
    assert at.page.is_visible("text=Touches the topic; a reader would go on searching.")
    # In dark mode, a page without its own colours is dark.
    colour = at.frame().evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", colour))) < 60


def test_a_doc_without_content_is_skipped(site: Any, judging: Any):
    at = judging(site)
    at.page.route("**/next?*", lambda route: route.abort())
    at.page.route(
        "**/docs/2",
        lambda route: route.fulfill(
            json={
                **(answer := route.fetch().json()),
                "doc": {**answer["doc"], "frame": "", "sha256": ""},
            }
        ),
    )
    at.open()
    at.press("1")
    at.page.wait_for_selector("#doc-message:not([hidden])")
    assert "cannot be judged" in at.page.inner_text("#doc-message")
    at.press("1", "j")
    at.shown(3)
    at.saved()
    assert site.labels(at.assessor) == {1: 1}


def test_a_doc_can_be_judged_after_its_view_was_changed_while_loading(site: Any, judging: Any):
    at = judging(site).open(1)
    at.press("v")
    at.page.wait_for_selector("#doc-text:not([hidden])")
    held: list[Any] = []
    address = f"{site.url}/judge/{site.assignment(at.assessor)}/10"

    def hold(route: Any) -> None:
        # The page that one leaves may still be fetching its next docs.
        if route.request.frame.url == address:
            held.append(route)
        else:
            route.continue_()

    at.page.route("**/docs/*/reading?*view=text*", hold)
    at.page.goto(address, wait_until="commit")
    at.wait_for(lambda: bool(held))
    at.press("v")
    for route in held:
        route.continue_()
    assert at.judge("1") == 11
    at.saved()
    assert site.labels(at.assessor) == {10: 1}


@pytest.mark.full
def test_a_page_that_never_loads_is_shown_as_text_and_judged(site: Any, judging: Any):
    at = judging(site)
    # A picture in a page can keep it from ever loading; here, the response never arrives.
    at.page.route(
        "**/doc/*",
        lambda route: None if route.request.resource_type == "document" else route.continue_(),
    )
    address = f"{site.url}/judge/{site.assignment(at.assessor, '0225')}/1"
    at.page.goto(address, wait_until="commit")
    at.page.wait_for_selector("#doc-text:not([hidden])")
    assert "Heat pumps" in at.page.inner_text("#doc-text")
    assert at.judge("1") == 2
    at.saved()
    assert site.labels(at.assessor)[1] == 1


@pytest.mark.full
def test_a_picture_that_grows_forever_does_not_prevent_judging(
    serve: Any, judging: Any, conftest: Any
):
    groups = "".join(
        f"<g id='a{n}'>" + f"<use href='#a{n - 1}'/>" * 10 + "</g>" for n in range(1, 10)
    )
    svg = "<svg xmlns='http://www.w3.org/2000/svg'><defs><rect id='a0' width='1' height='1'/>"
    svg += f"{groups}</defs><use href='#a9'/></svg>"
    address = "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
    style = f"<style>p {{ background: url('{address}') }}</style>"
    docs = [
        {
            "doc_id": "d1",
            "title": "A",
            "html": f"<p>Words</p><img alt='A drawing' src='{address}'>",
        },
        {"doc_id": "d2", "title": "B", "html": f"{style}<p>Words</p>"},
        *conftest.plain_docs(1),
    ]
    site = serve(docs, sizes=(3,), people=1)
    at = judging(site, "a01").open(1)
    assert "Words" in at.doc_words()
    assert at.judge("1") == 2
    assert at.judge("2") == 3
    at.saved()
    assert site.labels("a01") == {1: 1, 2: 2}
