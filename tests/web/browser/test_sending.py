"""No judgment is lost, sent twice, or overwritten unseen."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

# Unsent judgments in this browser, by position.
WAITING = """async () => {
  const request = indexedDB.open("qrelsmith", 1);
  const database = await new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
  });
  const all = database.transaction("operations").objectStore("operations").getAll();
  const rows = await new Promise((resolve) => { all.onsuccess = () => resolve(all.result); });
  database.close();
  return rows.sort((a, b) => a.order - b.order).map((row) => row.position);
}"""


def test_without_a_connection_judging_continues_and_all_is_sent_later(site: Any, judging: Any):
    at = judging(site).open()
    at.page.wait_for_function("() => document.querySelectorAll('#doc-place iframe').length > 1")
    at.page.wait_for_load_state("networkidle")
    at.context.set_offline(True)
    at.judge("1")
    at.judge("2")
    assert at.state("lost") == "No connection: 2 unsent judgments stored on this computer"
    assert at.mark(1) == "Marginal, not sent yet"
    assert at.page.inner_text("#progress-text") == "2 of 60 judged"
    assert at.page.evaluate(WAITING) == [1, 2]
    assert site.events(at.assessor) == []
    at.context.set_offline(False)
    at.saved()
    assert site.labels(at.assessor) == {1: 1, 2: 2}
    assert at.page.evaluate(WAITING) == []
    assert [event["revision"] for event in site.events(at.assessor)] == [1, 1]
    # They waited, which their times show.
    first = site.events(at.assessor)[0]
    assert first["judged_at"] < first["accepted_at"]


def test_the_count_includes_unsent_labels_of_stored_docs(serve: Any, judging: Any, conftest: Any):
    site = serve(conftest.plain_docs(6), sizes=(6,), people=1)
    at = judging(site, "a01").open()
    at.page.wait_for_selector("#kept-docs:text('6 of 6')")
    at.judge("1")
    at.saved()
    at.page.reload()
    at.shown(2)
    at.page.wait_for_load_state("networkidle")
    at.context.set_offline(True)
    for count in (2, 3, 4):
        at.judge("0")
        assert at.page.inner_text("#progress-text") == f"{count} of 6 judged"


def test_a_late_response_does_not_lower_the_count(site: Any, judging: Any):
    at, held = judging(site), []
    at.page.route("**/next?*", lambda route: route.abort())

    def hold(route: Any) -> None:
        held.append((route, route.fetch()))

    at.page.route("**/docs/3", hold)
    at.open(1)
    at.wait_for(lambda: at.page.wait_for_timeout(20) or held)
    at.judge("1")
    at.saved()
    for route, response in held:
        with at.page.expect_response("**/docs/3"):
            route.fulfill(response=response)
    at.page.wait_for_timeout(50)
    assert at.page.inner_text("#progress-text") == "1 of 60 judged"


def test_a_judgment_that_is_being_saved_is_not_shown_as_saved(site: Any, judging: Any):
    at, held = judging(site), []

    def hold(route: Any) -> None:
        held.append(route)

    at.page.route("**/judgments", hold)
    at.open(1)
    assert at.page.is_visible("#sending-text")
    at.judge("1")
    assert not at.page.is_visible("#sending-text")
    assert at.state("busy") == "Saving…"
    held[0].continue_()
    at.saved()
    assert at.page.inner_text("#sending-text") == "All saved"


def test_undo_works_on_unsent_judgments(site: Any, judging: Any):
    at = judging(site).open()
    at.page.wait_for_load_state("networkidle")
    at.context.set_offline(True)
    at.judge("1")
    at.judge("2")
    at.press("u")
    at.shown(2)
    at.judge("3")
    at.press("u", "u")
    at.shown(1)
    at.context.set_offline(False)
    at.saved()
    kinds = [(event["kind"], event["position"]) for event in site.events(at.assessor)]
    assert kinds == [
        ("judge", 1), ("judge", 2), ("undo", 2), ("judge", 2), ("undo", 2), ("undo", 1),
    ]  # fmt: skip
    assert site.labels(at.assessor) == {}


def test_after_a_server_crash_all_judgments_arrive_once(serve: Any, judging: Any, conftest: Any):
    site = serve(conftest.plain_docs(6), sizes=(6,), people=1)
    at = judging(site, "a01").open()
    at.judge("1")
    at.saved()
    # The response to a judgment is lost: it was accepted without the page's knowledge.
    at.page.route("**/judgments", lambda route: (route.fetch(), route.abort()), times=1)
    at.judge("2")
    at.state("lost")
    assert len(site.events("a01")) == 2
    port = int(site.url.rpartition(":")[2])
    site.kill()
    at.judge("3")
    site.start(port)
    # The page may have sent everything automatically, and have hidden the button.
    at.page.evaluate("document.getElementById('sending-act').click()")
    at.saved()
    assert site.labels("a01") == {1: 1, 2: 2, 3: 3}
    assert len(site.events("a01")) == 3


@pytest.mark.quick
def test_unsent_judgments_survive_a_reload(site: Any, judging: Any):
    at = judging(site).open()
    at.page.route("**/judgments", lambda route: route.abort())
    at.judge("1")
    at.judge("2")
    at.state("lost")
    at.page.reload()
    at.state("lost")
    # Unsent judgments are on the page again, and can be undone.
    at.page.wait_for_selector("#list a[data-position='2'] .mark")
    assert at.mark(2) == "Relevant, not sent yet"
    at.press("u")
    at.shown(2)
    at.page.unroute("**/judgments")
    at.page.click("#sending-act")
    at.saved()
    assert site.labels(at.assessor) == {1: 1}


def wait_for_end(profile: Path) -> None:
    """Wait until no process of a crashed browser uses its profile any more."""
    deadline = time.monotonic() + 30
    while any(str(profile).encode() in line for line in command_lines()):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def command_lines() -> Iterator[bytes]:
    """Return the command lines of running processes; empty if the system does not provide them."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield path.read_bytes()


