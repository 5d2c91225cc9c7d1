"""Terms of the demo systems: words, parts of identifiers, stems, character n-grams."""

from __future__ import annotations

import re
from functools import cache

_WORD = re.compile(r"[a-z0-9_]+")
# Parts of an identifier: HTTPServer becomes HTTP and Server, move_to_end becomes move, to, end.
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PARAGRAPH = re.compile(r"\n\s*\n")

STOPWORDS = frozenset(
    """
    a about after again all also an and any are as at be because been before being below between
    both but by can could did do does doing down during each else few for from further get gets had
    has have having he her here his how i if in into is it its itself just may me might more most
    must my no nor not now of off on once one only or other our out over own per same she should
    since so some such than that the their them then there these they this those through thus to too
    under until up upon us use used uses using very was way we were what when where whether which
    while who whose why will with within without would you your
    """.split()  # noqa: SIM905 - a list of words reads best as text
)

# Longest first. The replacement unifies related words (tries, trying and tried become try).
_SUFFIXES = (
    ("izations", "ize"),
    ("ization", "ize"),
    ("ations", "ate"),
    ("ation", "ate"),
    ("ities", "ity"),
    ("ments", "ment"),
    ("nesses", ""),
    ("ness", ""),
    ("edly", ""),
    ("ings", ""),
    ("ions", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("ing", ""),
    ("ion", ""),
    ("sses", "ss"),
    ("ed", ""),
    ("ly", ""),
    ("es", ""),
    ("s", ""),
    ("e", ""),
)


def words(text: str) -> list[str]:
    """Split a text into lower-case words; an identifier with underscores stays one word."""
    return _WORD.findall(text.lower())


def pieces(text: str) -> list[str]:
    """Split a text into lower-case words, with identifiers split at underscores and capitals."""
    return [piece.lower() for piece in _PIECE.findall(text)]


def content_words(text: str) -> list[str]:
    """Return the pieces of a text without stop words and single letters."""
    return [piece for piece in pieces(text) if len(piece) > 1 and piece not in STOPWORDS]


def stems(text: str) -> list[str]:
    """Return the content words of a text without their endings."""
    return [stem(word) for word in content_words(text)]


@cache
def stem(word: str) -> str:
    """Remove the longest known ending that leaves at least three letters.

    >>> [stem(word) for word in ("copies", "copying", "stopped", "files", "folders", "class")]
    ['copy', 'copy', 'stop', 'fil', 'folder', 'class']
    """
    if word.endswith(("ss", "us", "is")):
        return word
    for suffix, replacement in _SUFFIXES:
        base = word.removesuffix(suffix)
        if base != word and len(base) >= 3:
            word = base + replacement
            break
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls"
    word = word[:-1] if doubled else word
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def character_grams(text: str) -> list[str]:
    """Return all 4-grams of characters within the words, each padded with a blank on both sides."""
    grams: list[str] = []
    for word in words(text.replace("_", " ")):
        padded = f" {word} "
        grams.extend(padded[i : i + 4] for i in range(max(len(padded) - 3, 1)))
    return grams


def summary(text: str) -> str:
    """Return the first paragraph, which is the summary of a docstring."""
    return _PARAGRAPH.split(text, maxsplit=1)[0]


def passages(text: str, *, length: int = 40) -> list[str]:
    """Split a text into windows of `length` words, which overlap by half."""
    parts = text.split()
    starts = range(0, max(len(parts) - length // 2, 1), length // 2)
    return [" ".join(parts[start : start + length]) for start in starts]
