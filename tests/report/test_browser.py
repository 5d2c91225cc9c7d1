"""The page in a browser; skipped without a Chromium."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.base.content import Finding, NamedTable, Report, Section, Verdict
from qrelsmith.base.tables import Table
from qrelsmith.report import write_report
from qrelsmith.report.html import page

from .test_scorecard import CARD, VIEW

pytestmark = pytest.mark.slow

Shown = subprocess.CompletedProcess[str]
Show = Callable[..., Shown]
Ask = Callable[..., Any]


@pytest.fixture
def chromium(chromium_path: str, tmp_path: Path) -> Show:
    """Return a function that opens a file in a browser and ends."""

    def show(file: Path, *options: str) -> Shown:
        return subprocess.run(
            [
                chromium_path,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                f"--user-data-dir={tmp_path / 'profile'}",
                "--enable-logging=stderr",
                "--v=0",
                *options,
                file.as_uri(),
            ],
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )

    return show


def complaints(done: Shown) -> list[str]:
    return [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.fixture
def asked(chromium: Show, tmp_path: Path) -> Ask:
    """Return the result of a script in a page; the page has this width and no content policy."""

    def ask(page: str, script: str, *, width: int = 1200) -> Any:
        (tmp_path / "inner.html").write_text(
            re.sub(r"<meta http-equiv[^>]*>", "", page).replace(
                "</body>",
                f"<script>function answer(){{{script}}}"
                "setTimeout(function(){parent.postMessage(answer(),'*')},300)</script></body>",
            ),
            encoding="utf-8",
        )
        outer = tmp_path / "outer.html"
        outer.write_text(
            "<!DOCTYPE html><body><script>addEventListener('message',function(e){"
            "var o=document.createElement('output');o.textContent=JSON.stringify(e.data);"
            "document.body.append(o)})</script>"
            f'<iframe src="inner.html" width="{width}" height="800"></iframe></body>',
            encoding="utf-8",
        )
        done = chromium(outer, "--dump-dom", "--virtual-time-budget=5000")
        found = re.search(r"<output>(.*?)</output>", done.stdout, re.DOTALL)
        assert found is not None, done.stderr
        assert complaints(done) == []
        return json.loads(unescape(found[1]))

    return ask


@pytest.mark.parametrize("size", ["1440,900", "500,844"])
def test_the_page_is_shown_without_errors(
    folder: Path, tmp_path: Path, size: str, chromium: Show
) -> None:
    picture = tmp_path / "page.png"
    done = chromium(folder / "audit.html", f"--screenshot={picture}", f"--window-size={size}")
    assert complaints(done) == []
    assert picture.stat().st_size > 20_000


def test_a_change_of_the_script_is_detected(page: str, tmp_path: Path, chromium: Show) -> None:
    changed = tmp_path / "changed.html"
    changed.write_text(page.replace('"use strict";', '"use strict"; ', 1), encoding="utf-8")
    done = chromium(changed, "--dump-dom")
    assert any("Content Security Policy" in line for line in complaints(done))


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
def test_the_page_never_scrolls_horizontally(page: str, width: int, asked: Ask) -> None:
    script = "return [innerWidth, document.documentElement.scrollWidth]"
    inner, wide = asked(page, script, width=width)
    assert inner == width
    assert wide <= inner


ROWS: list[tuple[str, float | None]] = [
    ("b10", 0.5),
    ("b9", float("nan")),
    ("a", -2.0),
    ("c", None),
    ("d", 10.0),
    ("e", float("inf")),
    ("f", 1e-12),
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write a page with a short table and a collapsed one."""
    long = Table.of(("name", "v"), [(f"run{place}", place) for place in range(1, 31)])
    tables = (
        NamedTable("short", "Short", Table.of(("name", "v"), ROWS)),
        NamedTable("long", "Long", long),
    )
    target = tmp_path_factory.mktemp("small") / "out"
    write_report(Report("T", "", (), (Section("s", "S", tables=tables),), "{}\n"), target)
    return (target / "audit.html").read_text(encoding="utf-8")


SORTING = """
var table = document.querySelector('#table-short table');
var out = [];
[COLUMN, COLUMN, COLUMN].forEach(function (place) {
  table.querySelectorAll('thead button')[place].click();
  out.push([table.querySelectorAll('thead th')[place].getAttribute('aria-sort'),
    Array.from(table.tBodies[0].rows, function (row) { return row.cells[0].textContent; })]);
});
return out;
"""


