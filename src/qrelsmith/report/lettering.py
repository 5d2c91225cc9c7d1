"""Lettering of figures: the width of words, shortening, and how numbers are written.

Widths are those of DejaVu Sans, which comes with matplotlib and is wider than the fonts that a
page is usually shown in: what fits here fits there, and files come out the same everywhere.
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
    r"""Return the text in one line that XML can hold: what cannot be shown becomes `�`.

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
    """Return the width of the widest of several texts in points, 0 of none."""
    return max((width_of(text, size, bold=bold) for text in texts), default=0.0)


def shorten(text: str, width: float, size: float) -> str:
    """Return the text with its middle left out, so that it is no wider than `width` points."""
    text = plain(text)
    if width_of(text, size) <= width:
        return text
    for kept in range(len(text) - 1, 1, -1):
        head, tail = text[: (kept + 1) // 2], text[len(text) - kept // 2 :]
        if width_of(f"{head}…{tail}", size) <= width:
            return f"{head}…{tail}"
    return "…"


def shortened_names(names: Sequence[str], width: float, size: float) -> list[str]:
    """Names no wider than `width` points; those that would look the same are numbered."""
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
    """How many decimals show that many digits of values below ten, and fewer of greater ones."""
    greatest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return max(0, digits - max(0, math.floor(math.log10(greatest)))) if greatest >= 1 else digits


def has_letter(letter: str) -> bool:
    """Whether DejaVu Sans can write the letter."""
    return _font(bold=False).get_char_index(ord(letter)) != 0


@cache
def _font(*, bold: bool) -> FT2Font:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return FT2Font(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name))


@cache
def _advance(letter: str, *, bold: bool) -> float:
    """Return the advance of a letter, in thousandths of the size of the font."""
    if unicodedata.combining(letter):
        return 0.0
    font = _font(bold=bold)
    if font.get_char_index(ord(letter)) == 0:
        return _UNITS
    glyph = font.load_char(ord(letter), flags=LoadFlags.NO_SCALE)
    return glyph.horiAdvance * _UNITS / font.units_per_EM
