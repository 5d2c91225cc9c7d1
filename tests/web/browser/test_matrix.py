"""The matrix of assessors and topics, as an organiser uses it."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.complaints import complaints

pytestmark = pytest.mark.slow

# Whether everything is visible, how many headers are cut off, and whether names align with their
# rows.
FIT = """() => {
  const place = document.getElementById('matrix');
  const middle = (node) => {
    const text = document.createRange();
    text.selectNodeContents(node.firstChild);
    const { top, height } = text.getBoundingClientRect();
    return top + height / 2;
  };
  const cut = [...place.querySelectorAll('thead th, thead button')].filter((each) =>
    each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1);
  const uneven = [...place.querySelectorAll('tbody tr:not(.filler)')].filter((row) =>
    Math.abs(middle(row.querySelector('th')) - middle(row.querySelector('.judged'))) >= 1);
  return [place.scrollWidth <= place.clientWidth, place.scrollHeight <= place.clientHeight,
    place.getBoundingClientRect().bottom <= innerHeight, cut.length, uneven.length === 0];
}"""
FILLER = Path(__file__).with_name("fill_matrix.py")


@pytest.fixture(scope="module")
def crowded(
    chromium_path: str, tmp_path_factory: pytest.TempPathFactory, conftest: Any
) -> Callable[[int, int], Any]:
    """Return a function that serves a campaign with the given numbers of assessors and topics."""
    sites = {}

    def serve(assessors: int, topics: int) -> Any:
        if (assessors, topics) not in sites:
            folder = tmp_path_factory.mktemp("matrix") / "campaign"
            conftest.write_site(folder, conftest.plain_docs(2), sizes=(2,), people=2)
            subprocess.run(
                [sys.executable, FILLER, folder, str(assessors), str(topics)],
                check=True, env=conftest._environment(),
            )  # fmt: skip
            sites[assessors, topics] = conftest.Site(folder)
        return sites[assessors, topics]

    yield serve
    for site in sites.values():
        site.kill()


def open_matrix(open_context: Any, site: Any, *, shown: str = "figures", **options: Any) -> Any:
    page = open_context(site, "organiser", **options).new_page()
    page.goto(f"{site.url}/organiser/")
    wait(page, shown)
    return page


def wait(page: Any, shown: str = "figures") -> None:
    page.wait_for_function(
        "kind => document.getElementById('matrix')?.dataset.shown === kind", arg=shown
    )


def times(page: Any, site: Any, word: str) -> dict[str, float]:
    """Return first paint, cells, the time from a key to the found rows, and processor times."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def processor() -> tuple[float, float]:
        metrics = session.send("Performance.getMetrics")["metrics"]
        tasks = next(each["value"] for each in metrics if each["name"] == "TaskDuration")
        return tasks * 1000, processor_ms(site.process.pid)

    before = processor()
    page.goto(f"{site.url}/organiser/")
    page.wait_for_selector(".matrix a.cell")
    cells = page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => done(performance.now())))"
    )
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    wait(page)
    used = [after - was for after, was in zip(processor(), before, strict=True)]
    search = page.evaluate(
        """(word) => new Promise((done) => {
        const field = document.querySelector('#looking [name=assessor]');
        const began = performance.now();
        field.value = word;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
        })""",
        word,
    )
    named = {"page": used[0], "app": used[1]}
    return {"paint": paint, "cells": cells, "search": search, **named}


def processor_ms(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) * 1000 / os.sysconf("SC_CLK_TCK")


def test_the_matrix_is_painted_and_searched(crowded: Any, open_context: Any):
    """Its times are measured, not tested: `QRELSMITH_MATRIX=200x500 pytest -s -k painted`."""
    size = os.environ.get("QRELSMITH_MATRIX", "30x50")
    site = crowded(*map(int, size.split("x")))
    page = open_matrix(open_context, site)
    took = min((times(page, site, "p01") for _ in range(3)), key=lambda each: each["page"])
    print(size, {name: f"{each:.0f} ms" for name, each in took.items()})
    assert page.inner_text("#counted").startswith("Assessors: 10;")


def test_search_results_are_shown_and_sorted(crowded: Any, open_context: Any):
    page = open_matrix(open_context, crowded(30, 50))
    page.fill("#looking [name=assessor]", "group-1")
    page.fill("#looking [name=topic]", "about t003")
    # The two people with an account, and the topic that always exists, are not found.
    assert page.inner_text("#counted") == "Assessors: 8; topics: 10"
    names = page.locator(".matrix tbody th").all_inner_texts()
    assert [name.split()[0] for name in names] == [f"p{n:03}" for n in range(1, 30, 4)]
    page.click("[data-sort=judged]")
    done = [int(each.split("/")[0]) for each in page.locator(".matrix td.judged").all_inner_texts()]
    assert len(done) == 8
    assert done == sorted(done)
    page.select_option("#looking [name=filter]", "done")
    assert page.inner_text("#counted").startswith("Assessors: 0;")


