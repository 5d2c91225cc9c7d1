"""A narrow window and a phone: the note gets typed text, and nothing covers needed controls."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browser.pressing import hint

pytestmark = pytest.mark.slow

NARROW = {"viewport": {"width": 500, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TYPED = "hum u1 sure"
NOTE = "textarea[name=note]"
FOCUSED = "document.activeElement.name"


@pytest.mark.parametrize("options", [NARROW, PHONE], ids=["window", "phone"])
def test_text_typed_after_a_click_on_note_is_the_note(
    site: Any, judging: Any, options: dict[str, Any]
) -> None:
    at = judging(site, **options).open(1)
    at.judge("2")
    (at.page.tap if "has_touch" in options else at.page.click)("#more")
    assert at.page.evaluate(FOCUSED) == "note"
    at.page.keyboard.type(TYPED)
    assert at.page.input_value(NOTE) == TYPED
    at.press("Escape")
    assert at.page.is_hidden(NOTE)
    at.judge("1")
    at.saved()
    assert site.labels(at.assessor) == {1: 2, 2: 1}
    assert [event["note"] for event in site.events(at.assessor)] == ["", TYPED]


def test_an_open_note_without_focus_gets_the_keys(site: Any, judging: Any) -> None:
    at = judging(site, **NARROW).open(1)
    at.judge("2")
    at.page.click("#more")
    at.page.evaluate("document.activeElement.blur()")
    at.page.keyboard.type(TYPED)
    assert at.page.input_value(NOTE) == TYPED
    at.saved()
    assert site.labels(at.assessor) == {1: 2}


def test_a_note_opened_while_the_doc_loads_stays_open(site: Any, judging: Any) -> None:
    at = judging(site, **NARROW)
    at.page.route("**/next?*", lambda route: route.abort())
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    at.page.route("**/docs/2", hold)
    at.open(1)
    at.press("2")
    at.wait_for(lambda: bool(held))
    at.page.click("#more")
    at.page.keyboard.type("hum u1")
    held[0].continue_()
    at.shown(2)
    at.page.keyboard.type(" sure")
    assert at.page.input_value(NOTE) == TYPED
    at.saved()
    assert site.labels(at.assessor) == {1: 2}


def test_touch_users_are_told_how_to_select_passages_and_see_them(site: Any, judging: Any) -> None:
    at = judging(site, **PHONE).open(3)
    at.page.tap("#more")
    at.page.tap("[data-deed=excerpt]")
    assert "Tap a sentence" in hint(at.page)
    assert "key" not in hint(at.page)
    lowest = at.page.locator("#hint").bounding_box()
    for selector in (NOTE, ".taking"):
        assert lowest["y"] + lowest["height"] <= at.page.locator(selector).bounding_box()["y"]
    at.page.tap("#doc-text p >> nth=0")
    at.page.wait_for_selector("#passages li")
    at.page.tap("[data-deed=excerpt]")
    at.page.wait_for_selector("#hint", state="hidden")
    assert at.page.locator("#passages li").count() == 1
    at.page.tap("[data-deed=excerpt]")
    assert hint(at.page)
    at.page.tap("#instructions-button")
    assert at.page.is_hidden("#hint")
    assert at.page.is_hidden(NOTE)
