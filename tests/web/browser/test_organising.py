"""An organiser opens a rejudging round, an assessor judges again, the audit shows the result."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.complaints import complaints

from qrelsmith.cli import run

pytestmark = pytest.mark.slow

DOCS = 12
# The grades of the docs by position. Gold labels those at 4 and 8 as not relevant, unlike both
# others.
GRADES = {"a01": "321003300210", "a02": "321203330210", "a03": "311303230110"}
GROUPS = (("gold", "gold", "a01"), ("north", "bronze", "a02"), ("south", "bronze", "a03"))
PAGES = (
    "", "progress", "agreement", "assessors", "signs", "disagreements", "desk/next", "versions",
    "rounds/2", "exports", "people", "tokens", "crowd", "log",
)  # fmt: skip


@pytest.fixture(scope="module")
def groups_site(
    chromium_path: str, tmp_path_factory: pytest.TempPathFactory, conftest: Any, give_tables: Any
) -> Iterator[Any]:
    """Serve a campaign of three groups with one assessor each."""
    folder: Path = tmp_path_factory.mktemp("site") / "campaign"
    conftest.write_site(folder, conftest.plain_docs(DOCS), sizes=(DOCS,), people=3)
    path = folder / "campaign.toml"
    text = path.read_text(encoding="utf-8").partition("[groups.")[0]
    for group, role, name in GROUPS:
        text += f'[groups.{group}]\nrole = "{role}"\nassessors = ["{name}"]\n\n'
    path.write_text(text, encoding="utf-8")
    rows = [f"0225,{name},{group},prioritised,0" for group, _, name in GROUPS]
    table = "\n".join(["topic,assessor,group,ordering,seed", *rows]) + "\n"
    (folder / "assignments.csv").write_text(table, encoding="utf-8")
    site = conftest.Site(give_tables(folder))
    yield site
    site.kill()


def judge_all(context: Any, site: Any, assessor: str) -> None:
    """Judge a topic like the judging page's script, without the page."""
    base = f"{site.url}/api/assignments/{site.assignment(assessor)}"
    token = context.request.get(f"{site.url}/api/session").json()["csrf"]
    for doc in context.request.get(f"{base}/docs").json()["docs"]:
        body = {
            "op_id": f"operation-{doc['doc']}",
            "doc": doc["doc"],
            "value": int(GRADES[assessor][doc["position"] - 1]),
            "sha256": doc["sha256"],
            "base_revision": 0,
            "timing": {"shown_for_ms": 5000, "active_ms": 5000, "idle_ms": 0},
        }
        answer = context.request.post(
            f"{base}/judgments", data=body, headers={"X-CSRFToken": token}
        )
        assert answer.ok, answer.text()


@pytest.mark.quick
def test_a_disagreement_is_decided_and_shown_in_the_audit(
    groups_site: Any, open_context: Callable[..., Any], judging: Callable[..., Any], tmp_path: Path
):
    site = groups_site
    for assessor in GRADES:
        judge_all(open_context(site, assessor), site, assessor)
    page = open_context(site, "organiser").new_page()

    # The organiser sees what gold may have overlooked, and opens a round, which is blind by
    # default.
    page.goto(f"{site.url}/organiser/")
    page.click("nav.pages >> text=Disagreements")
    cells = (
        page.locator("section, div").locator("table >> nth=0").locator("tbody tr td:nth-child(3)")
    )
    assert cells.all_text_contents() == ["4", "8"]
    assert page.is_checked("input[name=labels][value=blind]")
    assert page.is_checked("input[name=who][value=reference]")
    page.click("text=Open a round with 2 docs")
    page.wait_for_url("**/organiser/rounds/2")
    assert "The round is open" in page.inner_text(".notice[role=status] >> nth=0")

    # Gold judges these docs again, in the order of the first round, without seeing earlier labels.
    at = judging(site, "a01")
    at.page.goto(site.url)
    at.page.click("tr:has-text('round 2') a.button")
    at.page.wait_for_url("**/judge/**")
    at.shown(1)
    shown = []
    for key in "13":
        shown.append(at.page.inner_text("#doc-name"))
        assert not at.page.is_visible("#earlier")
        at.press(key)
        at.saved()
        at.page.wait_for_timeout(200)
    names = [doc["title"] for doc in titles(site)]
    assert shown == [names[place] for place in (3, 7)]
    assert site.labels("a01")[4] == 0  # of the first round

    # The organiser sees the result, and downloads the export.
    page.reload()
    rows = [row.split("\t") for row in page.locator("#labels + div tbody tr").all_inner_texts()]
    assert [row[:3] for row in rows][-1] == ["all", "all", "2"]
    page.click("nav.pages >> text=Export")
    page.click("text=Create export")
    at.wait_for(lambda: bool(page.reload()) and page.locator("main a[href$='.zip']").count() == 1)
    with page.expect_download() as download:
        page.click("main a[href$='.zip']")
    archive = tmp_path / "export.zip"
    download.value.save_as(archive)
    folder = tmp_path / "export"
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)

    # The audit of the export contains Tables 14 and 15.
    assert run(["audit", str(folder), "--quiet"]) == 0
    report = open_context(site).new_page()
    report.goto((folder / "audit" / "audit.html").as_uri())
    section = report.locator("#section-rejudging").text_content()
    assert "The layout is that of Table 14 in Sakai et al. (2023)." in section
    assert "The layout is that of Table 15 in Sakai et al. (2023)." in section
    table = (folder / "audit" / "tables" / "rejudging-2-topics.csv").read_text()
    assert table == "assessor,topic,rejudged,grade 1,grade 3\na01,0225,2,1,1\n"
    assert site.verify() == ""


def titles(site: Any) -> list[dict[str, str]]:
    """Return the docs of the campaign, in the order of the pool."""
    import json

    with (site.folder / "documents.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("width", "height"), [(390, 844), pytest.param(1440, 900, marks=pytest.mark.full)]
)
def test_the_pages_fit_and_are_accessible(
    groups_site: Any, open_context: Callable[..., Any], width: int, height: int
):
    viewport = {"width": width, "height": height}
    page = open_context(groups_site, "organiser", viewport=viewport).new_page()
    for name in PAGES:
        page.goto(f"{groups_site.url}/organiser/{name}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert complaints(page) == [], name


def test_earlier_labels_are_shown_in_a_round_that_is_not_blind(
    groups_site: Any, open_context: Callable[..., Any], judging: Callable[..., Any]
):
    site = groups_site
    page = open_context(site, "organiser").new_page()
    page.goto(f"{site.url}/organiser/disagreements?rule=gold >= relevant and any >= relevant")
    page.check("input[name=who][value=one]")
    page.select_option("select[name=assessor]", "a02")
    page.check("input[name=labels][value=shown]")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent.trim()").startswith(
        "Open a round with"
    )
    page.keyboard.press("Enter")
    page.wait_for_url("**/organiser/rounds/3")
    at = judging(site, "a02")
    at.page.goto(site.url)
    at.page.click("tr:has-text('round 3') a.button")
    at.page.wait_for_url("**/judge/**")
    at.shown(1)
    high = "Highly relevant"
    said = f"In the first round: your label: {high}; other assessors: {high}, {high}"
    assert at.page.inner_text("#earlier") == said
    at.judge("1")
    assert at.page.inner_text("#earlier").startswith("In the first round: your label: Relevant;")
    at.press("i")  # the instructions do not hide it
    assert at.page.is_visible("#earlier")
