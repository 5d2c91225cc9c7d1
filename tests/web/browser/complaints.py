"""Violations that axe-core finds on a page, in all colour settings."""

from __future__ import annotations

import importlib.resources
from typing import Any

import pytest

axe = pytest.importorskip("axe_playwright_python", reason="needs the extra test")
AXE = importlib.resources.files(axe).joinpath("axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """runOnly => axe.run(document, { runOnly, iframes: false, resultTypes: ['violations'] })
  .then(found => found.violations.map(
    each => each.id + ': ' + each.nodes.map(node => node.html).join(' | ')))"""


def complaints(page: Any) -> list[str]:
    """Return the violations that axe-core finds on a page in all colours, except in frames."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE)
    found: list[str] = page.evaluate(RUN, TAGS)
    for colours in ({"color_scheme": "dark"}, {"forced_colors": "active"}):
        page.emulate_media(**colours)
        found += [f"{colours} {each}" for each in page.evaluate(RUN, ["color-contrast"])]
        page.emulate_media(color_scheme="light", forced_colors="none")
    return found
