"""Reading in Chromium: terms in every script, text directions, groups, huge and narrow pages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.web.docs.reading_docs import CASES

RELEVANT = "The heat pump kept our old house warm: old houses need pumps that heat slowly."
OTHER_SIZES = [
    pytest.param(size, marks=pytest.mark.full)
    for size in ((1280, 800), (640, 400), (390, 844), (320, 640))
]
# A visible box of the doc, in pixels of the page.
SEEN = """(selector) => {
  const { top, bottom, left, right } = document.querySelector(selector).getBoundingClientRect();
  const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
  return [Math.min(right, innerWidth) - Math.max(left, 0), height];
}"""


@pytest.fixture(scope="module")
def scripts_site(serve: Any, conftest: Any, tmp_path_factory: Any, give_tables: Any) -> Any:
    """Serve a topic for each language, its doc as a page and as a text."""
    folder = tmp_path_factory.mktemp("scripts") / "campaign"
    docs = [
        doc
        for name, case in CASES.items()
        for doc in (
            {"doc_id": f"{name}-page", "title": case.title, "html": f"<p>{case.doc}</p>"},
            {"doc_id": f"{name}-text", "title": case.title, "text": case.doc},
        )
    ]
    conftest.write_site(folder, docs, sizes=(1,), people=3)
    topics = [json.dumps({"topic": name, "title": case.title}) for name, case in CASES.items()]
    (folder / "topics.jsonl").write_text("\n".join(topics) + "\n", encoding="utf-8")
    pool = "# pool format=1 ordering=prioritised depth=30 seed=0\n"
    rows = "".join(f"{n} {n}-page 1\n{n} {n}-text 2\n" for n in CASES)
    (folder / "pools" / "prioritised.pool").write_text(pool + rows, encoding="utf-8")
    site = conftest.Site(give_tables(folder))
    yield site
    site.kill()


def test_terms_of_titles_in_every_script_are_marked_in_both_views(
    scripts_site: Any, judging: Any, record_property: Any
) -> None:
    at = judging(scripts_site)
    for name, case in CASES.items():
        at.open(1, topic=name)
        page = at.frame().locator("mark.qrelsmith-term").all_inner_texts()
        at.press("j")
        at.shown(2)
        at.page.wait_for_function("() => CSS.highlights.get('term0')?.size")
        text = at.page.evaluate(
            "[0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) =>"
            " [...(CSS.highlights.get(`term${n}`) ?? [])].map(String))"
        )
        assert sorted(page) == sorted(text)
        hit = [word for word in case.expected if word in page]
        record_property(name, f"{len(hit)} of {len(case.expected)}: {' '.join(page)}")
        print(f"{name}: {case.title}: {len(hit)} of {len(case.expected)} found, {len(page)} marked")
        assert len(hit) >= 0.8 * len(case.expected)


def test_arabic_runs_from_right_to_left_in_both_views(scripts_site: Any, judging: Any) -> None:
    at = judging(scripts_site).open(1, topic="Arabic")
    assert at.frame().evaluate("getComputedStyle(document.body).direction") == "rtl"
    at.press("j")
    at.shown(2)
    direction = "getComputedStyle(document.querySelector('#doc-text p')).direction"
    assert at.page.evaluate(direction) == "rtl"


@pytest.fixture(scope="module")
def long_site(serve: Any) -> Any:
    """Serve long pages, a huge page, and a page that begins with its navigation."""
    filler = "".join(f"<p>{n}. {'other words here ' * 40}</p>" for n in range(600))
    page = f"<p>heat</p>{filler}<p>{RELEVANT}</p>{filler}<p>pumps</p>"
    links = "".join(f"<li>Link number {n}</li>" for n in range(80))
    huge = "".join(f"<h2>{n}</h2><p>{'words of a huge page ' * 50}</p>" for n in range(7700))
    docs = [
        {"doc_id": "d1", "title": "Long", "html": page},
        {"doc_id": "d2", "title": "Navigation", "html": f"<ul>{links}</ul><main>{page}</main>"},
        {"doc_id": "d3", "title": "Huge", "html": huge + f"<p>{RELEVANT}</p>"},
        {"doc_id": "d4", "title": "End", "text": RELEVANT},
    ]
    return serve(docs, sizes=(4, 1), people=9, judging='opening = "densest"\nnote = "optional"')


def in_sight(frame: Any, words: str) -> bool:
    """Return whether the paragraph with these words is on the screen."""
    return bool(
        frame.evaluate(
            """(words) => [...document.querySelectorAll("p")].some((each) => {
              const { top, bottom } = each.getBoundingClientRect();
              return each.textContent.includes(words) && top >= 0 && bottom <= innerHeight;
            })""",
            words,
        )
    )


@pytest.mark.full
def test_a_long_doc_opens_at_its_densest_part_and_is_judged_by_keys_alone(
    long_site: Any, judging: Any
) -> None:
    at = judging(long_site).open(1)
    frame = at.frame()
    height = frame.evaluate("document.documentElement.scrollHeight")
    assert height > 50_000
    at.wait_for(lambda: in_sight(frame, RELEVANT))
    at.press("Home")
    at.wait_for(lambda: not in_sight(frame, RELEVANT))
    at.page.wait_for_selector("#group-place:text('group')")
    at.press("f")
    at.wait_for(lambda: in_sight(frame, RELEVANT))
    at.page.wait_for_timeout(300)
    at.press("PageDown")  # from there, not from the top
    at.wait_for(lambda: not in_sight(frame, RELEVANT))
    assert frame.evaluate("scrollY") > height / 3
    assert at.judge("3") == 2
    at.saved()
    assert long_site.labels(at.assessor) == {1: 3}


def test_keys_for_reading_can_be_changed(long_site: Any, judging: Any) -> None:
    at = judging(long_site).open(1)
    at.press("?")
    for action, key in (("group", "y"), ("groupBefore", "b"), ("main", "f"), ("word", "d")):
        at.page.click(f"#keys-rows button[data-action={action}]")
        at.press(key)
        assert at.page.inner_text(f"#keys-rows button[data-action={action}]") == key
    at.press("Escape")
    at.page.reload()
    at.shown(1)
    frame = at.frame()
    at.wait_for(lambda: in_sight(frame, RELEVANT))
    for key, is_there in (("Home", False), ("y", True), ("Home", False), ("b", True)):
        at.press(key)
        at.wait_for(lambda is_there=is_there: in_sight(frame, RELEVANT) is is_there)
    at.press("w", "m")  # they have no effect any more
    assert at.page.evaluate("document.activeElement === document.body")
    assert in_sight(frame, RELEVANT)
    at.press("d")
    assert at.page.evaluate("document.activeElement.id") == "own-term"
    at.press("Escape", "j")
    at.shown(2)
    frame = at.frame()
    at.wait_for(lambda: in_sight(frame, RELEVANT))
    at.press("f")  # where the content begins, after the navigation
    at.wait_for(lambda: in_sight(frame, "0. other words"))
    assert frame.evaluate("scrollY") < 5000


def test_added_words_are_kept_for_the_topic(long_site: Any, judging: Any) -> None:
    at = judging(long_site).open(4)
    at.press("w")
    at.page.keyboard.type("slowly")
    at.press("Enter", "Escape")
    at.page.wait_for_selector("#terms .term:has-text('slowly') b:text('1')")
    at.page.reload()
    at.shown(4)
    at.page.wait_for_selector("#terms .term:has-text('slowly') b:text('1')")
    at.page.click("#terms .term:has-text('slowly')")
    at.page.wait_for_selector("#terms .term:has-text('slowly')", state="detached")


@pytest.mark.full
def test_a_huge_page_is_shown_in_parts(long_site: Any, judging: Any) -> None:
    at = judging(long_site)
    at.page.goto(f"{long_site.url}/judge/{long_site.assignment(at.assessor)}/3")
    at.shown(3)
    at.page.wait_for_selector("#part:not([hidden]) output:text('Part 1 of')")
    assert len(at.frame().content()) < 1_500_000
    at.page.click("#part [data-deed=part]")
    at.page.wait_for_selector("#part output:text('Part 2 of')")


@pytest.mark.parametrize("size", [(320, 256), *OTHER_SIZES], ids=str)
def test_the_doc_is_on_the_screen_at_every_size(
    long_site: Any, judging: Any, size: tuple[int, int]
) -> None:
    width, height = size  # 640 × 400 and 320 × 256: the size of 1280 at 200% and 400% zoom
    at = judging(long_site, viewport={"width": width, "height": height}).open(1)
    seen = at.page.evaluate(SEEN, "#doc-place")
    assert seen[0] > 0.6 * width
    assert seen[1] > min(150, 0.35 * height)
    assert at.page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_a_connection_a_topic_continues_as_text(site: Any, judging: Any) -> None:
    at = judging(site).open(1, topic="0226")
    at.page.wait_for_selector("#kept-docs:text('8 of 8')")
    at.context.set_offline(True)
    for _ in range(7):
        at.judge("2")
    at.press("2")
    at.wait_for(lambda: "8 unsent judgments" in at.state("lost"))
    at.state("lost")
    at.context.set_offline(False)
    at.saved()
    assert site.labels(at.assessor, "0226") == dict.fromkeys(range(1, 9), 2)
    assert len(site.events(at.assessor)) == 8