def test_numbers_are_sorted_numerically_with_undefined_ones_last(small: str, asked: Ask) -> None:
    assert asked(small, SORTING.replace("COLUMN", "1")) == [
        ["ascending", ["a", "f", "b10", "d", "e", "b9", "c"]],
        ["descending", ["e", "d", "b10", "f", "a", "b9", "c"]],
        [None, ["b10", "b9", "a", "c", "d", "e", "f"]],
    ]


def test_names_are_sorted_by_the_numbers_in_them(small: str, asked: Ask) -> None:
    outcome = asked(small, SORTING.replace("COLUMN", "0"))
    assert outcome[0] == ["ascending", ["a", "b9", "b10", "c", "d", "e", "f"]]


FOLDING = """
var block = document.querySelector('#table-long');
var rows = Array.from(block.querySelectorAll('tbody tr'));
var fold = block.querySelector('.fold'), input = block.querySelector('input');
function look() {
  var shown = rows.filter(function (row) { return row.offsetHeight > 0; });
  return [shown.length, fold.hidden ? '' : fold.textContent,
    fold.getAttribute('aria-expanded'), block.querySelector('.count').textContent];
}
function type(text) { input.value = text; input.dispatchEvent(new Event('input')); }
var out = [look()];
fold.click(); out.push(look());
fold.click(); out.push(look());
type('RUN2 '); out.push(look());
type('run3 zzz'); out.push(look());
type(''); out.push(look());
return out;
"""


def test_a_long_table_is_collapsed_until_opened_or_filtered(small: str, asked: Ask) -> None:
    assert asked(small, FOLDING) == [
        [15, "Show all 30 rows", "false", "30 rows"],
        [30, "Show the first 15 rows", "true", "30 rows"],
        [15, "Show all 30 rows", "false", "30 rows"],
        [11, "", "false", "11 of 30 rows"],
        [0, "", "false", "0 of 30 rows"],
        [15, "Show all 30 rows", "false", "30 rows"],
    ]


def test_the_user_can_change_the_colours(small: str, asked: Ask) -> None:
    script = """
    var button = document.getElementById('theme');
    function look() {
      return [button.textContent, getComputedStyle(document.body).backgroundColor];
    }
    var out = [look()]; button.click(); out.push(look()); button.click(); out.push(look());
    return out;
    """
    light, dark = ["Dark colours", "rgb(255, 255, 255)"], ["Light colours", "rgb(20, 23, 27)"]
    assert asked(small, script) == [light, dark, light]


def test_only_scrollable_elements_are_focusable_by_keyboard(page: str, asked: Ask) -> None:
    script = """
    return Array.from(document.querySelectorAll('.drawing, .scroll'), function (box) {
      return [box.tabIndex === 0, box.scrollWidth > box.clientWidth + 1
        || box.scrollHeight > box.clientHeight + 1];
    });
    """
    boxes = asked(page, script, width=1300)
    assert isinstance(boxes, list)
    assert all(stop == scrolls for stop, scrolls in boxes)
    assert {stop for stop, _ in boxes} == {False, True}


def test_buttons_and_links_in_lists_are_large_enough(page: str, asked: Ask) -> None:
    script = """
    return Array.from(document.querySelectorAll('button, nav a, .files a, input'))
      .map(function (e) { return [e.textContent, e.getBoundingClientRect()]; })
      .filter(function (e) { return e[1].width > 0 && (e[1].width < 24 || e[1].height < 24); })
      .map(function (e) { return [e[0], e[1].width, e[1].height]; });
    """
    assert asked(page, script, width=390) == []


def test_the_page_can_be_printed(folder: Path, tmp_path: Path, chromium: Show) -> None:
    target = tmp_path / "page.pdf"
    chromium(folder / "audit.html", f"--print-to-pdf={target}", "--no-pdf-header-footer")
    assert target.read_bytes().startswith(b"%PDF")
    pages = re.findall(rb"/Type\s*/Page\b", target.read_bytes())
    assert 5 <= len(pages) <= 25


def test_no_verdict_overlaps_its_sentence(tmp_path: Path, asked: Ask) -> None:
    said = [Finding("r", verdict, "A sentence.", "s") for verdict in Verdict]
    paper = Report("T", "", (), (Section("s", "S", findings=tuple(said)),), "{}\n", kind="A paper")
    write_report(paper, tmp_path / "out")
    page = (tmp_path / "out" / "audit.html").read_text(encoding="utf-8")
    script = """
    return Array.from(document.querySelectorAll('.findings li'), function (item) {
      return item.querySelector('p').getBoundingClientRect().left
        - item.querySelector('.verdict').getBoundingClientRect().right;
    });
    """
    gaps = asked(page, script, width=1440)
    assert isinstance(gaps, list)
    assert min(gaps) >= 8


