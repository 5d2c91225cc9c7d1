"""Highlighting in sanitised HTML: elements are added around words, which do not change."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from qrelsmith.web.docs.clusters import clusters, densest
from qrelsmith.web.docs.matching import Hit, Matcher
from qrelsmith.web.docs.steps import steps_around

# A whole style sheet, or a tag; everything between them is text.
_MARKUP = re.compile(
    r"""<style\b.*?</style\s*>|<(/?)([A-Za-z][\w-]*)(?:[^">]|"[^"]*")*>""",
    re.IGNORECASE | re.DOTALL,
)
# Elements that cannot hold a <mark>.
_CLOSED = frozenset({"datalist", "math", "select", "svg", "textarea"})
_BLANKS = re.compile(r"\s+")
# Maximum numbers of search matches and terms that are marked on a page.
_MOST = 2000
_MOST_TERMS = 20_000
# Maximum number of ticks in the strip beside a doc.
_TICKS = 400
# Number of colours; further terms start again with the first colour.
COLOURS = 8
_BEST = '<i id="qrelsmith-densest"></i>'


@dataclass(frozen=True, slots=True)
class Marked:
    """A body with highlighted words and their positions.

    Attributes
    ----------
    html : str
        The body. The n-th search match has the id `qrelsmith-fn`, the n-th cluster `qrelsmith-cn`,
        the cluster with the highest score `qrelsmith-densest`.
    found : int
        Number of search matches.
    hits : list of (start, end, term)
        Positions of terms in the text, in characters.
    length : int
        Length of the text.
    """

    html: str
    found: int
    hits: list[Hit]
    length: int


def mark_hits(
    body: str, *, terms: Iterable[str] = (), find: str = "", language: str = "en"
) -> Marked:
    """Return the HTML with terms and search matches in `<mark>`.

    Terms match words in all their forms. A search match is any text inside one element; blanks in
    the search text match any white space. Both are searched in the visible text, not in the markup.
    """
    pattern, matcher = _find_pattern(find), Matcher(terms, language)
    parts: list[tuple[str, list[Hit], list[tuple[int, int]], bool]] = []
    hits: list[Hit] = []
    length = count = 0
    for part, is_text in _split(body):
        if not is_text:
            parts.append((part, [], [], False))
            continue
        text = html.unescape(part)
        finds = [each.span() for each in pattern.finditer(text)] if pattern else []
        own = matcher.hits(text) if matcher and len(hits) < _MOST_TERMS else []
        own = [hit for hit in own if not any(a < hit.end and hit.start < b for a, b in finds)]
        hits += [Hit(length + start, length + end, term) for start, end, term in own]
        parts.append((text, own, finds[: max(_MOST - count, 0)], True))
        count = min(count + len(finds), _MOST)
        length += len(text)
    return Marked(_write(parts, hits), count, hits, length)


def reading_json(hits: list[Hit], length: int, terms: int) -> dict[str, Any]:
    """Return, for a page, the counts of terms, their places in the text, and the clusters."""
    counts = Counter(hit.term for hit in hits)
    step = max(len(hits) // _TICKS, 1)
    groups = clusters(hits)
    share = 1 / max(length, 1)
    return {
        "counts": [counts[term] for term in range(terms)],
        "places": [[round(hit.start * share, 4), hit.term] for hit in hits[::step]],
        "clusters": [
            {"at": round(each.start * share, 4), "to": round(each.end * share, 4),
             "first": each.first, "terms": each.terms}
            for each in groups
        ],
        "densest": densest(groups),
    }  # fmt: skip


def _write(parts: list[tuple[str, list[Hit], list[tuple[int, int]], bool]], hits: list[Hit]) -> str:
    found = clusters(hits)
    names = {each.first: f"qrelsmith-c{n}" for n, each in enumerate(found, start=1)}
    best = f"qrelsmith-c{densest(found) + 1}"
    written, number, finds = [], 0, 0
    for text, own, sought, is_text in parts:
        if not is_text:
            written.append(text)
            continue
        end = 0
        for start, stop, term in sorted([*own, *((a, b, -1) for a, b in sought)]):
            written.append(html.escape(text[end:start], quote=False))
            words = html.escape(text[start:stop], quote=False)
            if term < 0:
                finds += 1
                written.append(
                    f'<mark class="qrelsmith-find" id="qrelsmith-f{finds}">{words}</mark>'
                )
            else:
                name, colour = names.get(number, ""), term % COLOURS
                if name:
                    written.append(steps_around(name))
                    written.append(_BEST if name == best else "")
                place = f' id="{name}"' if name else ""
                written.append(
                    f'<mark class="qrelsmith-term qrelsmith-t{colour}"{place}>{words}</mark>'
                )
                number += 1
            end = stop
        written.append(html.escape(text[end:], quote=False))
    return "".join(written)


def _find_pattern(find: str) -> re.Pattern[str] | None:
    sought = [re.escape(part) for part in _BLANKS.split(find.strip()) if part]
    return re.compile(r"\s+".join(sought), re.IGNORECASE) if sought else None


def _split(body: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of well-formed HTML, and whether each is text that may contain a `<mark>`."""
    end = depth = 0
    for markup in _MARKUP.finditer(body):
        yield body[end : markup.start()], depth == 0
        yield markup[0], False
        if markup[2] and markup[2].lower() in _CLOSED:
            depth += -1 if markup[1] else 1
        end = markup.end()
    yield body[end:], depth == 0
