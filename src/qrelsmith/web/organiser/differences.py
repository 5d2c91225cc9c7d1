"""Two versions of a text side by side, with differences marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from qrelsmith.base.scales import grade_text
from qrelsmith.web.graded.scale import ShownScale
from qrelsmith.web.models import TopicVersion

_WORDS = re.compile(r"\S+\s*|\s+")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
# Longer texts are compared by lines, and very long texts not at all, because the time is quadratic
# in the length.
_MOST_PIECES = 3000
_FIELDS = ("title", "description", "narrative", "creator")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text.

    Attributes
    ----------
    text : str
        The piece.
    is_changed : bool
        Whether the other version lacks it.
    """

    text: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Sides:
    """Two versions of a text.

    Attributes
    ----------
    name : str
        Name of the text.
    old, new : sequence of Piece
        The versions.
    """

    name: str
    old: Sequence[Piece]
    new: Sequence[Piece]


def side_by_side(name: str, old: str, new: str) -> Sides:
    """Compare two versions word by word, or line by line if they are long."""
    for pattern in (_WORDS, _LINES):
        first, second = pattern.findall(old), pattern.findall(new)
        if max(len(first), len(second)) <= _MOST_PIECES:
            return _compare(name, first, second)
    return Sides(name, [Piece(old, old != new)], [Piece(new, old != new)])


def topic_sides(old: TopicVersion, new: TopicVersion) -> list[Sides]:
    """Compare the fields of a topic that differ between two versions."""
    texts = [(name, getattr(old, name), getattr(new, name)) for name in _FIELDS]
    others = sorted({*old.others, *new.others})
    texts += [(name, _text(old.others.get(name)), _text(new.others.get(name))) for name in others]
    return _differing(texts)


def scale_sides(old: ShownScale, new: ShownScale) -> list[Sides]:
    """Compare the texts that differ between two versions of the scale."""
    return _differing(
        [(name, _scale_text(old, name), _scale_text(new, name)) for name in new.content]
    )


def _differing(texts: Sequence[tuple[str, str, str]]) -> list[Sides]:
    return [side_by_side(name, old, new) for name, old, new in texts if old != new]


def _compare(name: str, first: list[str], second: list[str]) -> Sides:
    # A word at the end of a line equals the same word elsewhere.
    before, after = ([piece.rstrip() for piece in pieces] for pieces in (first, second))
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    old: list[Piece] = []
    new: list[Piece] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        for side, pieces in ((old, first[a:b]), (new, second[c:d])):
            side.extend(_pieces("".join(pieces), is_changed=kind != "equal"))
    return Sides(name, old, new)


def _pieces(text: str, *, is_changed: bool) -> list[Piece]:
    """Return a text as one or two pieces, because trailing blanks are never marked."""
    words = text.rstrip() if is_changed else text
    blanks = text[len(words) :]
    pieces = [Piece(words, is_changed), Piece(blanks, is_changed=False)]
    return [piece for piece in pieces if piece.text]


def _scale_text(scale: ShownScale, name: str) -> str:
    """Return a part of a scale's version as text, with a line for each level."""
    value = scale.content.get(name, "")
    if not isinstance(value, list):
        return _text(value)
    return "\n".join(_line(each) for each in value)


def _line(level: dict[str, Any]) -> str:
    number = grade_text(float(level.get("grade", level.get("code", 0))))
    said = [_text(level.get(key)) for key in ("label", "text", "note", "excerpt")]
    return " · ".join([number, *filter(None, said)])


def _text(value: Any) -> str:
    return "" if value is None else str(value)