@pytest.mark.full
def test_long_tables_of_other_pages_are_searched(crowded: Any, open_context: Any):
    site = crowded(30, 50)
    page = open_context(site, "organiser").new_page()
    for name in ("progress", "assessors", "people"):
        page.goto(f"{site.url}/organiser/{name}", wait_until="commit")
        page.fill(".table-search input", "p007")
        rows = page.locator("main tbody tr:visible").all_inner_texts()
        assert 0 < len(rows) < 5, name
        assert all("p007" in row for row in rows), name


def test_thirty_by_fifty_cells_fit_on_a_screen(crowded: Any, open_context: Any):
    site = crowded(30, 50)
    page = open_matrix(open_context, site, viewport={"width": 1440, "height": 900})
    assert page.evaluate(FIT) == [True, True, True, 0, True]
    assert "3,004" in page.inner_text("#sum-words")
    page.hover(".matrix a.cell >> nth=70")
    assert page.inner_text("#pointed").startswith("p001, t")
    assert complaints(page) == []
    # Larger matrices scroll below their headers.
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.getElementById('matrix').scrollTo(300, 300)")
    at = page.locator(".matrix .corner").bounding_box()
    place = page.locator("#matrix").bounding_box()
    assert abs(at["x"] - place["x"]) < 3
    assert abs(at["y"] - place["y"]) < 3


def test_arrow_keys_move_between_cells_and_enter_opens_the_docs(crowded: Any, open_context: Any):
    page = open_matrix(open_context, crowded(30, 50))
    page.fill("#looking [name=assessor]", "p0")
    page.focus(".matrix")
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    held = "document.querySelector('.matrix').getAttribute('aria-activedescendant')"
    assert page.evaluate(held) == "at-1-1"
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    assert page.evaluate(held) == "at-1-31"
    assert page.inner_text("#pointed") == "p001, t0030: 0 of 2 judged, agreement –"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press(" ")
    assert page.locator("th[aria-selected=true]").all_inner_texts() == ["t0030"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/organiser/cells/**")
    assert page.locator("tbody a[href*='/organiser/desk/']").count() == 2


def test_selected_work_is_closed_reopened_and_reassigned(crowded: Any, open_context: Any):
    site = crowded(30, 50)
    page = open_matrix(open_context, site)
    page.fill("#looking [name=assessor]", "p005")
    page.fill("#looking [name=topic]", "t004")
    page.click(".matrix [data-choose=assessors]")
    assert page.inner_text("#chosen") == "Selected assessors: 1; topics: 10"
    for deed, count in (("close", 10), ("open", 0)):
        page.click(f"[data-deed={deed}]")
        page.click("#sure button[value=yes]")
        page.wait_for_function(
            "count => document.querySelectorAll('.matrix .closed').length === count", arg=count
        )
    page.fill("#to", "a01")
    page.click("[data-deed=reassign]")
    page.click("#sure button[value=yes]")
    page.wait_for_function(
        "() => document.getElementById('done').textContent === 'Changed: 10. Unchanged: 0.'"
    )
    rows = site._rows(
        "SELECT g.total FROM qrelsmith_web_assignment g JOIN qrelsmith_web_assessor s"
        " ON s.id = g.assessor_id WHERE s.name = ? AND g.topic_id > 2", "a01",
    )  # fmt: skip
    assert [row["total"] for row in rows] == [2] * 10


def test_a_hundred_invites_are_created_from_one_list(crowded: Any, open_context: Any):
    site = crowded(30, 50)
    page = open_context(site, "organiser").new_page()
    page.goto(f"{site.url}/organiser/people")
    page.click("text=Invite many from a list")
    names = [f"new-{n},bronze" for n in range(100)]
    page.fill("textarea[name=names]", "\n".join(names))
    page.click("text=Create links")
    page.wait_for_load_state()
    assert page.locator(".problem").all_inner_texts() == []
    page.wait_for_selector("textarea.link", state="attached")
    rows = list(csv.DictReader(page.input_value("textarea.link").splitlines()))
    assert [row["assessor"] for row in rows] == [name.partition(",")[0] for name in names]
    assert len({row["link"] for row in rows}) == 100
    assert (
        site._rows("SELECT count(*) AS n FROM qrelsmith_web_invite WHERE used_at IS NULL")[0]["n"]
        == 100
    )


@pytest.mark.full
def test_new_judgments_appear_automatically(crowded: Any, open_context: Any, conftest: Any):
    site = crowded(30, 50)
    page = open_context(site, "organiser").new_page()
    page.clock.install()
    page.goto(f"{site.url}/organiser/")
    wait(page)
    page.fill("#looking [name=assessor]", "a02")
    assert page.locator(".matrix a.cell").first.inner_text() == "0/2"
    at = conftest.JudgingPage(open_context(site, "a02"), site, "a02").open(1)
    at.judge("1")
    at.saved()
    page.clock.run_for(16_000)
    page.wait_for_function("() => document.querySelector('.matrix a.cell').textContent === '1/2'")
