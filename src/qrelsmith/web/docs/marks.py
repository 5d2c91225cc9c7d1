"""Highlighting inside sanitised HTML: elements around words, no word changed."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator

# A whole style sheet, or a tag; what stands between is text.
_MARKUP = re.compile(
    r"""<style\b.*?</style\s*>|<(/?)([A-Za-z][\w-]*)(?:[^">]|"[^"]*")*>""",
    re.IGNORECASE | re.DOTALL,
)
# Elements that cannot hold a <mark>.
_CLOSED = frozenset({"datalist", "math", "select", "svg", "textarea"})
_BLANKS = re.compile(r"\s+")
# From Thai on most scripts are written without blanks between words.
_FIRST_WITHOUT_BLANKS = "\u0e00"
# A page with more finds than this is not made larger by them.
_MOST = 2000


def marked(body: str, *, terms: Iterable[str] = (), find: str = "") -> tuple[str, int]:
    """The HTML with terms and finds in `<mark>`, and how many finds there are.

    Terms are words, compared without case; a find is any text inside one element, its blanks
    standing for any blanks. Both are looked for in the text as a person reads it, not in markup.
    The n-th find has the id `qrelsmith-fn`.
    """
    pattern = _pattern(terms, find)
    if pattern is None:
        return body, 0
    found = 0

    def mark(match: re.Match[str]) -> str:
        nonlocal found
        text = html.escape(match[0], quote=False)
        if match.lastgroup == "term":
            return f'<mark class="qrelsmith-term">{text}</mark>'
        if found == _MOST:
            return text
        found += 1
        return f'<mark class="qrelsmith-find" id="qrelsmith-f{found}">{text}</mark>'

    parts = [
        _replaced(pattern, html.unescape(part), mark) if is_text else part
        for part, is_text in _split(body)
    ]
    return "".join(parts), found


def _pattern(terms: Iterable[str], find: str) -> re.Pattern[str] | None:
    choices = []
    sought = [re.escape(part) for part in _BLANKS.split(find.strip()) if part]
    if sought:
        choices.append("(?P<find>" + r"\s+".join(sought) + ")")
    words = sorted({term for term in terms if term}, key=lambda term: (-len(term), term))
    if words:
        choices.append(f"(?P<term>{'|'.join(map(_word, words))})")
    return re.compile("|".join(choices), re.IGNORECASE) if choices else None


def _word(term: str) -> str:
    """The pattern of a term: a word and its plural, or, in a script without blanks, any place."""
    pattern = re.escape(term)
    return rf"(?<!\w){pattern}(?:s|es)?(?!\w)" if term[-1] < _FIRST_WITHOUT_BLANKS else pattern


def _split(body: str) -> Iterator[tuple[str, bool]]:
    """The parts of well-formed HTML, and whether each is text that may hold a `<mark>`."""
    end = depth = 0
    for markup in _MARKUP.finditer(body):
        yield body[end : markup.start()], depth == 0
        yield markup[0], False
        if markup[2] and markup[2].lower() in _CLOSED:
            depth += -1 if markup[1] else 1
        end = markup.end()
    yield body[end:], depth == 0


def _replaced(pattern: re.Pattern[str], text: str, mark: Callable[[re.Match[str]], str]) -> str:
    parts, end = [], 0
    for match in pattern.finditer(text):
        parts += [html.escape(text[end : match.start()], quote=False), mark(match)]
        end = match.end()
    parts.append(html.escape(text[end:], quote=False))
    return "".join(parts)
