"""Pictures of the page of pairs for the documentation, created on request.

`QRELSMITH_SCREENSHOTS=docs/images pytest tests/web/browser/preferring/test_pair_pictures.py`
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
SCREENS: dict[str, dict[str, Any]] = {
    "": {"viewport": {"width": 1440, "height": 900}},
    "-dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    "-tablet": {"viewport": {"width": 1024, "height": 768}},
    "-phone": {
        "viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True,
        "is_mobile": True,
    },
}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("screen", SCREENS)
def test_pictures_of_the_page_are_created(pair_site: Any, comparing_page: Any, screen: str):
    folder = Path(FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    at = comparing_page(pair_site, **SCREENS[screen]).open()
    at.answer("ArrowLeft", "Enter")
    at.saved()
    at.press("ArrowRight")
    at.page.screenshot(path=folder / f"comparing{screen}.png")
