"""The judging page without a connection: reloaded, after logout, with another version."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytestmark = pytest.mark.slow

STORED = """(address) => new Promise((done) => {
  indexedDB.open("qrelsmith-docs").onsuccess = ({ target }) => {
    const store = target.result.transaction("answers").objectStore("answers");
    store.get(address).onsuccess = ({ target: { result } }) => done(result.answer.doc.value);
  };
})"""
READY = "navigator.serviceWorker.ready.then(() => true)"
PAGES = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const store = await caches.open(name);
    for (const { url } of await store.keys()) found.push(new URL(url).pathname);
  }
  return found.filter((path) => path.startsWith("/judge/"));
}"""


def kept(at: Any) -> None:
    """Wait until everything is stored for offline use."""
    at.page.wait_for_selector("#kept-docs:text('6 of 6')")
    at.page.evaluate(READY)


@pytest.fixture(scope="module")
def small_site(serve: Any, conftest: Any) -> Any:
    """A topic of six docs."""
    return serve(conftest.plain_docs(6), sizes=(6,), people=6)


def test_a_reload_without_a_server_keeps_the_topic_and_the_judgments(
    small_site: Any, judging: Any, doc_number: Any
):
    site = small_site
    at = judging(site, "a01", service_workers="allow").open(1)
    at.judge("1")
    at.saved()
    kept(at)
    port = int(site.url.rpartition(":")[2])
    site.kill()
    at.judge("2")
    at.page.reload()
    assert at.shown() == 3
    assert doc_number(at.doc_words()) == 3
    at.state("lost")
    # Known from before, although its page was stored at doc 1.
    at.wait_for(lambda: at.mark(1) == "Marginal")
    assert at.mark(2) == "Relevant, not sent yet"
    assert at.page.inner_text("#progress-text") == "2 of 6 judged"
    for key in "012":
        at.judge(key)
    at.press("3")
    at.page.wait_for_selector("#finished:not([hidden])")
    at.page.reload()
    at.shown()
    site.start(port)
    at.page.click("#sending-act")
    at.saved()
    assert site.labels("a01") == {1: 1, 2: 2, 3: 0, 4: 1, 5: 2, 6: 3}
    assert [event["revision"] for event in site.events("a01")] == [1] * 6
    assert site.verify() == ""


def test_a_label_saved_while_its_doc_is_fetched_is_stored_with_the_doc(
    small_site: Any, judging: Any
) -> None:
    at, held = judging(small_site, "a06"), []
    at.page.route(re.compile(r"/docs/1$"), lambda route: held.append((route, route.fetch())))
    at.open(1)
    at.wait_for(lambda: at.page.wait_for_timeout(20) or held)
    at.judge("1")
    at.saved()
    for route, answer in held:
        route.fulfill(response=answer)
    at.page.wait_for_selector("#kept-docs:text('6 of 6')")
    address = f"/api/assignments/{small_site.assignment(at.assessor)}/docs/1"
    assert at.page.evaluate(STORED, address) == 1


def test_with_a_server_a_stored_page_is_never_shown(small_site: Any, judging: Any):
    site = small_site
    at = judging(site, "a02", service_workers="allow").open(1)
    kept(at)
    number = site.assignment(at.assessor)
    assert at.page.evaluate(PAGES) == [f"/judge/{number}"]
    at.page.evaluate(
        """async (path) => {
          const store = await caches.open((await caches.keys())[0]);
          await store.put(path, new Response("<title>old</title>"));
        }""",
        f"/judge/{number}",
    )
    at.page.reload()
    assert at.shown() == 1
    # Without a session, the user logs in, and sees nothing before.
    at.context.clear_cookies()
    at.page.reload()
    at.page.wait_for_selector("#password")


# The addresses of docs and answers that the browser stores.
DOCS = """() => new Promise((resolve) => {
  const opening = indexedDB.open("qrelsmith-docs", 1);
  opening.onsuccess = () => {
    const keys = opening.result.transaction("answers").objectStore("answers").getAllKeys();
    keys.onsuccess = () => { opening.result.close(); resolve(keys.result); };
  };
})"""


def test_a_logout_deletes_docs_and_keeps_unsent_judgments(small_site: Any, judging: Any):
    at = judging(small_site, "a05", service_workers="allow").open(1)
    kept(at)
    assert at.page.evaluate(DOCS)
    at.page.route("**/judgments", lambda route: route.abort())
    at.judge("1")
    at.page.click("#logout button")
    at.page.click("button[value=leave]")
    at.page.wait_for_selector("#password")
    assert at.page.evaluate(DOCS) == []
    kept_line = at.page.wait_for_selector("#kept:not(:empty)")
    assert kept_line.inner_text().startswith("1 judgment is stored on this computer")


def test_after_a_logout_nothing_is_left_to_see(small_site: Any, judging: Any):
    site = small_site
    at = judging(site, "a03", service_workers="allow").open(1)
    kept(at)
    at.page.click("#logout button")
    at.page.wait_for_selector("#password")
    assert at.page.evaluate(PAGES) == []
    # Not even without a logout: the session of the first user has ended.
    other = judging(site, "a04", service_workers="allow")
    other.open(1)
    kept(other)
    other.context.clear_cookies()
    other.context.add_cookies([site.cookie("admin")])
    other.page.goto(f"{site.url}/")
    other.page.wait_for_function(f"async () => (await ({PAGES})()).length === 0")
