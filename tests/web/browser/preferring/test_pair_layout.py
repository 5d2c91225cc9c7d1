"""Two docs come first: their share of the window, and no layout shifts while comparing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browser.test_layout import SEEN, SIZES, WATCH, assert_in_view

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("size", [*SIZES, (390, 844)], ids=str)
def test_the_docs_have_most_of_the_window_and_nothing_moves(
    pair_site: Any, comparing_page: Any, size: tuple[int, int]
) -> None:
    width, height = size
    at = comparing_page(pair_site, viewport={"width": width, "height": height})
    at.page.add_init_script(WATCH)
    at.open()
    for side in ("left", "right"):
        share = at.page.evaluate(SEEN, f"#{side}-place") / height
        print(f"{width} × {height}: the {side} doc has {share:.0%}")
        assert share >= SIZES.get(size, 0.4)
    assert_in_view(at.page)
    at.page.wait_for_timeout(300)
    at.page.evaluate("window.shifts.length = 0")
    at.answer("ArrowLeft", "Enter")
    at.press("h", "h", "f", "ArrowUp", "ArrowRight")
    at.answer("Enter")
    at.saved()
    assert at.page.evaluate("window.shifts") == []


ENDS = """() => {
  const end = (selector) => document.querySelector(selector).getBoundingClientRect();
  return [end("#left-title").right, end("#left .doc-bar .verdict").left];
}"""
CUT = """selector => {
  const { scrollWidth, clientWidth } = document.querySelector(selector);
  return scrollWidth > clientWidth;
}"""


@pytest.mark.parametrize("width", [1280, 700, 390])
def test_a_title_ends_before_the_answer_beside_it(
    pair_site: Any, comparing_page: Any, width: int
) -> None:
    at = comparing_page(pair_site, viewport={"width": width, "height": 800}).open()
    at.press("ArrowLeft")
    at.page.wait_for_selector("#left .verdict:not(:empty)")
    title, verdict = at.page.evaluate(ENDS)
    assert title <= verdict


def test_the_tools_fit_beside_the_last_answer(pair_site: Any, comparing_page: Any) -> None:
    at = comparing_page(pair_site).open().press("v")
    at.page.wait_for_selector("#text-looks button:visible")
    assert not at.page.evaluate(CUT, ".pair-bar .looks")
    at.answer("ArrowLeft", "Enter")
    assert not at.page.evaluate(CUT, "#last")


def test_instructions_are_one_click_away(pair_site: Any, comparing_page: Any) -> None:
    at = comparing_page(pair_site).open()
    at.page.click("nav.tools a")
    assert "less that is beside the point" in at.page.inner_text("main")
