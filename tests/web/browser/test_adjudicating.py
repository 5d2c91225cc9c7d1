"""Adjudication by an organiser whose browser is closed in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

READ = """() => {
  const [painted] = performance.getEntriesByName("painted");
  return painted && performance.now() - painted.startTime > 300;
}"""
DECIDED = """SELECT value, text FROM qrelsmith_web_deskevent
WHERE kind = 'adjudicated' ORDER BY id"""


@pytest.fixture(scope="module")
def contested_site(serve: Callable[..., Any]) -> Any:
    """A campaign in which two assessors can disagree about three docs."""
    return serve([{"doc_id": f"d{n}", "text": f"Doc {n}."} for n in range(3)], sizes=(3,), people=2)


@pytest.fixture
def launch(chromium: Any, chromium_path: str, tmp_path: Path) -> Iterator[Callable[[Any], Any]]:
    """A function that starts the organiser's browser, always with the same profile."""
    contexts: list[Any] = []

    def start(site: Any) -> Any:
        contexts.append(chromium.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path=chromium_path
        ))  # fmt: skip
        contexts[-1].add_cookies([site.cookie("organiser")])
        page = contexts[-1].new_page()
        page.goto(f"{site.url}/organiser/desk/next")
        return page

    yield start
    for context in contexts:
        context.close()


def test_a_closed_browser_loses_neither_decisions_nor_written_reasons(
    contested_site: Any, judging: Any, launch: Any
) -> None:
    for grades in ("000", "123"):
        at = judging(contested_site).open()
        for place, grade in enumerate(grades, start=1):
            at.shown(place)
            at.press(grade)
        at.saved()
    page = launch(contested_site)
    first = page.url
    page.fill("#verdict [name=text]", "It names the city")
    decide(page, 1)
    assert page.input_value("#verdict [name=text]") == ""
    page.get_by_role("link", name="Next disagreement, blind").click()
    page.wait_for_url(lambda url: url != first)
    second = page.url
    page.fill("#verdict [name=text]", "Only the title")
    page.fill("textarea[name=text]", "Is the title enough?")
    page.context.close()
    page = launch(contested_site)
    assert page.url == second
    assert page.input_value("#verdict [name=text]") == "Only the title"
    assert page.input_value("textarea[name=text]") == "Is the title enough?"
    decide(page, 2)
    assert page.input_value("#verdict [name=text]") == ""
    found = [tuple(row.values()) for row in contested_site._rows(DECIDED)]
    assert found == [(1, "It names the city"), (2, "Only the title")]
    assert contested_site.verify() == ""


def decide(page: Any, value: int) -> None:
    """Decide, having read the doc."""
    page.wait_for_function(READ)
    page.click(f"#verdict button[value='{value}']")
    page.wait_for_selector("#labels")
