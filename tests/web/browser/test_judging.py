"""Graded judging with keys and with the mouse."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.web.browser.pressing import breathe

pytestmark = pytest.mark.slow


@pytest.mark.quick
@pytest.mark.parametrize(
    ("topic", "docs"), [("0226", 8), pytest.param("0225", 60, marks=pytest.mark.full)]
)
def test_a_topic_is_judged_with_the_keyboard_alone(
    site: Any, judging: Any, doc_number: Any, topic: str, docs: int
):
    at = judging(site).open(topic=topic)
    grades = [n % 4 for n in range(docs)]
    for position, grade in enumerate(grades, start=1):
        assert at.shown() == position
        # The doc on the screen is the doc that gets the label.
        assert doc_number(at.doc_words()) == position
        at.press(str(grade))
        if position < docs:
            at.shown(position + 1)
    at.page.wait_for_selector("#finished:not([hidden])")
    at.saved()
    assert at.page.inner_text("#progress-text") == f"{docs} of {docs} judged"
    assert site.labels(at.assessor, topic) == dict(enumerate(grades, start=1))
    events = site.events(at.assessor)
    assert [(each["position"], each["value"]) for each in events] == list(
        enumerate(grades, start=1)
    )
    assert {each["input_kind"] for each in events} == {"key"}
    assert len({each["op_id"] for each in events}) == docs


def test_times_show_how_long_a_doc_was_displayed(site: Any, judging: Any):
    at = judging(site).open()
    at.page.wait_for_timeout(1200)
    at.judge("1")
    at.saved()
    (event,) = site.events(at.assessor)
    assert 1200 <= event["active_ms"] + event["idle_ms"] < 6000
    assert event["shown_at"] < event["judged_at"] <= event["accepted_at"]


@pytest.mark.quick
def test_undo_works_without_limit_and_after_a_reload(site: Any, judging: Any):
    at = judging(site).open(topic="0226")
    for key in "0123":
        at.judge(key)
    at.press("u")
    at.shown(4)
    at.press("u")
    at.shown(3)
    at.saved()
    assert site.labels(at.assessor, "0226") == {1: 0, 2: 1}
    at.page.reload()
    at.shown(3)
    for position in (2, 1):
        at.press("u")
        at.shown(position)
        at.page.wait_for_function("() => !document.querySelector('input[name=value]:checked')")
    at.saved()
    assert site.labels(at.assessor, "0226") == {}
    at.press("u")
    at.page.wait_for_function(
        "() => /Nothing to undo/.test(document.querySelector('#announcer-0').textContent"
        " + document.querySelector('#announcer-1').textContent)"
    )


def test_a_doc_is_judged_again_after_going_back(site: Any, judging: Any):
    at = judging(site).open()
    for key in "012":
        at.judge(key)
    at.press("g")
    at.page.keyboard.type("2")
    at.press("Enter")
    at.shown(2)
    assert at.page.is_checked("input[name=value][value='1']")
    assert at.judge("3") == 4  # then the first unjudged doc
    at.saved()
    assert site.labels(at.assessor) == {1: 0, 2: 3, 3: 2}
    assert [event["revision"] for event in site.events(at.assessor)] == [1, 1, 1, 2]


def test_the_same_grade_again_is_not_a_new_judgment(site: Any, judging: Any):
    at = judging(site).open()
    at.judge("2")
    at.press("k")
    at.shown(1)
    assert at.judge("2") == 2
    at.saved()
    assert len(site.events(at.assessor)) == 1


def test_keys_move_without_judging(site: Any, judging: Any):
    at = judging(site).open(5)
    at.press("j")
    at.shown(6)
    at.press("k", "k")
    at.shown(4)
    at.press("o")
    at.shown(5)
    assert site.events(at.assessor) == []
    at.press("k", "k", "k", "k")
    at.shown(1)
    at.press("k")
    assert "first doc" in at.told()


def test_an_error_code_is_not_a_grade(site: Any, judging: Any):
    at = judging(site).open()
    at.press("e")
    at.page.wait_for_selector("#error-dialog[open]")
    at.press("2")
    at.shown(2)
    at.page.wait_for_selector("#list .mark.error:not(.pending)")
    assert at.mark(1) == "Not in a language I read"
    at.press("e")
    at.page.wait_for_selector("#error-dialog[open]")
    at.press("Escape")
    at.page.wait_for_selector("#error-dialog[open]", state="detached")
    assert at.shown() == 2
    at.saved()
    assert site.labels(at.assessor) == {1: -3}


def test_a_click_judges_like_a_key(site: Any, judging: Any):
    at = judging(site).open()
    relevant = at.page.locator("label.grade >> nth=2")
    at.breathe()
    relevant.dblclick()  # a habit; a double click is one judgment
    at.shown(2)
    at.press("1")  # the keys still work
    at.shown(3)
    at.saved()
    events = site.events(at.assessor)
    assert [(event["value"], event["input_kind"]) for event in events] == [(2, "click"), (1, "key")]


def test_arrows_only_select_and_enter_saves(site: Any, judging: Any):
    at = judging(site).open()
    at.page.focus("input[name=value] >> nth=0")
    at.press("ArrowRight", "ArrowRight")
    assert at.shown() == 1
    assert site.events(at.assessor) == []
    at.press("Enter")
    at.shown(2)
    at.saved()
    assert site.labels(at.assessor) == {1: 2}


def test_a_held_key_judges_one_doc(site: Any, judging: Any):
    at = judging(site).open()
    for _ in range(5):
        at.breathe()
        at.page.keyboard.down("1")  # from the second event on, a repetition
    at.page.keyboard.up("1")
    at.saved()
    assert site.labels(at.assessor) == {1: 1}


def test_the_list_shows_a_kind_of_docs_and_opens_them(site: Any, judging: Any):
    at = judging(site).open()
    for key in "0120":
        at.judge(key)
    numbers = "() => [...document.querySelectorAll('#list .number')].map(e => e.textContent).join()"
    at.page.select_option("#filter", "0")
    at.page.wait_for_function(f"() => ({numbers})() === '1,4'")
    at.page.select_option("#filter", "open")
    at.page.wait_for_function(f"() => ({numbers})().startsWith('5,6,7')")
    at.page.select_option("#filter", "all")
    at.page.fill("#jump", "winter")
    at.page.wait_for_function(f"() => ({numbers})().startsWith('4,11,18')")
    assert at.page.text_content("#shown") == "9 docs"
    at.page.hover("#list a[data-position='18']")
    at.page.mouse.down()
    # The list is redrawn in the middle of a click.
    at.page.evaluate(
        """async () => {
          document.querySelector("#list").dispatchEvent(new Event("scroll"));
          for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
        }"""
    )
    at.page.mouse.up()
    at.shown(18)


def test_judging_resumes_where_the_assessor_stopped(site: Any, judging: Any):
    at = judging(site).open()
    for key in "01":
        at.judge(key)
    at.saved()
    at.page.goto(site.url)
    at.page.click("a.button.first")
    assert at.shown() == 3
    assert at.page.url.endswith("/3")


def test_notes_and_passages_are_saved_with_the_label(site: Any, judging: Any):
    at = judging(site).open(3)  # a doc of plain text
    at.press("/")
    at.page.keyboard.type("attic")
    at.page.wait_for_function(
        "() => document.getElementById('find-place').textContent.startsWith('1 of')"
    )
    at.page.focus("#doc-text")
    at.press("x")
    at.page.wait_for_function("() => CSS.highlights.has('pick')")
    at.press("Enter", "Escape", "n")
    at.page.keyboard.type("2 weeks of it")  # typed digits judge nothing
    at.press("Escape")
    at.judge("2")
    at.saved()
    (event,) = site.events(at.assessor)
    (passage,) = json.loads(event["passages"])
    assert passage["quote"].startswith("Insulating the attic first")
    assert event["note"] == "2 weeks of it"
    # After undo, they need not be typed again.
    at.press("u")
    at.shown(3)
    assert at.page.input_value("textarea[name=note]") == "2 weeks of it"
    at.judge("3")
    at.saved()
    assert [e["note"] for e in site.events(at.assessor)] == ["2 weeks of it", "", "2 weeks of it"]


def test_an_unsaved_note_is_kept(site: Any, judging: Any):
    at = judging(site).open()
    at.press("n")
    at.page.keyboard.type("half a thought")
    at.press("Escape", "j")
    at.shown(2)
    assert at.page.input_value("textarea[name=note]") == ""
    at.page.reload()
    at.shown(2)
    at.press("k")
    at.shown(1)
    assert at.page.input_value("textarea[name=note]") == "half a thought"


def test_a_required_note_or_passage_is_asked_for(strict_site: Any, judging: Any):
    at = judging(strict_site).open()
    at.press("2")
    assert "needs a note" in at.told()
    assert at.page.evaluate("document.activeElement.name") == "note"
    assert at.shown() == 1
    at.page.keyboard.type("Because.")
    at.press("Enter")
    at.shown(2)
    at.press("1")
    assert "needs a passage" in at.told()
    at.page.wait_for_function(
        "() => document.querySelector('iframe:not(.waiting)')"
        ".contentWindow.CSS.highlights.has('pick')"
    )
    at.press("Enter", "1")
    at.shown(3)
    at.judge("0")
    at.saved()
    assert strict_site.labels(at.assessor) == {1: 2, 2: 1, 3: 0}
    events = strict_site.events(at.assessor)
    assert [e["note"] for e in events] == ["Because.", "", ""]
    assert [len(json.loads(e["passages"])) for e in events] == [0, 1, 0]
    assert at.page.is_visible("label.error")  # one code only: it has its own button
    at.press("e")
    at.shown(5)


def test_a_slider_accepts_digits_arrows_and_the_mouse(slider_site: Any, judging: Any):
    site = slider_site
    at = judging(site).open()
    breathe(at.page)
    at.page.click("button.save")
    assert "Select a grade" in at.told()  # the middle of the slider is not a grade
    at.page.keyboard.type("73")
    at.press("Enter")
    at.shown(2)
    assert at.page.input_value("input[type=number]") == ""
    at.page.keyboard.type("101")
    at.press("Enter")
    assert at.page.inner_text("#hint") == "Choose a number from 0 to 100."
    at.page.focus("input[type=range]")
    at.press("Home", "ArrowRight", "ArrowRight", "Enter")
    at.shown(3)
    breathe(at.page)
    box = at.page.locator("input[type=range]").bounding_box()
    at.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    at.page.click("button.save")
    at.shown(4)
    at.press("e")
    at.shown(5)
    at.press("u")
    at.shown(4)
    at.saved()
    assert site.labels(at.assessor) == {1: 73, 2: 2, 3: pytest.approx(50, abs=2)}
    kinds = [event["input_kind"] for event in site.events(at.assessor)]
    assert kinds == ["number", "slider", "slider", "key", ""]


def test_any_positive_number_is_a_magnitude(number_site: Any, judging: Any):
    site = number_site
    at = judging(site).open()
    at.page.keyboard.type("0.25")
    at.press("Enter")
    at.shown(2)
    at.page.keyboard.type("1800")
    at.press("Enter")
    at.shown(3)
    for wrong in ("0", "-3"):
        at.page.fill("input[type=number]", wrong)
        at.press("Enter")
        assert "number above 0" in at.told()
    assert at.shown() == 3
    at.saved()
    assert site.labels(at.assessor) == {1: 0.25, 2: 1800}


def test_no_rank_score_or_other_people_are_revealed(site: Any, judging: Any, conftest: Any):
    first = judging(site).open()
    first.judge("3")
    first.saved()
    second = judging(site).open()
    source = second.page.content() + second.page.inner_text("body")
    for secret in ("prioritised", "randomised", "seed", first.assessor, '"ordering"', "bronze"):
        assert secret not in conftest.without_digests(source)
    assert second.mark(1) == ""


@pytest.mark.full
def test_ten_of_many_levels_have_keys(serve: Any, judging: Any, conftest: Any):
    levels = ", ".join(f"{{ grade = {n}, label = 'level {n}' }}" for n in range(12))
    site = serve(conftest.plain_docs(3), scale=f"levels = [{levels}]", sizes=(3,), people=1)
    at = judging(site, "a01").open()
    hints = at.page.locator(".grade kbd[data-grade]")
    assert hints.all_text_contents()[:10] == [*"1234567890"]
    assert at.page.locator(".grade kbd[data-grade]:visible").count() == 10
    at.judge("1")
    at.judge("0")
    at.breathe()
    at.page.locator(".grade", has_text="level 11").click()
    at.saved()
    assert site.labels("a01") == {1: 0, 2: 9, 3: 11}


def test_an_out_of_date_label_is_reported_and_found(serve: Any, judging: Any, conftest: Any):
    site = serve(conftest.plain_docs(6), sizes=(6,), people=1)
    at = judging(site, "a01").open()
    at.judge("1")
    at.judge("2")
    at.saved()
    documents = site.folder / "documents.jsonl"
    changed = documents.read_text().replace("This is doc 1.", "This is doc 1, corrected.")
    documents.write_text(changed)
    site.import_again()
    at.open(3)
    at.page.wait_for_selector("#list a[data-position='1'] .mark.stale")
    assert at.mark(1) == "Marginal, out of date"
    at.page.select_option("#filter", "stale")
    at.page.wait_for_function("() => document.querySelectorAll('#list li').length === 1")
    at.page.click("#list a")
    at.shown(1)
    assert "The doc was changed" in at.page.inner_text("#hint")
    assert "corrected" in at.doc_words()
    at.press("1")  # the same grade, but a new judgment
    at.shown(3)
    at.saved()
    assert len(site.events("a01")) == 3
    assert at.mark(1) == "Marginal"


def test_in_a_closed_topic_docs_can_be_read_but_not_judged(
    site: Any, judging: Any, open_context: Any
):
    at = judging(site)
    organiser = open_context(site, "organiser").new_page()
    organiser.goto(f"{site.url}/organiser/")
    organiser.fill("#looking [name=assessor]", at.assessor)
    organiser.locator(".matrix a.cell").first.click()
    organiser.click("button[name=deed][value=close]")
    organiser.wait_for_selector("button[name=deed][value=open]")
    at.open(2)
    assert at.page.is_visible("text=This topic is closed")
    at.press("1")
    assert "closed" in at.page.inner_text("#hint")
    at.press("j")
    at.shown(3)
    assert site.events(at.assessor) == []
