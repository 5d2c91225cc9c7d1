"""Untrusted docs on both sides: every word is visible, nothing is sent out, nothing is forged."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

NAMES = (
    "script", "meta-refresh-site", "target-top", "form-to-the-app", "overlay", "text-with-tags",
)  # fmt: skip
DOCS = {
    doc.name: doc
    for doc in run_path(str(Path(__file__).parents[1] / "hostile_docs.py"))["HOSTILE_DOCS"]
    if doc.name in NAMES
}
# No server listens there, and none may be contacted.
CANARY = "http://127.0.0.1:9"


@pytest.mark.full
def test_pairs_of_hostile_docs_do_nothing(serve_pairs: Any, comparing_page: Any):
    docs = [
        {"doc_id": name, "title": name, doc.form: _pointed(doc.content)}
        for name, doc in DOCS.items()
    ]
    assert len(docs) == len(NAMES)
    site = serve_pairs(
        docs, topics=1, people=1, candidates=len(docs),
        preferences='scheduler = "tournament"\nk = 1\nshare = "pair"',
    )  # fmt: skip
    at = comparing_page(site, "a01", "p001")
    asked: list[str] = []
    for event in ("requestfinished", "requestfailed"):
        at.context.on(event, lambda request: _watch(request, site.url, asked))
    at.open()
    seen: dict[str, set[str]] = {"left": set(), "right": set()}
    while at.page.is_hidden("#over"):
        number = at.shown()
        for side, names in seen.items():
            name = at.page.inner_text(f"#{side}-title")
            words = " ".join(at.words(side).split())
            assert words == " ".join(_pointed(DOCS[name].words).split()), name
            names.add(name)
            box = at.page.locator(f"#{side}-place").bounding_box()
            at.page.mouse.click(box["x"] + 150, box["y"] + 120)
        at.breathe()
        assert at.page.url.startswith(at.address)
        assert at.shown() == number
        assert len(at.context.pages) == 1
        at.answer("ArrowRight", "Enter")
    at.saved()
    assert seen["left"] | seen["right"] == set(NAMES)
    assert asked == []
    events = site.answers("p001")
    assert [(event["outcome"], event["input_kind"]) for event in events] == [(1, "key")] * 5


def _pointed(content: str) -> str:
    return content.replace("CANARY", CANARY).replace("SITE", "")


def _watch(request: Any, site: str, asked: list[str]) -> None:
    """Record requests to other servers or by a doc; the policy stops requests before sending."""
    if request.failure == "csp":
        return
    is_doc = request.url.startswith(f"{site}/pair/") and request.is_navigation_request()
    if not request.url.startswith(site) or ("/pair/" in request.frame.url and not is_doc):
        asked.append(request.url)
