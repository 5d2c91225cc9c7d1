"""Text in figures: width, shortening, and number formats.

Widths are those of DejaVu Sans, which comes with matplotlib and is wider than most fonts of web
pages. Text that fits in DejaVu Sans therefore also fits in the page's font, and image files are the
same on every machine.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import matplotlib
from matplotlib.ft2font import FT2Font, LoadFlags

_UNITS = 1000.0


def plain(text: str) -> str:
    r"""Return the text as one line that is valid in XML; invalid characters become `�`.

    >>> plain("a\tb\x00c")
    'a b�c'
    """
    return "".join(
        letter if letter.isprintable() else " " if letter.isspace() else "\ufffd"
        for letter in str(text)
    )


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line of text in points."""
    return sum(_advance(letter, bold=bold) for letter in text) * size / _UNITS


def widest(texts: Iterable[str], size: float, *, bold: bool = False) -> float:
    """Return the width of the widest text in points, or 0 if there are no texts."""
    return max((width_of(text, size, bold=bold) for text in texts), default=0.0)


def shorten(text: str, width: float, size: float) -> str:
    """Shorten a text in its middle to at most `width` points."""
    text = plain(text)
    if width_of(text, size) <= width:
        return text
    for kept in range(len(text) - 1, 1, -1):
        head, tail = text[: (kept + 1) // 2], text[len(text) - kept // 2 :]
        if width_of(f"{head}…{tail}", size) <= width:
            return f"{head}…{tail}"
    return "…"


def shortened_names(names: Sequence[str], width: float, size: float) -> list[str]:
    """Shorten names to at most `width` points, and number names that would look the same."""
    texts = [shorten(name, width, size) for name in names]
    often = Counter(texts)
    seen: Counter[str] = Counter()
    for place, text in enumerate(texts):
        if often[text] > 1 and plain(names[place]) != text:
            seen[text] += 1
            suffix = f" ({seen[text]})"
            room = max(width - width_of(suffix, size), size)
            texts[place] = shorten(names[place], room, size) + suffix
    return texts


def decimals_for(values: Iterable[float], *, digits: int = 3) -> int:
    """Return the number of decimals: `digits` for values below ten, fewer for larger values."""
    greatest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return max(0, digits - max(0, math.floor(math.log10(greatest)))) if greatest >= 1 else digits


def has_letter(letter: str) -> bool:
    """Return whether DejaVu Sans has a glyph for the character."""
    return _font(bold=False).get_char_index(ord(letter)) != 0


@cache
def _font(*, bold: bool) -> FT2Font:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return FT2Font(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name))


@cache
def _advance(letter: str, *, bold: bool) -> float:
    """Return the advance width of a character, in thousandths of the font size."""
    if unicodedata.combining(letter):
        return 0.0
    font = _font(bold=bold)
    if font.get_char_index(ord(letter)) == 0:
        return _UNITS
    glyph = font.load_char(ord(letter), flags=LoadFlags.NO_SCALE)
    return glyph.horiAdvance * _UNITS / font.units_per_EM
