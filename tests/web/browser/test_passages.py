"""Passages: selected in page and text by keys, mouse and touch, and restored on return."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

FRAME = "document.querySelector('#doc-place iframe:not(.waiting)').contentWindow"


@pytest.fixture(scope="module")
def small_site(serve: Any, conftest: Any) -> Any:
    """Serve a campaign whose whole content is exported."""
    return serve(conftest.plain_docs(6), sizes=(6,), people=6)


def drawn(at: Any, window: str, name: str = "passages") -> list[str]:
    """Return the words drawn as passages."""
    ranges = f"{window}.CSS.highlights.get('{name}')"
    found: list[str] = at.page.evaluate(f"() => [...({ranges} ?? [])].map(String)")
    return found


def wait_for_drawn(at: Any, window: str, count: int) -> list[str]:
    at.wait_for(lambda: len(drawn(at, window)) == count)
    return drawn(at, window)


def passages(site: Any, at: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(site.events(at.assessor)[-1]["passages"])
    return found


@pytest.mark.parametrize(("position", "window"), [(1, FRAME), (3, "window")])
def test_three_passages_are_selected_with_keys_and_restored(
    small_site: Any, judging: Any, position: int, window: str
):
    site = small_site
    at = judging(site).open(position)
    at.shown(position)
    at.press("x")
    at.wait_for(lambda: len(drawn(at, window, "pick")) == 1)
    at.press("Enter", "ArrowDown", "Enter", "ArrowDown", "Shift+ArrowDown", "Enter")
    quotes = wait_for_drawn(at, window, 3)
    at.press("Escape")
    at.judge("2")
    at.saved()
    assert "with a passage" in at.mark(position)
    taken = passages(site, at)
    assert [each["quote"] for each in taken] == quotes
    assert [each["start"] for each in taken] == sorted(each["start"] for each in taken)
    at.open(position).page.reload()
    at.shown(position)
    assert wait_for_drawn(at, window, 3) == quotes
    assert at.page.locator("#passages li").count() == 3
    # One passage is removed, and undo restores it.
    at.page.click("#passages li:first-child .out")
    wait_for_drawn(at, window, 2)
    at.judge("2")
    at.saved()
    assert len(passages(site, at)) == 2


def test_a_selection_in_the_page_is_taken_at_its_position(site: Any, judging: Any):
    at = judging(site).open(1)
    at.shown(1)
    frame = at.page.locator("#doc-place iframe:not(.waiting)").content_frame
    box = frame.locator("p").nth(1).bounding_box()
    # Playwright's own mouse checks for drags with a script, which cannot run there.
    session = at.context.new_cdp_session(at.page)
    moves = (("mousePressed", 2), ("mouseMoved", 150), ("mouseMoved", 300), ("mouseReleased", 300))
    for kind, x in moves:
        point = {"x": box["x"] + x, "y": box["y"] + 8, "button": "left", "clickCount": 1}
        session.send("Input.dispatchMouseEvent", {"type": kind, "buttons": 1, **point})
    chosen = at.page.evaluate(f"() => {FRAME}.getSelection().toString()")
    assert chosen.strip()
    at.press("x")
    assert wait_for_drawn(at, FRAME, 1) == [chosen.strip()]
    assert at.shown() == 1


@pytest.mark.full
def test_three_sentences_selected_by_touch_in_page_and_text_are_exported(
    small_site: Any, judging: Any, conftest: Any, tmp_path: Path
):
    site = small_site
    at = judging(site, viewport={"width": 390, "height": 760}, has_touch=True)
    taken = {}
    for position, window in ((1, FRAME), (3, "window")):
        at.open(position).shown(position)
        at.page.click("#more")
        at.page.tap("[data-deed=excerpt]")
        at.wait_for(lambda window=window: len(drawn(at, window, "pick")) == 1)
        root = {FRAME: f"{FRAME}.document.body"}.get(window, "document.querySelector('#doc-text')")
        for place, count in ((0, 1), (1, 2), (2, 3), (1, 2), (1, 3)):  # one is removed and added
            at.page.touchscreen.tap(*conftest.place_of_paragraph(at.page, root, place))
            quotes = wait_for_drawn(at, window, count)
        assert len(set(quotes)) == 3
        at.page.locator("label.grade >> nth=2").tap()
        at.shown(position + 1)
        at.saved()
        at.open(position).page.reload()
        at.shown(position)
        assert sorted(wait_for_drawn(at, window, 3)) == sorted(quotes)
        taken[position] = [each["quote"] for each in passages(site, at)]
        assert sorted(taken[position]) == sorted(quotes)
        assert taken[position][0].startswith(f"This is doc {position}.")
    assert [event["input_kind"] for event in site.events(at.assessor)] == ["touch", "touch"]
    folders = [tmp_path / name for name in ("one", "two")]
    run("export", site.folder, "-o", folders[0], "--documents")
    run("import", folders[0])
    run("export", folders[0], "-o", folders[1], "--documents")
    for file in ("passages.csv", "app/events.jsonl"):
        first, second = ((folder / file).read_bytes() for folder in folders)
        assert first == second
    text = (folders[0] / "passages.csv").read_text(encoding="utf-8")
    rows = [row for row in csv.DictReader(text.splitlines()) if row["assessor"] == at.assessor]
    assert [row["quote"] for row in rows] == taken[1] + taken[3]


def run(*command: Any) -> None:
    subprocess.run(
        [sys.executable, "-m", "qrelsmith", *command], capture_output=True, text=True, check=True
    )


def test_no_script_runs_in_an_accessible_frame(site: Any, judging: Any):
    at = judging(site).open(1)
    at.shown(1)
    assert (
        at.page.get_attribute("#doc-place iframe:not(.waiting)", "sandbox") == "allow-same-origin"
    )
    ran = at.page.evaluate(
        f"""() => {{
        const page = {FRAME}.document;
        const script = page.createElement('script');
        script.textContent = 'parent.hasRun = true';
        page.body.append(script);
        const image = page.createElement('img');
        image.setAttribute('onerror', 'parent.hasRun = true');
        image.src = 'data:,x';
        page.body.append(image);
        return new Promise((done) => setTimeout(() => done(Boolean(window.hasRun)), 200));
        }}"""
    )
    assert ran is False
