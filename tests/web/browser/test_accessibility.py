"""Every page and dialog with axe-core, the keyboard, small windows, and other colour settings."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from tests.web.browser.complaints import complaints

pytestmark = pytest.mark.slow

OTHER_SIZES = [pytest.param(*size, marks=pytest.mark.full) for size in ((390, 844), (768, 1024))]


@pytest.mark.quick
def test_pages_of_an_assessor_are_accessible(site: Any, judging: Any):
    at = judging(site).open(1)
    at.judge("3")
    at.press("i", "t", "/")
    at.page.keyboard.type("the")
    at.page.wait_for_function("() => document.querySelector('#find-place').textContent !== ''")
    at.page.wait_for_selector("#list a[data-position='1'] .mark:not(.pending)")
    assert complaints(at.page) == []
    at.press("Escape", "k", "v")
    at.page.wait_for_selector("#doc-text:not([hidden])")
    assert complaints(at.page) == []
    for path in ("/", "/instructions", "/judge/999999"):
        at.page.goto(site.url + path)
        assert complaints(at.page) == [], path


@pytest.mark.full
def test_dialogs_are_accessible(site: Any, judging: Any):
    at = judging(site).open(1)
    for key, dialog in (("?", "#keys-dialog"), ("e", "#error-dialog")):
        at.press(key)
        at.page.wait_for_selector(f"{dialog}[open]")
        assert complaints(at.page) == [], dialog
        at.press("Escape")
    at.page.route("**/judgments", lambda route: route.abort())
    at.judge("1")
    at.page.click("#logout button")
    at.page.wait_for_selector("#leave-dialog[open]")
    assert complaints(at.page) == []
    at.press("Escape", "u")
    at.shown(1)
    at.page.unroute("**/judgments")
    there = judging(site, at.assessor).open(1)
    there.judge("3")
    there.saved()
    at.press("1")
    at.page.wait_for_selector("#conflict[open]")
    assert complaints(at.page) == []
    at.press("Escape")
    at.context.clear_cookies()
    at.press("2")
    at.page.wait_for_selector("#login-dialog[open]")
    assert complaints(at.page) == []


def test_pages_without_a_login_are_accessible(site: Any, open_context: Any):
    page = open_context(site).new_page()
    page.goto(f"{site.url}/login")
    page.fill("#login", "nobody")
    page.fill("#password", "wrong")
    page.click("main button")
    page.wait_for_selector("[role=alert]")
    assert complaints(page) == []
    page.goto(f"{site.url}/invite")
    assert complaints(page) == []


def test_pages_of_an_organiser_are_accessible(strict_site: Any, open_context: Any):
    site = strict_site
    page = open_context(site, "admin").new_page()
    for path in ("/", "/organiser/log", "/organiser/exports"):
        page.goto(site.url + path)
        assert complaints(page) == [], path
    page.goto(f"{site.url}/organiser/people")
    page.select_option("select[name=role]", "viewer")
    page.click("text=Create link")
    link = page.input_value("input.link")
    assert complaints(page) == []
    page.goto(f"{site.url}/organiser/tokens")
    page.click("text=Create token")
    assert page.input_value("input.link").startswith("qrelsmith_")
    assert complaints(page) == []
    page = open_context(site).new_page()
    page.goto(link)
    page.wait_for_selector("#password")
    assert page.url == f"{site.url}/invite", "the secret is out of the address"
    assert complaints(page) == []
    page = open_context(site, java_script_enabled=False).new_page()
    page.goto(link)
    page.fill("#token", link)
    page.click("main button")
    page.wait_for_selector("#password")


@pytest.mark.parametrize("control", ["slider", pytest.param("number", marks=pytest.mark.full)])
def test_the_other_scales_are_accessible(
    request: pytest.FixtureRequest, judging: Any, control: str
):
    at = judging(request.getfixturevalue(f"{control}_site")).open()
    assert complaints(at.page) == []


@pytest.mark.full
def test_the_tab_key_follows_the_reading_order(site: Any, judging: Any):
    at = judging(site).open(3)
    seen = []
    for _ in range(40):
        at.press("Tab")
        seen.append(
            at.page.evaluate(
                "() => { const e = document.activeElement;"
                " return e.id || e.name || e.dataset.deed || e.dataset.position || e.className }"
            )
        )
        if seen[-1] == "doc-text":
            break
    wanted = ["skip", "campaign", "instructions-button", "help", "quiet", "value", "cannot", "note",
              "excerpt", "save", "undo", "filter", "jump", "3", "to-previous", "to-next",
              "highlight", "find", "doc-text"]  # fmt: skip
    assert [name for name in seen if name in wanted] == wanted
    for _ in range(20):  # the views of a text and the highlighted words are between
        at.press("Shift+Tab")
        if at.page.evaluate("document.activeElement.dataset.position") == "3":
            break
    assert at.page.evaluate("document.activeElement.dataset.position") == "3"
    at.press("ArrowDown", "ArrowDown", "Enter")
    at.shown(5)


def test_the_focus_is_visible_and_dialogs_return_it(site: Any, judging: Any):
    at = judging(site).open(1)
    at.page.focus("nav.tools button")
    at.press("Enter")
    at.page.wait_for_selector("#keys-dialog[open]")
    at.press("Escape")
    assert at.page.evaluate("document.activeElement.dataset.deed") == "help"
    for selector in ("nav.tools button", "#filter", "#list a[tabindex='0']", ".undo button"):
        at.page.focus(selector)
        at.press("Shift")  # a key was used, so the focus must be visible
        style = f'getComputedStyle(document.querySelector("{selector}"))'
        assert at.page.evaluate(f"{style}.outlineStyle") == "solid", selector


def test_events_are_announced(site: Any, judging: Any):
    at = judging(site).open(1)
    at.judge("2")
    assert at.told() == "Relevant. Doc 2 of 60"
    at.press("u")
    at.shown(1)
    assert at.told() == "Undone. Doc 1 is now: not judged. Doc 1 of 60"
    assert at.page.get_attribute("#announcer-0", "aria-live") == "polite"
    assert at.page.get_attribute("#sending-text", "role") == "status"


@pytest.mark.full
def test_a_doc_that_is_loaded_again_is_announced_once(site: Any, judging: Any):
    at = judging(site)
    for address in ("**/next?*", "**/docs/2"):
        at.page.route(address, lambda route: route.abort())
    at.open(1).listen().press("2")
    at.page.wait_for_selector("#doc-message:not([hidden])")
    at.page.unroute("**/docs/2")
    at.shown(2)
    assert at.heard() == ["Relevant. Doc 2 of 60"]


@pytest.mark.parametrize(("width", "height"), [(320, 256), *OTHER_SIZES])
def test_the_page_works_in_small_windows_and_at_four_hundred_percent(
    site: Any, judging: Any, width: int, height: int
):
    """A window of 1280 × 1024 at 400% is one of 320 × 256."""
    at = judging(site, viewport={"width": width, "height": height}).open(3)
    scroll = "document.documentElement.scrollWidth"
    assert at.page.evaluate(scroll) <= width
    if width < 400:
        assert complaints(at.page) == []
    at.breathe()
    at.page.locator("label.grade >> nth=1").click()
    at.shown(4)
    # The list beside the doc is always open.
    if at.page.locator("#docs summary").is_visible():
        at.page.locator("#docs summary").click()
    at.page.locator("#list a >> nth=1").click()
    at.shown()
    at.press("n")
    at.page.keyboard.type("short")
    at.press("Escape")
    at.page.wait_for_timeout(50)
    assert at.page.evaluate(scroll) <= width
    for path in ("/", "/instructions", "/login"):
        at.page.goto(site.url + path)
        assert at.page.evaluate(scroll) <= width, path


@pytest.mark.full
def test_on_a_phone_a_passage_and_the_grades_are_visible_together(site: Any, judging: Any):
    at = judging(site, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).open(
        3
    )
    grades = at.page.locator(".grades >> nth=0").bounding_box()
    words = at.page.locator("#doc-text").bounding_box()
    assert grades["y"] + grades["height"] <= 844
    assert grades["y"] - words["y"] > 250  # the visible part of the doc
    at.press("End")
    scrolled = "Math.max(scrollY, document.getElementById('doc-text').scrollTop)"
    assert at.page.evaluate(scrolled) > 300
    at.press("j", "j", "j")  # the next text
    at.shown(6)
    assert at.page.locator("#doc-text").bounding_box()["y"] > 0
    at.press("k", "k", "k")
    at.shown(3)
    at.breathe()
    at.page.locator("label.grade >> nth=2").tap()
    at.shown(4)
    at.saved()
    assert [event["input_kind"] for event in site.events(at.assessor)] == ["touch"]


# Controls, with their names and sizes, except those that are off the screen until they are focused.
PRESSED = """() => [...document.querySelectorAll("button, a, input, select, summary, textarea")]
  .filter((e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !e.matches(".skip"))
  .map((e) => [e.id || e.className || e.textContent, e.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.width < 43.5 || box.height < 43.5))
  .map(([name, { width, height }]) => `${name}: ${width} × ${height}`)"""


@pytest.mark.parametrize("width", [320, pytest.param(390, marks=pytest.mark.full)])
def test_on_a_phone_all_controls_are_large_enough(site: Any, judging: Any, width: int):
    phone = {"viewport": {"width": width, "height": 844}, "has_touch": True, "is_mobile": True}
    at = judging(site, **phone, reduced_motion="reduce").open(1)
    at.page.wait_for_selector("#terms .term")
    assert at.page.evaluate(PRESSED) == []
    at.press("i", "v")
    at.page.wait_for_selector("#doc-text:not([hidden])")
    at.page.click("button.more")
    assert at.page.evaluate(PRESSED) == []
    assert complaints(at.page) == []


@pytest.mark.full
def test_text_twice_as_large_and_wide_spacing_are_not_cut_off(site: Any, judging: Any):
    at = judging(site).open(1)
    at.page.evaluate("document.documentElement.style.fontSize = '32px'")
    at.page.wait_for_timeout(100)
    assert at.page.evaluate("document.documentElement.scrollWidth") <= 1280
    for selector in ("label.grade", ".undo button", ".save", "nav.tools button", "#cannot"):
        fits = "e => e.scrollWidth <= e.clientWidth + 1 && e.scrollHeight <= e.clientHeight + 1"
        for each in at.page.locator(selector).element_handles():
            assert each.evaluate(fits), selector


@pytest.mark.full
def test_forced_colours_and_reduced_motion_are_respected(site: Any, judging: Any):
    at = judging(site, forced_colors="active", reduced_motion="reduce").open(1)
    at.judge("2")
    at.press("k")
    at.shown(1)
    chosen, other = (
        at.page.evaluate(
            f"getComputedStyle(document.querySelectorAll('label.grade')[{n}]).backgroundColor"
        )
        for n in (2, 1)
    )
    assert chosen != other
    moving = at.page.evaluate(
        "[...document.querySelectorAll('*')].filter(e => {"
        " const style = getComputedStyle(e);"
        " return parseFloat(style.transitionDuration) || parseFloat(style.animationDuration)"
        " }).length"
    )
    assert moving == 0


def test_colours_equal_those_of_the_report():
    """The palette is defined twice; axe-core checks the contrast of both."""
    code = (
        "import re, sys; from pathlib import Path; import qrelsmith.web;"
        "from qrelsmith.report.palette import DARK, LIGHT;"
        "text = (Path(qrelsmith.web.__file__).parent / 'static/style/palette.css').read_text();"
        "found = re.findall(r'--([\\w-]+): (#\\w+);', text); half = len(found) // 2;"
        "parts = dict(found[:half]), dict(found[half:]);"
        "own = {'term', 'find', 'passage', 'shade'};"
        "sys.exit(any(value != scheme[name] for part, scheme in zip(parts, (LIGHT, DARK))"
        " for name, value in part.items() if name not in own) or not parts[0])"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
