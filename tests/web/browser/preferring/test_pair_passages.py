"""Passages in both docs of a pair, and a click in a doc that chooses it."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

PREFERENCES = 'scheduler = "round-robin"\nshare = "pair"\nexcerpt = "optional"'


@pytest.fixture(scope="module")
def quoting_site(serve_pairs: Any, conftest: Any) -> Any:
    """Serve a campaign whose pairs have passages."""
    return serve_pairs(
        conftest.plain_docs(12), preferences=PREFERENCES, topics=4, people=6, candidates=6
    )


def window_of(at: Any, side: str) -> str:
    """Return the window with a doc's highlights, and the suffix of their names, as JavaScript."""
    if at.page.locator(f"#{side}-text").is_visible():
        return f"[window, {'-right' if side == 'right' else ''!r}]"
    frame = f"document.querySelector('#{side}-place iframe:not(.waiting)').contentWindow"
    return f"[{frame}, '']"


def drawn(at: Any, side: str, name: str = "passages") -> list[str]:
    at.page.wait_for_selector(f"#{side}-place:not(.loading)")  # its words are loaded
    found: list[str] = at.page.evaluate(
        f"""() => {{
        const [shown, suffix] = {window_of(at, side)};
        return [...(shown.CSS.highlights.get('{name}' + suffix) ?? [])].map(String);
        }}"""
    )
    return found


def wait_for_drawn(at: Any, side: str, count: int, name: str = "passages") -> list[str]:
    for _ in range(200):
        if len(drawn(at, side, name)) == count:
            break
        at.page.wait_for_timeout(50)
    assert len(drawn(at, side, name)) == count
    return drawn(at, side, name)


@pytest.mark.full
def test_three_passages_by_keys_are_kept_after_a_reload_and_exported(
    quoting_site: Any, comparing_page: Any, tmp_path: Path
):
    site = quoting_site
    at = comparing_page(site, "a01", "p001").open().to_pages()
    number = at.shown()
    at.press("x")
    wait_for_drawn(at, "left", 1, "pick")
    at.press("Enter", "ArrowDown", "Shift+ArrowDown", "Enter", "Escape", "s", "x")
    wait_for_drawn(at, "right", 1, "pick")
    at.press("ArrowDown", "Enter", "Escape")
    quotes = [*wait_for_drawn(at, "left", 2), *wait_for_drawn(at, "right", 1)]
    assert at.marked() is None  # arrows selected sentences, not docs
    at.press("ArrowLeft")
    at.answer("Enter").saved()
    (answer,) = [each for each in site.answers("p001") if each["position"] == number]
    taken = json.loads(answer["passages"])
    assert [(each["side"], each["quote"]) for each in taken] == list(
        zip(("left", "left", "right"), quotes, strict=True)
    )
    at.press("k")
    at.shown(number)
    at.page.reload()
    at.shown(number)
    assert [*wait_for_drawn(at, "left", 2), *wait_for_drawn(at, "right", 1)] == quotes
    # They are in the text view, too.
    at.press("v")
    assert [*wait_for_drawn(at, "left", 2), *wait_for_drawn(at, "right", 1)] == quotes
    # One is removed: the answer is a different one, and counts again.
    at.page.click("#left-passages li:first-child .out")
    at.press("Enter")
    at.saved()
    assert len(json.loads(site.answers("p001")[-1]["passages"])) == 2
    at.press("v")
    rows = exported_passages(site.folder, tmp_path, "a01")
    assert {(row["side"], row["quote"]) for row in rows} == {
        ("left", quotes[1]), ("right", quotes[2])
    }  # fmt: skip


def exported_passages(campaign: Path, folder: Path, assessor: str) -> list[dict[str, str]]:
    """Return the rows of an assessor in an export whose import exports the same bytes."""
    folders = [folder / name for name in ("one", "two")]
    run("export", campaign, "-o", folders[0], "--documents")
    run("import", folders[0])
    run("export", folders[0], "-o", folders[1], "--documents")
    for file in ("pair_passages.csv", "app/preference_events.jsonl"):
        first, second = ((each / file).read_bytes() for each in folders)
        assert first == second
    text = (folders[0] / "pair_passages.csv").read_text(encoding="utf-8")
    return [row for row in csv.DictReader(text.splitlines()) if row["assessor"] == assessor]


def run(*command: Any) -> None:
    subprocess.run(
        [sys.executable, "-m", "qrelsmith", *command], capture_output=True, text=True, check=True
    )


