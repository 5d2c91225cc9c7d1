"""Comparing pairs with keys, with the mouse and with both, from the first pair to the result."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browser.pressing import breathe

from qrelsmith.topk import Answer, Tournament

pytestmark = pytest.mark.slow


@pytest.mark.quick
def test_a_tournament_is_completed_with_the_keyboard_alone(
    serve_pairs: Any, comparing_page: Any, conftest: Any, doc_number: Any
):
    """An assessor who always prefers the doc with the larger number finds the largest two."""
    site = serve_pairs(
        conftest.plain_docs(12), topics=1, people=1, candidates=9,
        preferences='scheduler = "tournament"\nk = 2\nshare = "topic"',
    )  # fmt: skip
    names = [f"clueweb-{n:05}" for n in range(1, 10)]
    tournament = Tournament(names, k=2, seed=0, topic="p001")
    at = comparing_page(site, "a01", "p001").open()
    asked: list[Answer] = []
    while not at.page.is_visible("#over"):
        left, right = at.numbers(doc_number)
        # The pair on the screen is the one that the tournament needs now.
        open_pairs = {(pair.left, pair.right) for pair in tournament.replay(asked).open_pairs}
        assert (names[left - 1], names[right - 1]) in open_pairs
        outcome = 1 if right > left else -1
        asked.append(Answer(names[left - 1], names[right - 1], outcome, "a01"))
        at.answer("ArrowRight" if outcome > 0 else "ArrowLeft", "Enter")
    at.over("done").saved()
    assert tournament.replay(asked).done
    assert [place.doc for place in tournament.replay(asked).result] == [names[8], names[7]]
    assert at.page.inner_text("#progress-text") == f"Pairs: {len(asked)} compared"
    # The database contains the shown pairs and their answers.
    kept = [(pair["left_doc"], pair["right_doc"], pair["outcome"]) for pair in site.pairs("p001")]
    assert sorted(kept) == sorted((each.left, each.right, each.outcome) for each in asked)
    assert {event["input_kind"] for event in site.answers("p001")} == {"key"}
    assert site.verify() == ""
    exported = site.export("p001")
    assert exported == [names[8], names[7]]


def test_an_answer_is_marked_first_and_confirmed_by_continue(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.press("ArrowLeft")
    assert at.marked() == "-1"
    at.press("ArrowUp")
    assert at.marked() == "0"
    at.press("ArrowDown")
    assert at.marked() == "0"
    at.press("3", "1")  # digits, from left to right
    assert at.marked() == "-1"
    at.press("e")
    assert at.marked() == "0"
    at.press("Shift+ArrowRight")  # there is no "much better" here: the nearest choice is taken
    assert at.marked() == "1"
    assert at.page.inner_text("#right .verdict") == "better"
    assert pair_site.answers(at.topic) == []
    at.press(" ")
    at.shown(2)
    assert at.marked() is None
    assert at.page.inner_text("#last") == "Pair 1: Right is better"
    at.saved()
    assert pair_site.outcomes(at.topic) == [1]


def test_nothing_is_saved_without_an_answer(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.press("Enter")
    assert at.page.inner_text("#hint") == "Select the better doc first."
    at.page.click(".continue")
    assert at.shown() == 1
    assert pair_site.answers(at.topic) == []


def test_a_click_on_a_name_or_a_button_marks_and_the_arrows_still_work(
    pair_site: Any, comparing_page: Any
):
    at = comparing_page(pair_site).open()
    breathe(at.page)
    at.page.click("#left-title")
    assert at.marked() == "-1"
    at.page.click("label.outcome >> nth=1")
    assert at.marked() == "0"
    at.press("ArrowRight")  # not one button further, but the right doc
    assert at.marked() == "1"
    at.page.click("label.outcome >> nth=0")
    at.page.click(".continue")
    at.shown(2)
    at.saved()
    (event,) = pair_site.answers(at.topic)
    assert (event["outcome"], event["input_kind"]) == (-1, "click")


@pytest.mark.full
def test_arrow_keys_save_immediately_if_the_user_wants_that(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.page.click("#at-once")
    at.answer("ArrowLeft")
    at.page.reload()  # the setting is remembered
    at.shown(2)
    at.breathe()
    at.page.dblclick("#right-title")  # a habit: a double key is one answer
    at.shown(3)
    at.saved()
    assert pair_site.outcomes(at.topic) == [-1, 1]
    at.breathe()
    at.page.focus("input[name=outcome] >> nth=0")
    at.press("ArrowRight")  # among the buttons, arrows only select
    assert (at.shown(), at.marked()) == (3, "0")
    at.press("Enter")
    at.page.wait_for_function("() => document.getElementById('place').textContent !== 'Pair 3'")
    at.page.click("#at-once")


@pytest.mark.full
def test_five_choices_have_their_keys_and_buttons(five_site: Any, comparing_page: Any):
    at = comparing_page(five_site).open()
    assert at.page.locator("label.outcome").count() == 5
    for key in ("Shift+ArrowLeft", "ArrowDown", "ArrowRight", "e", "5"):
        at.answer(key, "Enter")
    at.press("Shift+ArrowRight")
    assert at.page.inner_text("#right .verdict") == "much better"
    at.saved()
    assert five_site.outcomes(at.topic) == [-2, 0, 1, 0, 2]


@pytest.mark.full
def test_four_choices_have_no_tie(serve_pairs: Any, comparing_page: Any, conftest: Any):
    site = serve_pairs(
        conftest.plain_docs(8), topics=1, people=1,
        preferences='scheduler = "tournament"\nk = 1\nshare = "pair"\nchoices = 4',
    )  # fmt: skip
    at = comparing_page(site, "a01", "p001").open()
    at.press("e", "ArrowUp")
    assert at.marked() is None
    assert "A tie is not allowed here" in at.told()
    at.answer("Shift+ArrowLeft", "Enter")
    at.answer("4", "Enter")
    at.saved()
    assert site.outcomes("p001") == [-2, 2]


def test_an_earlier_answer_can_be_changed(pair_site: Any, comparing_page: Any, doc_number: Any):
    at = comparing_page(pair_site).open()
    seen = []
    for _ in range(3):
        seen.append(at.numbers(doc_number))
        at.answer("ArrowLeft", "Enter")
    at.press("k", "k")
    at.shown(2)
    assert at.numbers(doc_number) == seen[1]
    assert at.marked() == "-1"
    at.press("k")
    at.shown(1)
    assert at.page.is_hidden("#to-previous")
    at.press("k")
    assert "first pair" in at.told()
    at.press("ArrowRight", "Enter")
    # The loser of the first pair is the winner now: another doc meets the next doc.
    at.page.wait_for_function("() => document.getElementById('main')?.dataset.shown !== undefined")
    at.saved()
    events = pair_site.answers(at.topic)
    assert [event["outcome"] for event in events] == [-1, -1, -1, 1]
    assert events[-1]["revision"] == 2
    changed = next(pair for pair in pair_site.pairs(at.topic) if pair["position"] == 1)
    assert changed["outcome"] == 1
    while not at.page.is_visible("#over"):
        at.answer("ArrowLeft", "Enter")
    at.over("done")
    at.press("k")  # from the end, too
    at.page.wait_for_selector("#over", state="hidden")
    at.shown()
    at.press("j")
    at.over("done")


def test_the_next_button_leads_to_answered_pairs_but_not_past_an_open_one(
    pair_site: Any, comparing_page: Any
):
    at = comparing_page(pair_site).open()
    at.answer("ArrowLeft", "Enter")
    at.press("j")
    assert at.shown() == 2
    assert "Answer this pair first" in at.told()
    assert at.page.get_attribute("#to-next", "aria-disabled") == "true"
    at.press("k")
    at.shown(1)
    assert at.page.get_attribute("#to-next", "aria-disabled") == "false"
    at.page.click("#to-next")
    at.shown(2)
    # Confirming an answered pair unchanged creates no new event.
    at.page.click("#to-previous")
    at.shown(1)
    at.answer("Enter")
    assert at.shown() == 2
    at.saved()
    assert len(pair_site.answers(at.topic)) == 1


def test_undo_works_without_limit_and_after_a_reload(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp"):
        at.answer(key, "Enter")
    at.saved()
    at.press("u")
    at.shown(3)
    assert at.marked() is None
    at.saved()
    at.page.reload()
    at.shown(3)
    at.press("u")
    at.shown(2)
    at.press("u")
    at.shown(1)
    at.saved()
    assert pair_site.outcomes(at.topic) == []
    at.press("u")
    at.page.wait_for_function(
        "() => /Nothing to undo/.test(document.querySelector('#announcer-0').textContent"
        " + document.querySelector('#announcer-1').textContent)"
    )


def test_a_user_who_waits_for_others_gets_the_next_pair_automatically(
    pair_site: Any, comparing_page: Any
):
    topic = pair_site.topic()
    one = comparing_page(pair_site, topic=topic).open()
    two = comparing_page(pair_site, topic=topic)
    one.page.wait_for_load_state("networkidle")  # a pair was taken ahead
    two.page.goto(two.address)
    two.over("waiting")
    assert "No pair is available" in two.told()
    assert two.page.is_hidden("#to-previous")
    one.answer("ArrowLeft", "Enter")
    one.saved()
    two.page.wait_for_function("() => document.getElementById('main')?.dataset.shown !== undefined")
    assert two.page.is_hidden("#over")
    assert "A pair is available again" in two.told()


def test_in_a_closed_topic_pairs_can_be_read_but_not_answered(
    pair_site: Any, comparing_page: Any, close_contest: Any
):
    at = comparing_page(pair_site).open()
    at.answer("ArrowLeft", "Enter")
    at.saved()
    close_contest(pair_site, at.topic)
    at.open_over("closed")
    at.press("k")
    at.shown(1)
    at.press("ArrowRight")
    at.page.wait_for_selector("[id^=announcer]:has-text('closed')", state="attached")
    assert at.marked() == "-1"


def test_no_grades_purposes_or_other_people_are_revealed(
    pair_site: Any, comparing_page: Any, conftest: Any
):
    topic = pair_site.topic()
    first = comparing_page(pair_site, topic=topic).open()
    first.answer("ArrowLeft", "Enter")
    first.saved()
    second = comparing_page(pair_site, topic=topic)
    second.page.goto(second.address)
    source = second.page.content() + second.page.inner_text("body")
    for secret in (first.assessor, "tournament", "thin.qrels", '"purpose"', '"round"', "bronze"):
        assert secret not in conftest.without_digests(source)


def test_pairs_and_grades_are_in_one_list(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.answer("ArrowLeft", "Enter")
    at.saved()
    at.page.goto(pair_site.url)
    rows = at.page.locator("table.topics tbody tr")
    assert rows.first.locator(".kind").inner_text() == "Grade docs"
    mine = rows.filter(has_text=at.topic).filter(has_text="Compare pairs")
    assert mine.locator(".share").inner_text().strip() == "1 of at most 5"
    assert mine.locator("a.button.first").inner_text().startswith("Continue")
    mine.locator("a.button").click()
    assert at.shown() == 2
