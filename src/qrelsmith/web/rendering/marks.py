"""Highlighting inside sanitised HTML: elements around words, no word changed."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable

# Markup, or the content of an element whose text is no text; what is between is text.
_MARKUP = re.compile(
    r"""<style\b.*?</style\s*>|<textarea\b.*?</textarea\s*>|<(?:[^">]|"[^"]*")*>""",
    re.IGNORECASE | re.DOTALL,
)
_BLANKS = re.compile(r"\s+")
# From Thai on most scripts are written without blanks between words.
_FIRST_WITHOUT_BLANKS = "\u0e00"
# A page with more finds than this is not made larger by them.
_MOST = 2000


def marked(body: str, *, terms: Iterable[str] = (), find: str = "") -> tuple[str, int]:
    """The HTML with terms and finds in `<mark>`, and how many finds there are.

    Terms are words, compared without case; a find is any text inside one element, its blanks
    standing for any blanks. Both are looked for in the text as a person reads it, not in markup.
    """
    sought = _BLANKS.sub(r"\\s+", re.escape(_BLANKS.sub(" ", find.strip())).replace(r"\ ", " "))
    patterns = []
    if sought:
        patterns.append(f"(?P<find>{sought})")
    words = sorted({term for term in terms if term}, key=lambda term: (-len(term), term))
    if words:
        patterns.append(f"(?P<term>{'|'.join(map(_word, words))})")
    if not patterns:
        return body, 0
    found = 0

    def mark(match: re.Match[str]) -> str:
        nonlocal found
        text = html.escape(match[0], quote=False)
        if match.groupdict().get("find") is None:
            return f'<mark class="qrelsmith-term">{text}</mark>'
        found += 1
        return f'<mark class="qrelsmith-find" id="f{found}">{text}</mark>'

    pattern = re.compile("|".join(patterns), re.IGNORECASE)
    return _in_text(body, lambda text: _replaced(pattern, text, mark, lambda: found < _MOST)), found


def _word(term: str) -> str:
    """The pattern of a term: a word and its plural, or, in a script without blanks, any place."""
    pattern = re.escape(term)
    return rf"(?<!\w){pattern}(?:s|es)?(?!\w)" if term[-1] < _FIRST_WITHOUT_BLANKS else pattern


def _in_text(body: str, change: Callable[[str], str]) -> str:
    parts, end = [], 0
    for markup in _MARKUP.finditer(body):
        parts += [change(html.unescape(body[end : markup.start()])), markup[0]]
        end = markup.end()
    parts.append(change(html.unescape(body[end:])))
    return "".join(parts)


def _replaced(
    pattern: re.Pattern[str],
    text: str,
    mark: Callable[[re.Match[str]], str],
    goes_on: Callable[[], bool],
) -> str:
    parts, end = [], 0
    for match in pattern.finditer(text):
        if match[0] and goes_on():
            parts += [html.escape(text[end : match.start()], quote=False), mark(match)]
            end = match.end()
    parts.append(html.escape(text[end:], quote=False))
    return "".join(parts)
