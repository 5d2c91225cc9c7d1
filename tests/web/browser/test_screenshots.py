"""Pictures of the main pages for the documentation, made on request.

`QRELSMITH_SCREENSHOTS=docs/images pytest tests/web/browser/test_screenshots.py`
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

FOLDER = os.environ.get("QRELSMITH_SCREENSHOTS", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason="pictures are made on request (QRELSMITH_SCREENSHOTS)"),
]
SIZES = {"": (1440, 900), "-tablet": (1024, 768), "-phone": (390, 844)}
STYLE = """<style>body{margin:0;color:#222;font-family:Georgia,serif} header{padding:18px 28px;
background:#20573b;color:#fff;font:600 20px sans-serif} article{max-width:720px;margin:24px 28px}
</style><header>Home &amp; Energy</header><article>"""


@pytest.fixture(scope="module")
def picture_site(serve: Any, conftest: Any) -> Any:
    docs = conftest.plain_docs(120)
    for doc in docs:
        if "html" in doc:
            doc["html"] = STYLE + doc["html"] + "</article>"
        for form in {"html", "text"} & doc.keys():
            number = doc["doc_id"].removeprefix("clueweb-").lstrip("0")
            doc[form] = doc[form].replace(f"This is doc {number}. ", "")
    return serve(docs, sizes=(120, 60), people=6)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures(picture_site: Any, judging: Any, open_context: Any, scheme: str):
    folder = Path(FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    mood = "" if scheme == "light" else "-dark"
    at = judging(picture_site, color_scheme=scheme, viewport={"width": 1440, "height": 900}).open(1)
    for key in "012031020012":
        at.judge(key)
    at.press("e", "1")
    at.shown(14)
    at.press("n")
    at.page.keyboard.type("A report with numbers, two winters long.")
    at.press("Escape")
    at.judge("3")
    at.press("u")
    at.shown(14)
    at.saved()
    for size, (width, height) in SIZES.items():
        at.page.set_viewport_size({"width": width, "height": height})
        at.page.evaluate("scrollTo(0, 0)")
        at.page.wait_for_timeout(300)
        at.page.screenshot(path=folder / f"judging{size}{mood}.png")
    at.page.set_viewport_size({"width": 1440, "height": 900})
    at.press("t", "i", "j")
    at.shown(15)
    at.page.wait_for_timeout(300)
    at.page.screenshot(path=folder / f"judging-instructions{mood}.png")
    at.press("?")
    at.page.screenshot(path=folder / f"keys{mood}.png")
    there = judging(picture_site, at.assessor).open(15)
    there.judge("3")
    there.saved()
    at.press("Escape")
    at.breathe()
    at.press("1")
    at.page.wait_for_selector("#conflict[open]")
    at.page.screenshot(path=folder / f"conflict{mood}.png")
    at.press("Escape")
    pages = {"topics": "/", "instructions": "/instructions"}
    _shoot(at.page, picture_site, pages, folder, mood)
    page = open_context(picture_site, "admin", color_scheme=scheme).new_page()
    pages = {"overview": "/organiser/", "people": "/organiser/people"}
    _shoot(page, picture_site, pages, folder, mood)
    page = open_context(picture_site, color_scheme=scheme).new_page()
    _shoot(page, picture_site, {"login": "/login"}, folder, mood)


def _shoot(page: Any, site: Any, pages: dict[str, str], folder: Path, mood: str) -> None:
    for name, path in pages.items():
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(site.url + path)
            page.wait_for_timeout(150)
            page.screenshot(path=folder / f"{name}{size}{mood}.png")
