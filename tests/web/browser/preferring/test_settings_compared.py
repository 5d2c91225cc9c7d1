"""Two ways of labelling, from the first grade in Chromium to `pdp compare`, and by hand."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.discrimination.pdp_by_hand import pdp_by_hand
from tests.web.browser.pressing import press_after

from qrelsmith.cli import run

pytestmark = [pytest.mark.slow, pytest.mark.full]

ASSESSORS = ("a01", "a02", "a03")
TOPICS = tuple(f"p{n:03}" for n in range(1, 9))  # the minimum for an interval
DOCS = 3
LEVELS = (4, 7)
PREFERENCES = """[preferences]
scheduler = "drawn"
pairs = "tests.csv"
choices = 4
share = "pair"
per_pair = 3
"""
# The quality of each doc, and the quality as perceived by each assessor.
_RNG = np.random.default_rng(2)
QUALITY = {f"{topic}-{n}": float(_RNG.uniform()) for topic in TOPICS for n in range(DOCS)}
FOUND = {
    (name, doc): quality + float(_RNG.normal(scale=0.1))
    for name in ASSESSORS
    for doc, quality in QUALITY.items()
}


@pytest.fixture
def serve_folder(chromium_path: str, tmp_path: Path, conftest: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that writes and serves a campaign of three assessors for a test."""
    sites = []

    def start(name: str, levels: int, tests: Path | None = None) -> Any:
        folder = tmp_path / name
        (folder / "pools").mkdir(parents=True)
        scale = "".join(f'  {{ grade = {n}, label = "Grade {n}" }},\n' for n in range(levels))
        names = ", ".join(f'"{assessor}"' for assessor in ASSESSORS)
        text = f'format = 1\ntitle = "{name}"\n\n[scale]\nlevels = [\n{scale}]\n\n[groups.bronze]\n'
        text += f'role = "bronze"\nper_doc = 3\nassessors = [{names}]\n\n'
        files = {
            "campaign.toml": text + (PREFERENCES if tests else ""),
            "topics.jsonl": _lines({"topic": topic, "title": topic} for topic in TOPICS),
            "documents.jsonl": _lines(
                {"doc_id": doc, "title": doc, "text": f"This is {doc}."} for doc in QUALITY
            ),
            "pools/prioritised.pool": "# pool format=1 ordering=prioritised depth=30 seed=0\n"
            + "".join(f"{doc[:4]} {doc} {int(doc[-1]) + 1}\n" for doc in QUALITY),
        }
        if tests:
            files["tests.csv"] = tests.read_text(encoding="utf-8")
        for path, content in files.items():
            (folder / path).write_text(content, encoding="utf-8")
        sites.append(conftest.Site(folder))
        return sites[-1]

    yield start
    for site in sites:
        site.kill()


def test_from_grades_in_chromium_to_the_better_scale(
    serve_folder: Any, open_context: Any, judging: Any, comparing_page: Any, pair_conftest: Any,
    tmp_path: Path,
):  # fmt: skip
    """Assessors grade on two scales, compare, discuss and are overruled; `pdp compare` agrees."""
    graded = {}
    for levels in LEVELS:
        site = serve_folder(f"graded-{levels}", levels)
        for assessor in ASSESSORS:
            _grade(judging(site, assessor), levels)
        graded[levels] = _exported(site, tmp_path) / "judgments.csv"
    tests = tmp_path / "tests.csv"
    names = [str(graded[levels]) for levels in LEVELS]
    assert run(["plan", "preferences", *names, "--per-pair", "2", "-o", str(tests), "--quiet"]) == 0

    site = pair_conftest.PairSite(serve_folder("compared", 4, tests))
    asked = _rows(tests)
    for assessor in ASSESSORS:
        for topic in dict.fromkeys(row["topic"] for row in asked):
            _compare(comparing_page(site, assessor, topic))
    # The third assessor errs in some pairs; there are no other contradictions.
    wrong = sorted(doc for doc in map(_pair_name, asked) if _errs(*doc))
    assert len(wrong) >= 3

    # One pair is adjudicated blind; the others are discussed, and a03 changes the answer to one of
    # them.
    page = open_context(site, "organiser").new_page()
    page.goto(f"{site.url}/organiser/preferences")
    page.click("text=Adjudicate blind")
    assert not page.is_visible("#answers")
    sides = [page.inner_text(f"#{side}").split()[-1] for side in ("left", "right")]
    decided = tuple(sorted(sides))
    press_after(page, "1" if QUALITY[sides[0]] < QUALITY[sides[1]] else "4", 301)  # the worse doc
    page.wait_for_selector("#answers")
    assert "Decided blind." in page.inner_text("#main, main")
    page.goto(f"{site.url}/organiser/preferences")
    page.click(f"text=Let assessors discuss {len(wrong) - 1} pair")
    page.locator("text=Let assessors discuss").wait_for(state="detached")
    third = open_context(site, "a03").new_page()
    third.goto(f"{site.url}/discuss")
    settled = _give_in(third)
    assert settled in wrong
    assert settled != decided

    preferences = _exported(site, tmp_path) / "preferences.csv"
    answers = _rows(preferences)
    of_pairs = {pair: [row for row in answers if _pair_name(row) == pair] for pair in wrong}
    (verdict,) = of_pairs.pop(decided)
    assert (verdict["assessor"], abs(int(verdict["outcome"]))) == ("adjudicated", 2)
    signs = {pair: sorted(_sign(row) for row in rows) for pair, rows in of_pairs.items()}
    assert abs(sum(signs.pop(settled))) == 3
    assert {abs(sum(of)) for of in signs.values()} == {1}  # the median decides the rest
    assert len(answers) == len(ASSESSORS) * (len(asked) - 1) + 1

    out, contradicted = tmp_path / "compared.csv", tmp_path / "contradicted.csv"
    told = ["--preferences", str(preferences), "--untested", "half", "--quiet", "-B", "200"]
    told += ["--scale", "0..3", "--scale", "0..6", "--write-contradicted", str(contradicted)]
    assert run(["pdp", "compare", *names, *told, "-o", str(out)]) == 0
    assert sorted(map(_pair_name, _rows(contradicted))) == sorted(signs)
    found = _rows(out)
    assert len(found) == 4
    by_hand = {
        (levels, mode): pdp_by_hand(graded[levels], answers, levels, mode)
        for levels in LEVELS
        for mode in ("individual", "aggregate")
    }
    for row in found:
        levels, mode = int(row["levels"]), row["mode"]
        assert float(row["pdp"]) == pytest.approx(by_hand[levels, mode], abs=1e-6)
        if levels == 7:
            difference = by_hand[7, mode] - by_hand[4, mode]
            assert float(row["difference"]) == pytest.approx(difference, abs=2e-6)
            assert float(row["difference_low"]) < float(row["difference_high"])
    assert site.verify() == ""