def test_unsent_judgments_survive_a_crash_of_the_browser(
    site: Any, chromium: Any, conftest: Any, tmp_path: Path, chromium_path: str
):
    from playwright.sync_api import Error

    assessor = site.anybody()
    kind = chromium.browser_type

    def launch() -> Any:
        context = kind.launch_persistent_context(
            tmp_path / "profile", executable_path=chromium_path
        )
        context.add_cookies([site.cookie(assessor)])
        return conftest.JudgingPage(context, site, assessor)

    at = launch()
    at.open()
    at.page.route("**/judgments", lambda route: route.abort())
    at.judge("1")
    at.judge("2")
    at.state("lost")
    assert at.page.evaluate(WAITING) == [1, 2]
    session = at.context.new_cdp_session(at.page)
    with pytest.raises(Error, match="closed"):
        session.send("Browser.crash")
    wait_for_end(tmp_path / "profile")
    for leftover in (tmp_path / "profile").glob("Singleton*"):
        leftover.unlink()
    at = launch()
    # Any page sends them, not only the judging page.
    at.page.goto(site.url)
    at.page.wait_for_function(
        "() => /have been sent/.test(document.getElementById('kept').textContent)"
    )
    assert site.labels(assessor) == {1: 1, 2: 2}
    at.context.close()
    shutil.rmtree(tmp_path / "profile", ignore_errors=True)


@pytest.mark.quick
def test_a_session_that_ends_while_judging_loses_nothing(site: Any, judging: Any, conftest: Any):
    at = judging(site).open()
    at.judge("1")
    at.saved()
    at.page.wait_for_load_state("networkidle")
    at.context.clear_cookies()
    at.press("2")
    at.page.wait_for_selector("#login-dialog[open]")
    assert at.state("login") == "Logged out: 1 unsent judgment stored on this computer"
    at.page.fill("#again-password", "a wrong password")
    at.press("Enter")
    at.page.wait_for_selector("text=The name or the password is wrong.")
    at.page.fill("#again-password", conftest.PASSWORD)
    at.press("Enter")
    at.page.wait_for_selector("#login-dialog[open]", state="detached")
    at.saved()
    assert at.shown() == 3
    at.judge("3")  # with the new session's token
    at.saved()
    assert site.labels(at.assessor) == {1: 1, 2: 2, 3: 3}


@pytest.mark.full
def test_after_a_new_login_no_tab_reports_unsent_judgments(site: Any, judging: Any, conftest: Any):
    at = judging(site).open()
    at.judge("1")
    at.saved()
    other = conftest.JudgingPage(at.context, site, at.assessor).open(4)
    at.page.wait_for_load_state("networkidle")
    at.context.clear_cookies()
    at.press("2")
    at.page.wait_for_selector("#login-dialog[open]")
    other.press("3")
    other.page.wait_for_selector("#login-dialog[open]")
    at.page.fill("#again-password", conftest.PASSWORD)
    at.press("Enter")
    at.saved()
    # Without another judgment, and without a click.
    other.saved()
    other.page.wait_for_selector("#login-dialog[open]", state="detached")
    assert site.labels(at.assessor) == {1: 1, 2: 2, 4: 3}


