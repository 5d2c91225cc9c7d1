"""Which words of a topic are highlighted in its docs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from qrelsmith.web.docs.languages import STOP_WORDS, language_of
from qrelsmith.web.docs.stems import stem

if TYPE_CHECKING:
    from qrelsmith.web.models import TopicVersion

_WORD = re.compile(
    # Runs of Han and of kana are words of their own; hiragana are endings and particles.
    r"[\u3400-\u9fff々]+|[\u30a1-\u30fa\u30fc]+(?:[・][\u30a1-\u30fa\u30fc]+)*|[\u3041-\u309f]+"
    r"|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+"
    r"|(?:(?![\u3041-\u30ff\u3400-\u9fff々\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])[^\W_]"
    # Signs that stand on letters belong to them.
    r"|(?<=\w)[\u0300-\u036f\u064b-\u0652\u0900-\u0903\u093a-\u094f])+(?:['’-]\w+)*"
)
_HAN = re.compile("[\u3400-\u9fff々]")
_KANJI_ENDING = re.compile("[\u3400-\u9fff々](?![のがをにはとでへもや])[\u3041-\u309f]")
# Characters between words of Chinese titles, and words between words of Thai ones.
_CHINESE = re.compile(
    "[的了和在是与及或对于从到把被有不我你他她它们这那个吗呢]|什么|怎么|如何|哪些|为什么"
)
_THAI = re.compile(
    "อย่างไร|สำหรับ|เนื่องจาก|ความ|การ|ที่|ของ|และ|ใน|เป็น|ได้|มี|จาก|กับ|ให้|ว่า|นี้|นั้น|อย่าง|หรือ|โดย|จะ|ไม่"
)
_KOREAN = re.compile(
    "(?:에서는|에서|에게|으로|까지|부터|처럼|보다|하는|하기|되는|한|된|은|는|이|가|을|를|에|의|로|와|과|도|만)$"
)
_MOST = 30


def topic_language(topic: TopicVersion) -> str:
    """The language that a topic is written in."""
    return language_of(topic.title, topic.description, topic.narrative)


def terms_query(topic: TopicVersion) -> dict[str, str]:
    """The terms of a topic and their language as the address of a doc names them."""
    language = topic_language(topic)
    return {"terms": " ".join(topic_terms(topic.title, language)), "lang": language}


def topic_terms(title: str, language: str = "") -> list[str]:
    """The words of a title that say something, of words with the same stem the first."""
    language = language or language_of(title)
    stops = STOP_WORDS.get(language, frozenset())
    found: dict[str, str] = {}
    for word in _words(title.casefold(), language):
        if word not in stops:
            found.setdefault(stem(word, language), word)
    return list(found.values())[:_MOST]


def _words(title: str, language: str) -> list[str]:
    words: list[str] = []
    for match in _WORD.finditer(title):
        word = match[0]
        if _HAN.match(word):
            if len(word) == 1 and language == "ja":
                # 古い, not 古: a single character stands in many other words.
                ending = _KANJI_ENDING.match(title, match.start())
                words.append(ending[0] if ending else word)
            else:
                words += _CHINESE.sub(" ", word).split() if language != "ja" else [word]
        elif "\u3041" <= word[0] <= "\u309f":
            continue
        elif "\u0e00" <= word[0] <= "\u0eff":
            words += [part for part in _THAI.sub(" ", word).split() if len(part) >= 3]
        elif "\uac00" <= word[0] <= "\ud7a3":
            bare = _KOREAN.sub("", word)
            words.append(bare or word)
        else:
            words.append(word)
    return words
