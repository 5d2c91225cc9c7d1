"""Selection of the words of a topic to highlight in its docs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from icu4py.breakers import WordBreaker

from qrelsmith.web.docs.languages import STOP_WORDS, language_of
from qrelsmith.web.docs.stems import stem

if TYPE_CHECKING:
    from qrelsmith.web.models import TopicVersion

_HAN = re.compile("[\u3400-\u9fff々]+")
_UNSPACED = re.compile("[\u3041-\u30ff\u3400-\u9fff々\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
# Signs that belong to the preceding word: C++, C#, C++17.
_SUFFIX = re.compile(r"(?<=[a-z0-9])(?:\+\+|#)[a-z0-9]*")
# Signs that join two words.
_JOINTS = frozenset("-'’&")
_KOREAN = re.compile(
    "(?:에서는|에서|에게|으로|까지|부터|처럼|보다|하는|하기|되는|한|된|은|는|이|가|을|를|에|의|로|와|과|도|만)$"
)
_MOST = 30


def topic_language(topic: TopicVersion) -> str:
    """Return the language of a topic."""
    return language_of(topic.title, topic.description, topic.narrative)


def terms_query(topic: TopicVersion) -> dict[str, str]:
    """Return the terms of a topic and their language as query parameters of a doc's address."""
    language = topic_language(topic)
    return {"terms": " ".join(topic_terms(topic.title, language)), "lang": language}


def topic_terms(title: str, language: str = "") -> list[str]:
    """Return the content words of a title; if several words have the same stem, only the first."""
    language = language or language_of(title)
    found: dict[str, str] = {}
    for word in _words(title.casefold(), language):
        found.setdefault(stem(word, language), word)
    return list(found.values())[:_MOST]


def _words(title: str, language: str) -> list[str]:
    """Return the words of a title as typed, without stop words."""
    stops = STOP_WORDS.get(language, frozenset())
    words: list[str] = []
    end = 0
    for begin, after in WordBreaker(title, language).segments():
        if begin < end or not any(map(str.isalnum, title[begin:after])):
            continue
        suffix = _SUFFIX.match(title, after)
        stop = suffix.end() if suffix else after
        is_dotted = title[:begin].endswith(".") and not title[: begin - 1][-1:].isalnum()  # .NET
        start = begin - is_dotted
        word, joint = title[start:stop], title[end:start]
        last = words[-1] if words else ""
        if last and joint in _JOINTS and not _UNSPACED.search(last + word):
            words[-1] += joint + word
        elif last and not joint and not {last, word} & stops and _is_one_word(last, word):
            words[-1] += word
        else:
            words.append(word)
        end = stop
    return [_KOREAN.sub("", word) or word for word in words if _says_something(word, stops)]


def _is_one_word(first: str, second: str) -> bool:
    """Return whether two neighbouring parts are one word that is not in the dictionary."""
    is_han = _HAN.fullmatch(first) and _HAN.fullmatch(second)
    return bool(is_han) and 1 in (len(first), len(second))


def _says_something(word: str, stops: frozenset[str]) -> bool:
    is_single = len(word) == 1 and _UNSPACED.match(word) and not _HAN.match(word)
    return word not in stops and not is_single
