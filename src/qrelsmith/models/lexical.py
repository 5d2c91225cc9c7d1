"""A baseline without a model: BM25 scores of topic and doc, mapped to grades.

The baseline uses only the words that a doc shares with the topic. With the baseline, the whole
process runs without a network. A model should be better than the baseline.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from qrelsmith.base.scales import grade_text
from qrelsmith.campaign.scale_settings import Level
from qrelsmith.collection.topics import Topic
from qrelsmith.models.endpoints import Reply
from qrelsmith.models.requests import Unit

ENDPOINT = "builtin:lexical"
K1, B = 1.2, 0.75
# Scripts without blanks between words: kana, Han, Hangul, Thai; their terms are pairs of
# characters.
_DENSE = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TERM = re.compile(rf"[{_DENSE}]+|[^\W_{_DENSE}]+")
_IS_DENSE = re.compile(f"[{_DENSE}]")


def terms_of(text: str) -> list[str]:
    """Return the terms of a text: lowercase words, or character pairs in scripts without blanks.

    >>> terms_of("Sorting, 並べ替え")
    ['sorting', '並べ', 'べ替', '替え']
    """
    terms: list[str] = []
    for word in _TERM.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _IS_DENSE.match(word) and len(word) > 1:
            terms += [word[place : place + 2] for place in range(len(word) - 1)]
        else:
            terms.append(word)
    return terms


class Lexical:
    """The baseline as an endpoint.

    Parameters
    ----------
    topics : iterable of Topic
        The topics to judge.
    texts : iterable of str
        The docs to judge, without repetition; they are read once and not stored.
    levels : sequence of Level
        The scale, lowest first.
    """

    is_baseline = True

    def __init__(
        self, topics: Iterable[Topic], texts: Iterable[str], levels: Sequence[Level]
    ) -> None:
        self._grades = [level.grade for level in levels]
        self._queries = {topic.topic: set(terms_of(_query_text(topic))) for topic in topics}
        vocabulary = set().union(*self._queries.values()) if self._queries else set()
        holding: Counter[str] = Counter()
        docs = length = 0
        for text in texts:
            terms = terms_of(text)
            docs += 1
            length += len(terms)
            holding.update(vocabulary.intersection(terms))
        self._mean_length = max(length / max(docs, 1), 1.0)
        # The idf of Lucene's BM25, which is never negative.
        self._idf = {
            term: math.log1p((docs - count + 0.5) / (count + 0.5))
            for term, count in ((term, holding[term]) for term in vocabulary)
        }
        # The answers depend on all docs, so another pool means different requests.
        content = f"{docs} {length} {sorted(holding.items())}".encode()
        self.name = f"{ENDPOINT}/{hashlib.sha256(content).hexdigest()}"

    async def ask(self, unit: Unit, body: bytes) -> Reply:  # noqa: ARG002 - only words are used
        """Return the grade of a doc, the better of two docs, or grades of an answer's aspects."""
        if unit.aspects:
            levels = [grade for grade in self._grades if grade >= 0]
            words = set(terms_of(unit.docs[0].text))
            grades = []
            for _, text in unit.aspects:
                terms = set(terms_of(text))
                share = len(terms & words) / max(len(terms), 1)
                grades.append(levels[min(int(share * len(levels)), len(levels) - 1)])
            return Reply(f'{{"grades": [{", ".join(map(grade_text, grades))}]}}', 0, 0, 0)
        shares = [self.share(unit.topic.topic, doc.text) for doc in unit.docs]
        if len(shares) == 1:
            # The top grade means a doc of mean length with every term of the topic.
            top = len(self._grades) - 1
            grade = self._grades[min(int(shares[0] * (1 + K1) * top), top)]
            return Reply(f'{{"grade": {grade_text(grade)}}}', 0, 0, 0)
        left, right = shares
        better = "tie" if left == right else "A" if left > right else "B"
        return Reply(json.dumps({"better": better}), 0, 0, 0)

    async def close(self) -> None:
        """Do nothing: there are no connections."""

    def share(self, topic: str, text: str) -> float:
        """Return the BM25 score of a doc divided by its upper bound: at least 0 and less than 1.

        Σ idf·tf/(tf + k1·(1 − b + b·length/mean length)) divided by Σ idf of the topic's terms.
        """
        query = self._queries[topic]
        terms = terms_of(text)
        counts = Counter(term for term in terms if term in query)
        length = K1 * (1 - B + B * len(terms) / self._mean_length)
        most = sum(self._idf[term] for term in query)
        score = sum(self._idf[term] * tf / (tf + length) for term, tf in counts.items())
        return score / most if most else 0.0


def _query_text(topic: Topic) -> str:
    """Return the text of the query: the title, or the description if there is no title."""
    return topic.title or topic.description or topic.narrative
