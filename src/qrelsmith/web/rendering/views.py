"""A doc in three views: the page, its text, its source."""

from __future__ import annotations

import html

from qrelsmith.web.models import DocVersion
from qrelsmith.web.rendering.sanitise import sanitised

VIEWS = ("page", "text", "source")


def rendered(doc: DocVersion, view: str) -> str:
    """A whole HTML page that shows a doc."""
    text = doc.text
    if view == "page" and doc.form == "html":
        body = sanitised(text)
    else:
        body = f"<pre>{html.escape(text)}</pre>"
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>{body}</body></html>'
