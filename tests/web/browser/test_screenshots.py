"""Pictures of the main pages for the documentation, created on request.

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


@pytest.mark.full
def test_pictures_of_the_pages_are_created(picture_site: Any, judging: Any, open_context: Any):
    folder = Path(FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    at = judging(picture_site, viewport={"width": 1440, "height": 900}).open(1)
    for key in "012031020012":
        at.judge(key)
    at.press("e", "1")
    at.shown(14)
    at.press("n")
    at.page.keyboard.type("A report with numbers, two winters long.")
    at.press("Escape")
    at.judge("3")
    at.saved()
    at.page.screenshot(path=folder / "judging.png")
    at.page.emulate_media(color_scheme="dark")
    at.press("t", "i", "j")
    at.shown(16)
    at.page.wait_for_timeout(300)
    at.page.screenshot(path=folder / "judging-dark.png")
    at.page.emulate_media(color_scheme="light")
    at.press("t", "i", "k")
    at.shown(15)
    there = judging(picture_site, at.assessor).open(15)
    there.judge("3")
    there.saved()
    at.press("1")
    at.page.wait_for_selector("#conflict[open]")
    at.page.screenshot(path=folder / "judging-conflict.png")
    at.page.click("#conflict button[value=theirs]")
    at.saved()
    at.page.goto(picture_site.url)
    at.page.screenshot(path=folder / "judging-topics.png")
    phone = judging(
        picture_site,
        at.assessor,
        viewport={"width": 390, "height": 844},
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
    ).open(18)
    phone.page.screenshot(path=folder / "judging-phone.png")
    page = open_context(
        picture_site, "organiser", viewport={"width": 1440, "height": 900}
    ).new_page()
    page.goto(f"{picture_site.url}/organiser/")
    page.screenshot(path=folder / "judging-overview.png")