def _grade(at: Any, levels: int) -> None:
    """Grade all docs with keys, as perceived by the assessor."""
    for topic in TOPICS:
        at.open(topic=topic)
        for _ in range(DOCS):
            position = at.shown()
            found = FOUND[at.assessor, at.page.inner_text("#doc-name")] * levels
            at.press(str(int(np.clip(found, 0, levels - 1))))
            at.wait_for(lambda position=position, topic=topic: (  # type: ignore[misc]
                position in at.site.labels(at.assessor, topic)
            ))  # fmt: skip
            if len(at.site.labels(at.assessor, topic)) < DOCS:
                at.page.wait_for_function(
                    "before => Number(document.getElementById('main')?.dataset.shown) !== before",
                    arg=position,
                )
    at.page.close()


def _compare(at: Any) -> None:
    """Answer all pairs of a topic with keys; the third assessor errs in some."""
    at.open()
    while not at.page.is_visible("#over"):
        left, right = (at.page.inner_text(f"#{side}-title") for side in ("left", "right"))
        apart = QUALITY[right] - QUALITY[left]
        arrow = "ArrowRight" if (apart > 0) != (at.assessor == "a03" and _errs(left, right)) else (
            "ArrowLeft"
        )  # fmt: skip
        at.answer(f"Shift+{arrow}" if abs(apart) > 0.4 else arrow, "Enter")
    at.saved()
    at.page.close()


def _give_in(page: Any) -> tuple[str, ...]:
    """Change one's answer to the first discussed pair; return that pair."""
    page.click("table.topics tbody a.button >> nth=0")
    page.wait_for_selector("#answer")
    sides = [page.inner_text(f"#{side}").split()[-1] for side in ("left", "right")]
    choices = page.locator("#answer input[name=outcome]")
    choices.nth(0 if QUALITY[sides[0]] > QUALITY[sides[1]] else 3).check()
    page.click("text=Change the answer")
    page.wait_for_selector("text=You now agree")
    return tuple(sorted(sides))


def _errs(*docs: str) -> bool:
    """Return whether the third assessor errs in a pair: in those of the first and last doc."""
    return {doc[-1] for doc in docs} == {"0", "2"}


def _exported(site: Any, folder: Path) -> Path:
    out = folder / f"export-{site.folder.name}"
    command = [sys.executable, "-m", "qrelsmith", "export", site.folder, "-o", out]
    subprocess.run(command, check=True, capture_output=True)
    return out


def _pair_name(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(sorted((row["left"], row["right"])))


def _sign(row: dict[str, str]) -> int:
    """Return which doc is better, whatever the sides: -1 for the first by name."""
    sign = int(np.sign(int(row["outcome"])))
    return sign if row["left"] < row["right"] else -sign


def _rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def _lines(rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)
