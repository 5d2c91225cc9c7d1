"""No answer to a pair is lost, sent twice, or overwritten unseen."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browser.pressing import hint, press_after

pytestmark = pytest.mark.slow


def lose(route: Any) -> None:
    """Break the connection before a request arrives."""
    route.abort()


def test_without_a_connection_one_more_pair_is_compared_and_all_answers_are_sent_later(
    pair_site: Any, comparing_page: Any
):
    at = comparing_page(pair_site).open()
    at.page.wait_for_load_state("networkidle")  # the next pair is loaded
    at.context.set_offline(True)
    at.answer("ArrowLeft", "Enter")
    assert at.shown() == 2
    at.press("ArrowRight", "Enter")
    at.page.wait_for_selector("text=The next pair is shown when you are online again")
    assert at.state("lost") == "No connection: 2 unsent judgments stored on this computer"
    assert at.page.inner_text("#progress-text") == "Pairs: 2 compared, at most 3 left"
    assert pair_site.answers(at.topic) == []
    at.context.set_offline(False)
    at.shown(3)
    at.saved()
    assert pair_site.outcomes(at.topic) == [-1, 1]
    first = pair_site.answers(at.topic)[0]
    assert first["judged_at"] < first["accepted_at"]  # it waited, which its times show


@pytest.mark.full
def test_after_a_server_crash_all_answers_arrive_once(
    serve_pairs: Any, comparing_page: Any, conftest: Any
):
    site = serve_pairs(conftest.plain_docs(8), topics=1, people=1)
    at = comparing_page(site, "a01", "p001").open()
    at.answer("ArrowLeft", "Enter")
    at.saved()
    at.page.wait_for_load_state("networkidle")
    # The response to an answer is lost: the answer was accepted without the page's knowledge.
    at.page.route("**/judgments", lambda route: (route.fetch(), route.abort()), times=1)
    at.press("ArrowRight", "Enter")
    at.state("lost")
    assert len(site.answers("p001")) == 2
    port = int(site.url.rpartition(":")[2])
    site.kill()
    site.start(port)
    # The page may have sent it automatically already; then the button is hidden.
    at.page.dispatch_event("#sending-act", "click")
    at.saved()
    at.shown(3)
    assert site.outcomes("p001") == [-1, 1]
    assert len(site.answers("p001")) == 2
    assert site.verify() == ""


@pytest.mark.full
def test_unsent_answers_survive_a_reload_and_any_page_sends_them(
    pair_site: Any, comparing_page: Any
):
    at = comparing_page(pair_site).open()
    at.page.wait_for_load_state("networkidle")
    at.page.route("**/judgments", lose)
    at.answer("ArrowLeft", "Enter")
    at.state("lost")
    at.press("k")
    at.shown(1)
    at.page.reload()
    at.shown(1)
    assert at.marked() == "-1"  # unsent answers are on the page again
    at.press("u")
    at.page.wait_for_function("() => !document.querySelector('input[name=outcome]:checked')")
    at.press("ArrowUp", "Enter")
    at.page.unroute("**/judgments")
    at.page.goto(pair_site.url)
    at.page.wait_for_function(
        "() => /have been sent/.test(document.getElementById('kept').textContent)"
    )
    assert pair_site.outcomes(at.topic) == [0]


@pytest.mark.full
def test_a_session_that_ends_while_comparing_loses_nothing(
    pair_site: Any, comparing_page: Any, conftest: Any
):
    at = comparing_page(pair_site).open()
    at.page.wait_for_load_state("networkidle")
    at.context.clear_cookies()
    at.press("ArrowLeft", "Enter")
    at.page.wait_for_selector("#login-dialog[open]")
    assert at.state("login") == "Logged out: 1 unsent judgment stored on this computer"
    at.press("ArrowRight", "Enter")  # keys meant for the pair have no effect on it
    at.page.fill("#again-password", conftest.PASSWORD)
    at.press("Enter")
    at.page.wait_for_selector("#login-dialog[open]", state="detached")
    at.saved()
    assert at.shown() == 2
    at.answer("ArrowRight", "Enter")  # with the new session's token
    at.saved()
    assert pair_site.outcomes(at.topic) == [-1, 1]


@pytest.mark.full
def test_a_session_may_end_while_the_next_pair_is_loaded(
    pair_site: Any, comparing_page: Any, conftest: Any
):
    at = comparing_page(pair_site)
    at.page.route("**/next*", lambda route: route.fulfill(status=401, json={"error": "login"}))
    at.open()
    at.press("ArrowLeft", "Enter")
    at.page.wait_for_selector("#login-dialog[open]")
    at.page.unroute("**/next*")
    at.page.fill("#again-password", conftest.PASSWORD)
    at.press("Enter")
    at.shown(2)


@pytest.mark.full
def test_after_an_answer_on_another_computer_the_user_chooses(pair_site: Any, comparing_page: Any):
    here = comparing_page(pair_site).open()
    there = comparing_page(pair_site, here.assessor, here.topic).open()
    there.answer("ArrowRight", "Enter")
    there.saved()
    here.press("ArrowLeft", "Enter")
    here.page.wait_for_selector("#conflict[open]")
    assert here.page.inner_text("#conflict-doc") == "Pair 1"
    assert here.page.inner_text("#theirs-label") == "Right is better"
    assert here.page.inner_text("#mine-label") == "Left is better"
    assert pair_site.outcomes(here.topic) == [1]  # nothing is overwritten before
    here.press("ArrowUp", "Enter")  # keys meant for the page decide nothing
    here.page.click("#conflict button[value='']")
    assert here.state("decide") == "1 judgment needs your decision"
    here.page.goto(pair_site.url)
    assert "needs your decision" in here.page.inner_text("#kept")
    # The question survives, and the page for grading links here, too.
    here.page.goto(f"{pair_site.url}/judge/{pair_site.assignment(here.assessor, 'p001')}")
    here.state("decide")
    here.page.click("#sending-act")
    here.page.wait_for_url("**/prefer/**")
    here.page.wait_for_selector("#conflict[open]")
    here.page.click("#conflict button[value=mine]")
    here.saved()
    assert pair_site.outcomes(here.topic) == [-1]
    # The same answer from both computers is no conflict.
    there.answer("ArrowLeft", "Enter")
    there.saved()
    assert here.shown() == 1
    here.press("j")
    here.shown(2)
    here.answer("ArrowLeft", "Enter")
    here.saved()
    assert here.page.is_hidden("#conflict")
    assert len(pair_site.answers(here.topic)) == 3


@pytest.mark.full
def test_two_tabs_of_one_browser_share_their_answers(
    pair_site: Any, comparing_page: Any, pair_conftest: Any
):
    one = comparing_page(pair_site).open()
    two = pair_conftest.ComparingPage(one.context, pair_site, one.assessor, one.topic).open()
    one.answer("ArrowLeft", "Enter")
    two.page.wait_for_function("() => document.querySelector('input[name=outcome]:checked')")
    assert (two.shown(), two.marked()) == (1, "-1")
    one.saved()
    two.answer("ArrowRight", "Enter")  # based on the displayed answer: no conflict
    two.saved()
    events = pair_site.answers(one.topic)
    assert [(event["outcome"], event["revision"]) for event in events] == [(-1, 1), (1, 2)]
    # An answer that one tab could not send is sent by the other one.
    one.page.route("**/judgments", lose)
    one.press("ArrowUp", "Enter")
    one.state("lost")
    one.page.close()
    two.page.reload()
    two.saved()
    assert 0 in pair_site.outcomes(one.topic)


def test_a_pair_closed_by_an_answer_leads_to_the_next_one(pair_site: Any, comparing_page: Any):
    """The first answer is changed on another computer, which closes the pair on the screen."""
    here = comparing_page(pair_site).open()
    for _ in range(3):
        here.answer("ArrowLeft", "Enter")
    here.saved()
    there = comparing_page(pair_site, here.assessor, here.topic).open()
    there.press(*"kkk")
    there.shown(1)
    there.press("ArrowRight", "Enter")
    there.shown()
    there.saved()
    void = here.page.url
    here.press("ArrowLeft", "Enter")
    here.page.wait_for_selector("text=The previous pair is no longer needed")
    here.shown()
    assert here.page.url != void
    here.saved()
    assert len(pair_site.answers(here.topic)) == 4
    assert here.page.is_hidden("#refused")


def test_a_closed_topic_keeps_the_answer_and_gives_the_reason(
    pair_site: Any, comparing_page: Any, close_contest: Any
):
    at = comparing_page(pair_site).open()
    close_contest(pair_site, at.topic)
    at.press("ArrowLeft", "Enter")
    at.page.wait_for_selector("#refused[open]")
    assert "closed" in at.page.inner_text("#refused-reason")
    assert at.page.inner_text("#refused-label") == "Left is better"
    at.page.click("#refused button[value=theirs]")
    at.saved()
    assert pair_site.answers(at.topic) == []


def test_an_answer_needs_a_pair_that_could_be_read(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.page.click("#at-once")
    press_after(at.page, "ArrowLeft", 200)
    assert hint(at.page) == "Key ignored: the doc had only just appeared. Press again."
    press_after(at.page, "ArrowLeft", 301)
    at.shown(2)
    press_after(at.page, "ArrowRight", 299)
    hint(at.page)
    assert at.marked() is None
    at.saved()
    assert pair_site.outcomes(at.topic) == [-1]


@pytest.mark.full
def test_keys_pressed_in_haste_answer_one_pair(pair_site: Any, comparing_page: Any):
    at = comparing_page(pair_site).open()
    at.page.click("#at-once")
    at.breathe()
    at.page.evaluate(
        """() => { for (let n = 0; n < 3; n += 1) document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true, cancelable: true })); }"""
    )
    at.shown(2)
    at.saved()
    assert pair_site.outcomes(at.topic) == [-1]
    at.page.keyboard.down("ArrowRight")
    for _ in range(3):
        at.breathe()
        at.page.keyboard.down("ArrowRight")  # a repetition
    at.page.keyboard.up("ArrowRight")
    at.saved()
    assert pair_site.outcomes(at.topic) == [-1, 1] or pair_site.outcomes(at.topic) == [-1]


@pytest.mark.full
def test_without_javascript_forms_accept_answers_and_a_double_submit_is_one_answer(
    pair_site: Any, open_context: Any
):
    assessor, topic = pair_site.anybody(), pair_site.topic()
    context = open_context(pair_site, assessor, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{pair_site.url}/prefer/{pair_site.contest(topic)}")
    assert page.locator(".scripted >> visible=true").count() == 0
    first = page.url
    page.click("#left-title")  # a label, so that it marks without a script
    bodies: list[str] = []
    page.on("request", lambda request: bodies.append(request.post_data or ""))
    page.click("button.continue")
    page.wait_for_url(lambda url: url != first)
    assert page.inner_text("#place") == "Pair 2"
    again = context.request.post(
        first,
        data=next(body for body in bodies if "op_id" in body),
        headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": pair_site.url},
    )
    assert again.ok
    assert len(pair_site.answers(topic)) == 1
    page.click("#left a[data-view=source]")
    for side in ("left", "right"):
        words = page.frame_locator(f"#{side} iframe").locator("body").inner_text()
        assert "This is doc" in words
    page.click("#to-previous")
    assert page.inner_text("#place") == "Pair 1"
    assert page.is_checked("input[value='-1']")
    page.click(".undo button")
    assert page.locator("input[name=outcome]:checked").count() == 0
    assert pair_site.outcomes(topic) == []
