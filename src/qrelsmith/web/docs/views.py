"""A doc in three views: the page, its text, its source; terms are highlighted, finds numbered."""

from __future__ import annotations

import html
from dataclasses import dataclass

from django.utils.translation import gettext

from qrelsmith.web.docs import steps
from qrelsmith.web.docs.apart import cleaned
from qrelsmith.web.docs.marks import marked
from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.models import DocVersion

VIEWS = ("page", "text", "source")
# To look for all terms of a topic in more than this would keep others waiting for seconds.
_LONGEST_HIGHLIGHTED = 3_000_000
_STYLE = """
:root { color-scheme: light; }
body { margin: 1rem; background: #fff; color: #1a1a1a; font: 1rem/1.5 system-ui, sans-serif; }
pre.qrelsmith { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0; }
pre.qrelsmith.source { font-family: ui-monospace, monospace; font-size: 0.875rem; }
pre[data-note]::before { content: attr(data-note); display: block; margin-bottom: 1rem;
  padding-bottom: 0.5rem; border-bottom: 1px solid #767676; color: #59626d; }
a { text-decoration: underline; }
img { max-width: 100%; }
img:not([src]) { border: 1px dashed #767676; padding: 0.25rem; }
mark.qrelsmith-term { background: #fff3b0; color: inherit; }
mark.qrelsmith-find { background: #ffb454; color: #000; }
::highlight(passages) { background-color: #cfe8d5; }
::highlight(earlier) { text-decoration: underline dotted 2px #0b57a8; }
::highlight(pick) { background-color: #cfe8d5; color: #000; text-decoration: underline 2px; }
mark.qrelsmith-find:target { outline: 3px solid #b3261e; }
"""


@dataclass(frozen=True, slots=True)
class Look:
    """How a doc is to be looked at.

    Attributes
    ----------
    view : str
        One of `VIEWS`.
    terms : tuple of str
        Words to highlight.
    find : str
        A text that is looked for; empty: none.
    """

    view: str = "page"
    terms: tuple[str, ...] = ()
    find: str = ""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A doc as HTML.

    Attributes
    ----------
    html : str
        A whole page.
    found : int
        How often the text that was looked for occurs; the n-th one has the id `qrelsmith-fn`.
    """

    html: str
    found: int


def rendered(doc: DocVersion, look: Look) -> Rendered:
    """A doc as a page that does nothing."""
    body: str | None
    if look.view == "source":
        body = f'<pre class="qrelsmith source">{html.escape(doc.text)}</pre>'
    elif look.view == "text" or doc.form == "text":
        body = f'<pre class="qrelsmith">{html.escape(visible_text(doc))}</pre>'
    else:
        body = cleaned(doc.text)
    if body is None:
        # Beside the words, not among them: a note that no one takes for the doc's.
        note = html.escape(gettext("This page is too much for a browser; here is its text."))
        text = html.escape(visible_text(doc))
        body = f'<pre class="qrelsmith" data-note="{note}">{text}</pre>'
    terms = look.terms if len(body) <= _LONGEST_HIGHLIGHTED else ()
    body, found = marked(body, terms=terms, find=look.find)
    page = (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8">'
        f"<style>{_STYLE}{steps.STYLE}</style></head>"
        f"<body>{body}{steps.steps(len(body))}</body></html>\n"
    )
    return Rendered(page, found)
