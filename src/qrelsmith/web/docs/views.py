"""A doc in three views (page, text, source) with highlighted terms and numbered matches."""

from __future__ import annotations

import html
import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language, gettext

from qrelsmith.collection.pages.apart import clean_html
from qrelsmith.web.docs import steps
from qrelsmith.web.docs.blocks import blocks_of
from qrelsmith.web.docs.frame_style import STYLE, card_style
from qrelsmith.web.docs.kept import Kept
from qrelsmith.web.docs.languages import right_to_left
from qrelsmith.web.docs.main_content import MARK, main_place
from qrelsmith.web.docs.marks import Marked, mark_hits, reading_json
from qrelsmith.web.docs.matching import Hit, Matcher
from qrelsmith.web.docs.parts import parts_of
from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.models import DocVersion
from qrelsmith.web.project import current_instance

VIEWS = ("page", "text", "source")
# In longer texts, searching for all terms of a topic would delay other requests by seconds.
_LONGEST_HIGHLIGHTED = 3_000_000
# Elements that each may have their own text direction.
_BLOCK = re.compile(
    r"<(p|h[1-6]|caption|blockquote|figcaption|summary|pre)(?![^>]*\sdir=)(?=[\s>])"
)
# Dark mode inverts a page with colours of its own as a whole, instead of changing its background.
_COLOURED = re.compile(r"<style|\s(?:bgcolor|color)=|\sstyle=\"[^\"]*(?:color|background)")
_SAMPLE = 20_000


@dataclass(frozen=True, slots=True)
class Look:
    """The requested view of a doc.

    Attributes
    ----------
    view : str
        One of `VIEWS`.
    terms : tuple of str
        Terms to highlight.
    find : str
        A text to find; empty: none.
    language : str
        Language of the terms.
    part : int
        The requested part of a very long page, from 0.
    """

    view: str = "page"
    terms: tuple[str, ...] = ()
    find: str = ""
    language: str = "en"
    part: int = 0


@dataclass(frozen=True, slots=True)
class Rendered:
    """A doc rendered as HTML.

    Attributes
    ----------
    html : str
        A complete page.
    found : int
        Number of search matches; the n-th match has the id `qrelsmith-fn`.
    reading : dict
        The positions of terms, as returned by `reading_json`, with `parts`, `part` and whether the
        page has a `main` element to scroll to.
    """

    html: str
    found: int
    reading: dict[str, Any]


# Cached because one view of a doc needs several requests: the page, its terms, its other parts.
_BODIES: Kept[list[str]] = Kept(24_000_000, lambda parts: sum(map(len, parts)))
_PAGES: Kept[Rendered] = Kept(12_000_000, lambda page: len(page.html))


def render_doc(doc: DocVersion, look: Look) -> Rendered:
    """Return a doc as an inert page."""
    key = (doc.pk, doc.sha256, get_language())
    return _PAGES.get((*key, look), lambda: _render(doc, look, key))


def _render(doc: DocVersion, look: Look, key: tuple[Hashable, ...]) -> Rendered:
    parts = _BODIES.get((*key, look.view), lambda: parts_of(_body(doc, look)))
    number = min(look.part, len(parts) - 1)
    body = parts[number]
    place = main_place(body) if look.view == "page" and doc.form == "html" and not number else None
    if place is not None:
        body = body[:place] + MARK + body[place:]
    done = mark_hits(body, terms=look.terms, find=look.find, language=look.language)
    reading = reading_json(done.hits, done.length, len(look.terms))
    reading |= {"parts": len(parts), "part": number, "main": place is not None}
    style = card_style(current_instance().campaign.judging.card) if doc.form == "json" else ""
    return Rendered(_page(done, style), done.found, reading)


def block_rows(doc: DocVersion, look: Look) -> dict[str, Any]:
    """Return the text blocks of a doc with the positions of terms in each, for a script.

    Each position is a start, an end and a term; UTF-16 code units are counted, as in JavaScript.
    """
    blocks = blocks_of(doc)
    length = sum(len(block.text) for block in blocks)
    matcher = Matcher(look.terms if length <= _LONGEST_HIGHLIGHTED else (), look.language)
    hits: list[Hit] = []
    shown, before = [], 0
    for block in blocks:
        own = matcher.hits(block.text) if matcher else []
        hits += [Hit(before + start, before + end, term) for start, end, term in own]
        flat = [value for hit in own for value in _utf16(block.text, hit)]
        shown.append([block.text, block.form, flat])
        before += len(block.text)
    return {"blocks": shown, "reading": reading_json(hits, before, len(look.terms))}


def _utf16(text: str, hit: Hit) -> tuple[int, int, int]:
    if text.isascii() or max(text) <= "\uffff":
        return hit.start, hit.end, hit.term
    start = hit.start + sum(sign > "\uffff" for sign in text[: hit.start])
    return start, start + len(text[hit.start : hit.end].encode("utf-16-le")) // 2, hit.term


def _body(doc: DocVersion, look: Look) -> str:
    if look.view == "source":
        return f'<pre class="qrelsmith source" dir="ltr">{html.escape(doc.text, quote=False)}</pre>'
    if look.view == "text" or doc.form == "text":
        return _text_body(doc)
    body = clean_html(doc.text, doc.form)
    if body is not None:
        return _BLOCK.sub(r'<\1 dir="auto"', body)
    # Outside the text: a note that cannot be mistaken for part of the doc.
    note = html.escape(gettext("This page is too large for a browser, so only its text is shown."))
    text = html.escape(visible_text(doc), quote=False)
    return f'<pre class="qrelsmith" data-note="{note}">{text}</pre>'


def _text_body(doc: DocVersion) -> str:
    return "\n".join(
        f'<p class="qrelsmith {block.form}" dir="auto">{html.escape(block.text, quote=False)}</p>'
        for block in blocks_of(doc)
    )


def _page(done: Marked, style: str) -> str:
    body = done.html
    words = re.sub("<[^>]*>", "", body[:_SAMPLE])
    direction = ' dir="rtl"' if right_to_left([words]) else ""
    coloured = ' class="coloured"' if _COLOURED.search(body) else ""
    return (
        f'<!DOCTYPE html>\n<html{coloured}><head><meta charset="utf-8">'
        f"<style>{STYLE}{steps.STYLE}{style}</style></head>"
        f"<body{direction}>{body}{steps.steps(len(body))}</body></html>\n"
    )
