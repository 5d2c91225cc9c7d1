"""The time from the key to the next doc on the screen, in small and large topics.

Each key must show the next doc. The times are printed and stored as a property of the test, but not
tested, since the machine may be busy. The target is 200 ms for 95 of 100 keys.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.full]

# From a key to the second frame after the next doc was loaded: it is painted then.
STOPWATCH = """
window.took = [];
addEventListener("keydown", () => { window.pressed = performance.now(); }, { capture: true });
addEventListener("DOMContentLoaded", () => {
  const main = document.getElementById("main");
  new MutationObserver(() => {
    const { pressed } = window;
    if (main.dataset.shown === undefined || !pressed) return;
    window.pressed = 0;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.took.push(performance.now() - pressed);
    }));
  }).observe(main, { attributes: true, attributeFilter: ["data-shown"] });
});
"""
BUDGET_MS = 200


def judged_in(at: Any, doc_number: Any, count: int) -> float:
    """Return the 95th percentile of the milliseconds from key to next doc over some judgments."""
    at.page.evaluate("window.took.length = 0")
    for n in range(count):
        before = at.shown()
        at.press(str(n % 4))
        at.shown(before + 1)
        assert doc_number(at.doc_words()) == before + 1
    at.page.wait_for_function("count => window.took.length === count", arg=count)
    return float(np.percentile(at.page.evaluate("window.took"), 95))


def test_each_key_shows_the_next_doc_and_the_time_is_reported(
    site: Any, judging: Any, doc_number: Any, record_property: Any
):
    at = judging(site)
    at.page.add_init_script(STOPWATCH)
    at.open(1)
    # Other work on the machine slows down one round, not three.
    rounds = []
    for _ in range(3):
        rounds.append(judged_in(at, doc_number, 15))
        if rounds[-1] <= BUDGET_MS:
            break
    record_property("p95_ms", rounds[-1])
    print(f"key to next doc, p95 of 15: {[round(each) for each in rounds]} ms")


@pytest.fixture(scope="module")
def large_site(serve: Any, conftest: Any) -> Any:
    """Serve a topic of 5,000 docs."""
    return serve(conftest.plain_docs(5000), sizes=(5000,), people=1)


def test_five_thousand_docs_are_as_fast_as_sixty(large_site: Any, judging: Any, doc_number: Any):
    at = judging(large_site)
    at.page.add_init_script(STOPWATCH)
    at.open(2500)
    rows = at.page.locator("#list li")
    assert 10 < rows.count() < 60
    at.page.wait_for_selector("#list a[data-position='2500'][aria-current]")
    # The list extends from the first doc to the last, and loads them all.
    at.page.evaluate("document.getElementById('list').scrollTop = 1e9")
    last = at.page.wait_for_selector("#list a[data-position='5000'] .name:text('Flow')")
    assert last is not None
    assert rows.count() < 60
    at.page.fill("#jump", "#4321")
    at.press("Enter")
    at.shown(4321)
    at.page.fill("#jump", "clueweb-01234")
    at.page.wait_for_selector("#list a[data-position='1234']")
    assert rows.count() == 1
    at.page.click("#list a")
    at.shown(1234)
    at.page.press("#jump", "Escape")
    rounds = []
    for _ in range(3):
        rounds.append(judged_in(at, doc_number, 8))
        if rounds[-1] <= BUDGET_MS:
            break
    print(f"key to next doc among 5,000, p95 of 8: {[round(each) for each in rounds]} ms")
    at.saved()
    assert sorted(large_site.labels(at.assessor)) == list(range(1234, 1234 + 8 * len(rounds)))
