"""Stems: the part that all forms of a word share."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any

import snowballstemmer

# Snowball's stemmers by language. Arabic uses the light stemmer below, because Snowball's keeps the
# و of والمضخات.
_SNOWBALL = {
    "de": "german", "el": "greek", "en": "english", "es": "spanish", "fr": "french", "hi": "hindi",
    "it": "italian", "nl": "dutch", "pt": "portuguese", "ru": "russian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish",
}  # fmt: skip
# Light10 (Larkey, Ballesteros and Connell 2007).
_ARTICLES = ("وال", "بال", "كال", "فال", "ال", "لل")
_ENDINGS = ("ها", "ان", "ات", "ون", "ين", "يه", "ية", "ه", "ة", "ي")
_HEBREW_ENDINGS = ("יות", "ים", "ות", "ה", "ת", "י")
_VOWEL_SIGNS = re.compile("[\u064b-\u0652\u0640\u0670\u0591-\u05c7]")
_ARABIC_LETTERS = str.maketrans("أإآىة", "اااي" + "ه")
_KNOWN = 200_000


@lru_cache(maxsize=_KNOWN)
def stem(word: str, language: str) -> str:
    """Return the stem of a word, folded: case, accents and vowel signs make no difference."""
    bare = _VOWEL_SIGNS.sub("", word.lower())
    if "\u0600" <= bare[:1] <= "\u06ff":
        return _arabic(bare)
    if "\u0590" <= bare[:1] <= "\u05ff":
        return _hebrew(bare)
    stemmer = _stemmer(language)
    return fold(stemmer.stemWord(bare) if stemmer else bare)


def fold(word: str) -> str:
    """Return a word without case and accents."""
    parts = unicodedata.normalize("NFD", word.casefold())
    return unicodedata.normalize("NFC", "".join(s for s in parts if not "\u0300" <= s <= "\u036f"))


@cache
def _stemmer(language: str) -> Any:
    name = _SNOWBALL.get(language)
    return snowballstemmer.stemmer(name) if name else None


def _arabic(word: str) -> str:
    word = word.translate(_ARABIC_LETTERS)
    if word.startswith("و") and len(word) >= 4:
        word = word[1:]
    for article in _ARTICLES:
        if word.startswith(article) and len(word) >= len(article) + 2:
            word = word[len(article) :]
            break
    return _without(word, _ENDINGS)


def _hebrew(word: str) -> str:
    for _ in range(2):
        if word[0] in "והבכלמש" and len(word) >= 5:
            word = word[1:]
    return _without(word, _HEBREW_ENDINGS)


def _without(word: str, endings: tuple[str, ...]) -> str:
    for ending in endings:
        if word.endswith(ending) and len(word) >= len(ending) + 3:
            word = word[: -len(ending)]
    return word