@pytest.mark.full
@pytest.mark.parametrize(("view", "assessor"), [("page", "a02"), ("text", "a06")])
def test_three_sentences_of_each_doc_selected_by_touch_are_exported(
    quoting_site: Any, comparing_page: Any, conftest: Any, tmp_path: Path, view: str, assessor: str
):
    at = comparing_page(
        quoting_site, assessor, "p002", viewport={"width": 390, "height": 760}, has_touch=True
    )
    at.open().to_pages()
    if view == "text":
        at.press("v")
        at.page.wait_for_selector("#left-text:not([hidden])")
    number = at.shown()
    quotes: dict[str, list[str]] = {}
    for side in ("left", "right"):
        if side == "right":
            at.page.tap(".flip [data-deed=right]")
        at.page.tap(f"#{side} .take")
        wait_for_drawn(at, side, 1, "pick")
        frame = f"document.querySelector('#{side}-place iframe:not(.waiting)')"
        root = {"page": f"{frame}.contentDocument.body",
                "text": f"document.querySelector('#{side}-text')"}[view]  # fmt: skip
        for count in (1, 2, 3):
            place = conftest.place_of_paragraph(at.page, root, count - 1)
            at.page.touchscreen.tap(*place)
            quotes[side] = wait_for_drawn(at, side, count)
        assert len(set(quotes[side])) == 3
    assert at.marked() is None
    at.page.tap("label[for=outcome1], .outcome >> nth=-1")
    at.breathe()
    at.page.tap(".continue")
    at.saved()
    taken = json.loads(quoting_site.answers("p002")[-1]["passages"])
    assert [each["side"] for each in taken] == ["left"] * 3 + ["right"] * 3
    at.press("k")
    at.shown(number)
    at.page.reload()
    at.shown(number)
    for side, shown in quotes.items():
        if side == "right":
            at.page.tap(".flip [data-deed=right]")
        assert sorted(wait_for_drawn(at, side, 3)) == sorted(shown)
        saved = [each["quote"] for each in taken if each["side"] == side]
        assert sorted(saved) == sorted(shown)
    rows = exported_passages(quoting_site.folder, tmp_path, assessor)
    assert [(row["side"], row["quote"]) for row in rows] == [
        (each["side"], each["quote"]) for each in taken
    ]


@pytest.mark.parametrize("view", ["page", pytest.param("text", marks=pytest.mark.full)])
def test_a_click_anywhere_in_a_doc_chooses_it(quoting_site: Any, comparing_page: Any, view: str):
    at = comparing_page(quoting_site, {"page": "a03", "text": "a04"}[view], "p003").open()
    at.to_pages()
    if view == "text":
        at.press("v")
        at.page.wait_for_selector("#right-text:not([hidden])")
        at.page.wait_for_selector("#left-text:not([hidden])")
    for side, outcome in (("right", "1"), ("left", "-1")):
        box = at.page.locator(f"#{side}-place").bounding_box()
        at.breathe()
        at.page.mouse.click(box["x"] + 60, box["y"] + 120)
        at.page.wait_for_function(
            "value => document.querySelector('input[name=outcome]:checked')?.value === value",
            arg=outcome,
        )
    # The page receives keys again.
    at.answer("Enter").saved()
    assert quoting_site.answers("p003")[-1]["outcome"] == -1
    assert quoting_site.answers("p003")[-1]["input_kind"] == "click"


@pytest.mark.full
def test_a_click_while_selecting_sentences_selects_one_and_chooses_no_doc(
    quoting_site: Any, comparing_page: Any
):
    at = comparing_page(quoting_site, "a05", "p004").open().to_pages()
    at.press("x")
    wait_for_drawn(at, "left", 1, "pick")
    place = at.frame("left").locator("p").nth(0).bounding_box()
    at.page.mouse.click(place["x"] + 30, place["y"] + 10)
    wait_for_drawn(at, "left", 1)
    assert at.marked() is None
    at.press("Escape")
    at.breathe()
    # A selection is used as it is, and is not a choice.
    at.press("v")
    at.page.wait_for_selector("#right-text:not([hidden])")
    at.page.wait_for_selector("#right-place:not(.loading)")
    text = at.page.locator("#right-text").bounding_box()
    at.page.mouse.move(text["x"] + 30, text["y"] + 25)
    at.page.mouse.down()
    at.page.mouse.move(text["x"] + 200, text["y"] + 25, steps=4)
    at.page.mouse.up()
    assert at.marked() is None
    at.press("x")
    wait_for_drawn(at, "right", 1)
