"""The position of a page's main content, which follows the navigation."""

from __future__ import annotations

import re

# Elements that mark the main content, the most reliable first.
_NAMES = (
    re.compile(r"<main\b", re.IGNORECASE),
    re.compile(r"<article\b", re.IGNORECASE),
    re.compile(
        r'<(?:div|section|td|table)\b[^>]*\b(?:id|class)="(?:[^"]*\s)?'
        r"(?:main|main-content|maincontent|content|page-content|article|bodycontent|entry-content"
        r'|mw-content-text|post|post-content)(?:\s[^"]*)?"',
        re.IGNORECASE,
    ),
    re.compile(r"<h1\b", re.IGNORECASE),
)
_TAG = re.compile(r"<style\b.*?</style\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)
# The navigation is not skipped if it has fewer characters, or is a larger share of the page.
_FEW = 80
_SHARE = 0.5
MARK = '<i id="qrelsmith-main"></i>'


def main_place(body: str) -> int | None:
    """Return the position of the main content in a body; None if it is at the top or unknown."""
    for name in _NAMES:
        found = name.search(body)
        if found is None:
            continue
        place = found.start()
        is_behind = place <= _SHARE * len(body)
        return place if is_behind and len(_TAG.sub("", body[:place]).strip()) >= _FEW else None
    return None
