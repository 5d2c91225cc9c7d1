"""Two docs come first: their share of the window, and nothing that moves while one compares."""

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
    at.press("h", "h", "ArrowUp", "ArrowRight")
    at.answer("Enter")
    at.saved()
    assert at.page.evaluate("window.shifts") == []
