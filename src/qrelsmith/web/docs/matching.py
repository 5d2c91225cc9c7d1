"""Positions of a topic's terms in a text of any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qrelsmith.web.docs.stems import fold, stem

_UNSPACED = "\u3041-\u30ff\u3400-\u9fff々\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_HAN = re.compile("[\u3400-\u9fff々]+")
_RIGHT = re.compile("[\u0590-\u06ff]")
# Combining signs and joiners, which are part of a word although Python's \w excludes them.
_SIGNS = (
    "".join(
        sign
        for sign in map(chr, range(0x300, 0x10000))
        if unicodedata.category(sign) in ("Mn", "Mc")
    )
    + "\u200c\u200d"
)
# A letter of a word in a script with spaces; scripts without spaces and Korean endings end the
# word.
_LETTER = rf"(?![{_UNSPACED}\uac00-\ud7a3])\w"
_BEGIN = rf"(?<!{_LETTER})(?<![{_SIGNS}])"
_REST = rf"(?:{_LETTER}|[{_SIGNS}])*+"
_END = rf"(?!{_LETTER}|[{_SIGNS}])"
# C is a different language from C++ and C#.
_NO_SUFFIX = r"(?!\+\+|#)"
# Languages with compound words: long words are also found inside other words.
_COMPOUNDING = frozenset({"de", "nl", "sv", "ko"})
_LONG = 5
# The characters with which other forms of the same word may begin.
_VARIANTS = {
    letter: f"[{letter}{signs}]"
    for letter, signs in {
        "a": "àáâãäåā", "e": "èéêëē", "i": "ìíîïı", "o": "òóôõöø", "u": "ùúûüū", "c": "ç",
        "n": "ñ", "s": "ßşš",
    }.items()
}  # fmt: skip


class Hit(NamedTuple):
    """An occurrence of a term.

    Attributes
    ----------
    start, end : int
        Its position in the text.
    term : int
        The number of the term.
    """

    start: int
    end: int
    term: int


class Matcher:
    """Search for terms by stem, or by n-grams in scripts without spaces.

    Parameters
    ----------
    terms : iterable of str
        The terms; a phrase has no-break spaces (U+00A0) between its words.
    language : str
        Their language, as returned by `languages.language_of`.
    """

    def __init__(self, terms: Iterable[str], language: str) -> None:
        self._language = language
        self._stems: dict[str, int] = {}
        self._patterns: list[tuple[re.Pattern[str], int]] = []
        beginnings: set[str] = set()
        for number, term in enumerate(terms):
            if not any(map(str.isalnum, term)):
                continue
            if _IS_UNSPACED.search(term):
                self._patterns.append((_places_without_spaces(term, language), number))
            elif "\uac00" <= term[0] <= "\ud7a3":
                self._patterns.append((_korean(term), number))
            elif not term.isalnum() and not _is_word(term):
                self._patterns.append((_phrase(term), number))
            else:
                beginnings.add(self._take(term, number))
        choices = "|".join(sorted(beginnings, key=lambda each: (-len(each), each)))
        self._words = (
            re.compile(rf"{_BEGIN}(?:{choices}){_REST}{_NO_SUFFIX}", re.IGNORECASE)
            if choices
            else None
        )

    def __bool__(self) -> bool:
        return bool(self._words or self._patterns)

    def hits(self, text: str) -> list[Hit]:
        """Return the occurrences of all terms in order; if two overlap, only the longer."""
        places = []
        if self._words is not None:
            for match in self._words.finditer(text):
                number = self._stems.get(stem(match[0], self._language))
                if number is not None:
                    places.append(Hit(match.start(), match.end(), number))
        for pattern, number in self._patterns:
            places += _merge(pattern, number, text)
        return _without_overlap(places)

    def _take(self, term: str, number: int) -> str:
        """Register a word, and return a pattern for the beginnings of its forms."""
        root = stem(term, self._language)
        self._stems.setdefault(root, number)
        if _RIGHT.match(term):
            return "[\u0590-\u06ff]"
        plain = fold(term)
        if self._language in _COMPOUNDING and len(root) >= _LONG:
            inside = "".join(map(_variant, root))
            self._patterns.append((re.compile(inside, re.IGNORECASE), number))
        same = 0
        while same < min(3, len(plain), len(root)) and plain[same] == root[same]:
            same += 1
        return "".join(map(_variant, plain[: max(same, 1)]))


def _is_word(term: str) -> bool:
    return all(sign.isalnum() or sign in _SIGNS for sign in term)


def _variant(letter: str) -> str:
    return _VARIANTS.get(letter, re.escape(letter))


def _phrase(term: str) -> re.Pattern[str]:
    """Return a pattern for consecutive words, also hyphenated, joined or in the plural."""
    parts = [re.escape(part) for part in re.split(r"[\s\u00a0'’-]+", term) if part]
    between = r"[\s\u00a0]+" if "\u00a0" in term else r"[\s\u00a0'’-]?"
    pattern = between.join(parts) or re.escape(term)
    # C++17 matches C++, but 3.55 and 3.5.1 do not match 3.5.
    end = rf"(?:s|es)?{_END}(?![.,]\d)" if term[-1].isalnum() else ""
    return re.compile(rf"{_BEGIN}(?<!\d[.,]){pattern}{end}", re.IGNORECASE)


def _korean(term: str) -> re.Pattern[str]:
    if len(term) > 1:
        return re.compile(re.escape(term))
    return re.compile(
        rf"(?<!\w){re.escape(term)}(?:에서|으로|까지|부터|[은는이가을를에의로와과도만])?(?!\w)"
    )


def _places_without_spaces(term: str, language: str) -> re.Pattern[str]:
    """Return a pattern for the positions of a term's parts; overlapping positions are one hit."""
    if len(term) == 1 and language == "ja":
        # A single character is a word; next to other characters it is part of another word.
        return re.compile(f"(?<![\u3400-\u9fff々]){term}(?![\u3400-\u9fff々])")
    if _HAN.fullmatch(term):
        grams = {term[place : place + 2] for place in range(max(len(term) - 1, 1))}
        return re.compile(f"(?=({'|'.join(map(re.escape, sorted(grams)))}))")
    letters = map(re.escape, term.replace("・", ""))
    return re.compile("(?=(" + r"[・\s]?".join(letters) + "))")


def _merge(pattern: re.Pattern[str], number: int, text: str) -> list[Hit]:
    """Return the occurrences of a pattern; merge overlapping parts of a term without spaces."""
    hits: list[Hit] = []
    for match in pattern.finditer(text):
        start, end = match.span(1) if pattern.groups else match.span()
        if pattern.groups and hits and start < hits[-1].end:
            hits[-1] = Hit(hits[-1].start, max(end, hits[-1].end), number)
        elif end > start:
            hits.append(Hit(start, end, number))
    return hits


def _without_overlap(hits: Sequence[Hit]) -> list[Hit]:
    found: list[Hit] = []
    for hit in sorted(hits, key=lambda each: (each.start, -each.end)):
        if not found or hit.start >= found[-1].end:
            found.append(hit)
    return found