@pytest.mark.full
def test_the_login_page_reports_unsent_judgments(site: Any, judging: Any, conftest: Any):
    at = judging(site).open()
    at.page.route("**/judgments", lambda route: route.abort())
    at.judge("1")
    at.state("lost")
    at.context.clear_cookies()
    at.page.goto(site.url)
    notice = at.page.locator("#kept")
    notice.wait_for()
    assert notice.inner_text().startswith("1 judgment is stored on this computer")
    at.page.unroute("**/judgments")
    at.page.fill("#login", at.assessor)
    at.page.fill("#password", conftest.PASSWORD)
    at.page.click("main button")
    at.page.wait_for_function(
        "() => /have been sent/.test(document.getElementById('kept').textContent)"
    )
    assert site.labels(at.assessor) == {1: 1}


def test_logout_warns_of_unsent_judgments(site: Any, judging: Any):
    at = judging(site).open()
    at.page.route("**/judgments", lambda route: route.abort())
    at.judge("1")
    at.page.click("#logout button")
    at.page.wait_for_selector("#leave-dialog[open]")
    assert "1 judgment stays on this computer" in at.page.inner_text("#leave-text")
    at.page.click("button[value=stay]")
    assert at.page.url.endswith("/2")


def test_unsent_judgments_of_another_account_are_not_sent_as_ones_own(
    site: Any, judging: Any, open_context: Any, conftest: Any
):
    at = judging(site).open()
    at.page.route("**/judgments", lambda route: route.abort())
    at.judge("1")
    at.state("lost")
    at.page.unroute("**/judgments")
    other = site.anybody()
    at.context.clear_cookies()
    at.context.add_cookies([site.cookie(other)])
    after = conftest.JudgingPage(at.context, site, other).open()
    after.saved()
    assert site.events(other) == []
    assert after.page.evaluate(WAITING) == [1]


@pytest.mark.quick
def test_after_a_judgment_on_another_computer_the_user_chooses(site: Any, judging: Any):
    here = judging(site).open()
    there = judging(site, here.assessor).open()
    there.judge("3")
    there.saved()
    here.press("1")
    here.page.wait_for_selector("#conflict[open]")
    assert here.page.inner_text("#theirs-label") == "Highly relevant"
    assert here.page.inner_text("#mine-label") == "Marginal"
    assert site.labels(here.assessor) == {1: 3}  # nothing is overwritten before
    here.press("2", "Enter", " ")  # keys meant for the page decide nothing
    here.page.click("#conflict button[value='']")
    assert here.state("decide") == "1 judgment needs your decision"
    assert here.mark(1) == "needs your decision"
    here.page.reload()  # and the question survives
    here.page.wait_for_selector("#conflict[open]")
    here.page.click("#conflict button[value=mine]")
    here.saved()
    assert site.labels(here.assessor) == {1: 1}
    there.judge("2")
    there.saved()
    here.press("0")
    here.page.wait_for_selector("#conflict[open]")
    here.page.click("#conflict button[value=theirs]")
    here.saved()
    assert site.labels(here.assessor) == {1: 1, 2: 2}
    assert here.mark(2) == "Relevant"


@pytest.mark.full
def test_a_changed_grade_after_a_refused_judgment_overwrites_nothing(site: Any, judging: Any):
    """Otherwise, the second judgment would name the other computer's revision as its base."""
    here = judging(site).open()
    there = judging(site, here.assessor).open()
    here.page.route("**/judgments", lambda route: route.abort())
    here.judge("1")
    here.press("k")
    here.shown(1)
    here.judge("2")
    there.judge("3")
    there.saved()
    here.page.unroute("**/judgments")
    here.page.click("#sending-act")
    here.page.wait_for_selector("#conflict[open]")
    assert here.page.inner_text("#mine-label") == "Relevant"
    assert site.labels(here.assessor) == {1: 3}
    here.page.click("#conflict button[value=theirs]")
    here.saved()
    assert len(site.events(here.assessor)) == 1


@pytest.mark.full
def test_the_same_label_from_two_computers_is_not_a_conflict(site: Any, judging: Any):
    here = judging(site).open()
    there = judging(site, here.assessor).open()
    there.judge("3")
    there.saved()
    here.judge("3")
    here.saved()
    assert not here.page.is_visible("#conflict")
    assert here.mark(1) == "Highly relevant"
    assert len(site.events(here.assessor)) == 1


