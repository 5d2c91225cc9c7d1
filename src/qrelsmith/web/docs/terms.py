"""Which words of a topic are highlighted in its docs."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PASSED_OVER = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "could", "do", "does", "for",
    "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "my",
    "no", "not", "of", "on", "one", "or", "so", "such", "than", "that", "the", "their",
    "there", "these", "they", "this", "to", "was", "were", "what", "when", "where", "which",
    "who", "whose", "why", "will", "with", "would", "you", "your",
})  # fmt: skip
_MOST = 30


def topic_terms(title: str) -> list[str]:
    """The words of a topic's title that say something, each once."""
    words = dict.fromkeys(word.casefold() for word in _WORD.findall(title))
    return [word for word in words if word not in _PASSED_OVER][:_MOST]