def test_truncated_content_has_a_visible_edge(page: str, asked: Ask) -> None:
    script = """
    return Array.from(document.querySelectorAll('.drawing, .scroll'), function (box) {
      var style = getComputedStyle(box);
      return [style.overflowX, (style.backgroundAttachment.match(/local/g) || []).length,
        (style.backgroundAttachment.match(/scroll/g) || []).length];
    });
    """
    boxes = asked(page, script, width=390)
    assert isinstance(boxes, list)
    assert {tuple(box) for box in boxes} == {("auto", 2, 2)}


@pytest.fixture(scope="module")
def card_page() -> str:
    """Write a page with a scorecard; two label sets rank two systems."""
    card = replace(
        CARD, systems=("alpha", "beta"), measure="nDCG@10", views={"best": VIEW, "poor": VIEW}
    )
    return page(replace(Report("T", "s", (), (), "{}"), scorecard=card), {})


SHOWN = """
function shown(selector) {
  return Array.from(document.querySelectorAll(selector), function (part) {
    return part.getClientRects().length ? part.textContent.trim() : "";
  }).filter(Boolean).join("|");
}
"""


def test_a_label_set_opens_in_a_view_and_another_one_beside_it(card_page: str, asked: Ask) -> None:
    before, one, both, after = asked(
        card_page,
        SHOWN
        + """
        var before = shown(".reason, #next");
        location.hash = "set-poor";
        dispatchEvent(new HashChangeEvent("hashchange"));
        var one = shown(".reason, #next, .places");
        var other = document.getElementById("other");
        other.value = "set-best";
        other.dispatchEvent(new Event("change"));
        dispatchEvent(new HashChangeEvent("hashchange"));
        var both = shown(".reason");
        location.hash = "scorecard";
        dispatchEvent(new HashChangeEvent("hashchange"));
        return [before, one, both, shown(".reason, #next")];
        """,
    )
    assert before == after
    assert "Judge <more>." in before
    assert "poor is bad at agrees." in one
    assert ".750 [.500, .900]" in one
    assert "beta 2" in one
    assert "best is good" not in one
    assert "Judge <more>." not in one
    assert "poor is bad at agrees." in both
    assert "best is good at agrees." in both


def test_a_system_selected_by_keyboard_is_highlighted_in_every_picture(
    card_page: str, asked: Ask
) -> None:
    marked, told, nothing = asked(
        card_page,
        """
        var chooser = document.getElementById("system");
        chooser.value = "1";
        chooser.dispatchEvent(new Event("change"));
        var marked = Array.from(document.querySelectorAll(".dots .marked"), function (dot) {
          return Array.from(dot.parentNode.children).indexOf(dot);
        });
        var told = document.querySelector("#set-best .moves").textContent;
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
        return [marked, told, document.querySelectorAll(".marked").length];
        """,
    )
    assert marked == [1, 1]
    assert told == "beta: rank 2 → 1 (nDCG@10 0.3, 0.6)"
    assert nothing == 0


@pytest.mark.parametrize("width", [195, 320, 390, 768, 1024, 1280, 1440])
@pytest.mark.parametrize("view", ["", "set-poor+set-best"])
def test_the_scorecard_never_scrolls_horizontally(
    card_page: str, width: int, view: str, asked: Ask
) -> None:
    script = f"""
    location.hash = "{view}";
    dispatchEvent(new HashChangeEvent("hashchange"));
    var wide = Array.from(document.querySelectorAll("main *"), function (part) {{
      return part.getBoundingClientRect().right;
    }});
    return [innerWidth, document.documentElement.scrollWidth, Math.max.apply(null, wide)];
    """
    inner, wide, right = asked(card_page, script, width=width)
    assert wide <= inner
    assert right <= inner + 1


def test_no_text_of_the_scorecard_is_smaller_than_eleven_pixels(card_page: str, asked: Ask) -> None:
    script = """
    location.hash = "set-poor";
    dispatchEvent(new HashChangeEvent("hashchange"));
    return Array.from(document.querySelectorAll("main *, main text"), function (part) {
      var own = Array.from(part.childNodes).some(function (node) {
        return node.nodeType === 3 && node.textContent.trim();
      });
      return own && part.getClientRects().length ? parseFloat(getComputedStyle(part).fontSize) : 99;
    }).sort(function (a, b) { return a - b; })[0];
    """
    assert asked(card_page, script, width=1440) >= 11