def test_two_tabs_of_one_browser_share_their_judgments(site: Any, judging: Any, conftest: Any):
    one = judging(site).open()
    two = conftest.JudgingPage(one.context, site, one.assessor).open()
    one.judge("1")
    two.page.wait_for_selector("#list a[data-position='1'] .mark:not(.pending)")
    assert two.shown() == 1
    assert two.page.is_checked("input[name=value][value='1']")
    two.judge("2")  # based on the displayed label: no conflict
    one.page.wait_for_selector("#list a[data-position='1'] .mark[title=Relevant]")
    two.saved()
    one.judge("3")
    one.saved()
    assert site.labels(one.assessor) == {1: 2, 2: 3}
    assert [event["revision"] for event in site.events(one.assessor)] == [1, 2, 1]
    # A judgment that one tab could not send is sent by the other one.
    one.page.route("**/judgments", lambda route: route.abort())
    one.judge("0")
    one.state("lost")
    one.page.close()
    two.page.reload()
    two.saved()
    assert site.labels(one.assessor) == {1: 2, 2: 3, 3: 0}


def test_a_closed_topic_keeps_the_judgment_and_gives_the_reason(
    site: Any, judging: Any, open_context: Any
):
    at = judging(site).open()
    organiser = open_context(site, "organiser").new_page()
    organiser.goto(f"{site.url}/organiser/")
    organiser.fill("#looking [name=assessor]", at.assessor)
    organiser.locator(".matrix a.cell").first.click()
    organiser.click("button[name=deed][value=close]")
    organiser.wait_for_selector("button[name=deed][value=open]")
    at.press("1")
    at.page.wait_for_selector("#refused[open]")
    assert "closed" in at.page.inner_text("#refused-reason")
    assert at.page.inner_text("#refused-label") == "Marginal"
    at.page.click("#refused button[value=theirs]")
    at.saved()
    assert site.events(at.assessor) == []


@pytest.mark.quick
def test_without_javascript_forms_accept_judgments_and_a_double_submit_is_one(
    site: Any, open_context: Any
):
    assessor = site.anybody()
    context = open_context(site, assessor, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}/judge/{site.assignment(assessor)}")
    assert page.locator(".scripted >> visible=true").count() == 0
    page.check("input[name=value][value='2']")
    page.fill("textarea[name=note]", "by hand")
    bodies: list[str] = []
    page.on("request", lambda request: bodies.append(request.post_data or ""))
    page.click("button.save")
    page.wait_for_url("**/2")
    sent = next(body for body in bodies if "op_id" in body)
    again = context.request.post(
        page.url.removesuffix("2") + "1",
        data=sent,
        headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": site.url},
    )
    assert again.ok
    assert len(site.events(assessor)) == 1
    assert page.locator("#list .mark").first.inner_text() == "Relevant"
    page.check("input[name=value][value='-3']")
    page.click("button.save")
    page.wait_for_url("**/3")
    page.click("a[data-view=source]")
    assert "This is doc 3" in page.frame_locator("iframe").locator("body").inner_text()
    page.click(".undo button")
    page.wait_for_url("**/2")
    assert site.labels(assessor) == {1: 2}
    (first, *_) = site.events(assessor)
    assert (first["note"], first["input_kind"]) == ("by hand", "form")


TRIPLE = """async () => {
  const main = document.getElementById("main");
  const press = () => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key: "1", bubbles: true, cancelable: true }));
  press();
  press();
  await new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (main.dataset.shown === "2") resolve(observer.disconnect());
    });
    observer.observe(main, { attributes: true });
  });
  press();
}"""


def test_a_key_pressed_three_times_in_haste_judges_one_doc(site: Any, judging: Any):
    at = judging(site).open()
    at.breathe()
    at.page.evaluate(TRIPLE)  # once too early, and once before doc 2 could be read
    at.saved()
    assert site.labels(at.assessor) == {1: 1}


def test_without_browser_storage_the_page_shows_a_warning(site: Any, judging: Callable[..., Any]):
    at = judging(site)
    at.page.add_init_script("delete window.indexedDB; window.indexedDB = undefined;")
    at.page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined });")
    at.open()
    at.judge("1")
    at.saved()
    at.page.route("**/judgments", lambda route: route.abort())
    at.judge("2")
    assert at.state("lost") == "No connection: 1 unsent judgment. Keep this page open"
    at.page.unroute("**/judgments")
    at.page.click("#sending-act")
    at.saved()
    assert site.labels(at.assessor) == {1: 1, 2: 2}
