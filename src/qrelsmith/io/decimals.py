"""Vectorised parsing of decimal numbers, exact to the last bit, like `float`.

Eight digits are one 64-bit word, which three multiplications convert to a number. To divide an
integer of up to 2⁵³ by a power of ten, one division of exact numbers is enough. A number with more
digits is divided with a remainder. If the quotient is too close to the midpoint between two floats,
or the notation is different, `float` parses the number.
"""

from __future__ import annotations

import math

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.io.byte_texts import ByteTexts, Words, first_in_words

_DOT, _MINUS, _PLUS = 0x2E, 0x2D, 0x2B
_ZEROS = np.uint64(0x3030303030303030)
_EIGHT, _HIGHS = np.uint64(8), np.uint64(0x8080808080808080)
_BEYOND_NINE = np.uint64(0x7676767676767676)
# Masks of the last n bytes of a word.
_LAST_BYTES = np.array([((1 << 64) - 1) & ~((1 << (64 - 8 * n)) - 1) for n in range(9)], np.uint64)
# Maximum number of digits of an integer here; such an integer is below 2⁶³.
_DIGITS, _EXACT = 18, 2**53
_POWERS: FloatArray = 10.0 ** np.arange(_DIGITS + 1, dtype=np.float64)
_WHOLE_POWERS = 10 ** np.arange(_DIGITS + 1, dtype=np.int64)
# Splits a float into two halves with exact products (Dekker).
_SPLIT = 134217729.0


def decimal_numbers(texts: ByteTexts) -> FloatArray | None:
    """Parse texts as finite numbers [text]; return None if a text is not a finite number."""
    first = texts.first_bytes()
    negative = first == _MINUS
    signed = negative | (first == _PLUS)
    if signed.any():
        texts = ByteTexts(texts.content, texts.starts + signed, texts.ends)
    whole, fraction, places, plain = _digits(texts)
    if int(places.max(initial=0)) > _DIGITS - 8:
        plain &= whole < _WHOLE_POWERS[_DIGITS - places]
    mantissa = np.where(plain, whole * _WHOLE_POWERS[places] + fraction, 0)
    values: FloatArray = mantissa / _POWERS[places]
    if int(mantissa.max(initial=0)) > _EXACT:
        long = np.flatnonzero(mantissa > _EXACT)
        values[long], sure = _divide(mantissa[long], _POWERS[places[long]])
        plain[long[~sure]] = False
    odd = np.flatnonzero(~plain)
    if odd.size:
        fields = texts.bytes_of(odd)
        if b"_" in b"".join(fields) or any(field[:1] in b"+-" for field in fields):
            return None  # float accepts it, but run files never mean it; or two signs
        try:
            values[odd] = [float(field) for field in fields]
        except ValueError:
            return None
        if not all(map(math.isfinite, values[odd].tolist())):
            return None
    return np.where(negative, -values, values) if signed.any() else values


def whole_numbers(texts: ByteTexts) -> IntArray | None:
    """Parse texts of up to 18 digits [text]; return None if a text has other characters."""
    sizes = texts.ends - texts.starts
    if not sizes.size or int(sizes.max()) > _DIGITS:
        return None
    total = np.zeros(sizes.size, dtype=np.int64)
    for word in range(-(-int(sizes.max()) // 8)):
        digits, sound = _last_digits(texts, word, np.clip(sizes - 8 * word, 0, 8))
        if not sound.all():
            return None
        total += digits * 10 ** (8 * word)
    return total


def _digits(texts: ByteTexts) -> tuple[IntArray, IntArray, IntArray, BoolArray]:
    """Return whole parts, fractions as integers, their digit counts, and a mask of plain texts.

    The whole part has up to 8 digits, and the fraction up to 16.
    """
    sizes = texts.sizes
    head = texts.first_words()
    dot = first_in_words(head, _DOT)
    before = np.minimum(dot, sizes)
    places = np.maximum(sizes - before - 1, 0)
    most = int(places.max(initial=0))
    plain = ((dot < 8) | (sizes <= 8)) & (sizes > (before == 0))
    if most > 16:
        plain &= places <= 16
        places = np.minimum(places, 16)
    move = (_EIGHT - before.view(np.uint64)) * np.uint64(4)
    whole, sound = _number(((head ^ _ZEROS) << move) << move)
    plain &= sound
    fraction, sound = _last_digits(texts, 0, np.minimum(places, 8) if most > 8 else places)
    plain &= sound
    if most > 8:
        high, sound = _last_digits(texts, 1, np.maximum(places - 8, 0))
        plain &= sound
        fraction = fraction + high * 100_000_000
    return whole, fraction, places, plain


def _last_digits(texts: ByteTexts, word: int, count: IntArray) -> tuple[IntArray, BoolArray]:
    """Return the number in the last `count` bytes of a word, counted from each text's end."""
    return _number((texts.last_words(word) ^ _ZEROS) & _LAST_BYTES[count])


def _number(digits: Words) -> tuple[IntArray, BoolArray]:
    """Convert eight digits from 0 to 9, the first in the lowest byte, to a number.

    Also return whether all bytes are digits.
    """
    sound = ((digits + _BEYOND_NINE) | digits) & _HIGHS == 0
    value = digits * np.uint64(10) + (digits >> np.uint64(8))
    pairs = np.uint64(0x000000FF000000FF)
    value = (value & pairs) * np.uint64(100 + (1_000_000 << 32)) + (
        (value >> np.uint64(16)) & pairs
    ) * np.uint64(1 + (10_000 << 32))
    return (value >> np.uint64(32)).view(np.int64), sound


def _divide(whole: IntArray, power: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return the float nearest to each quotient, and whether it is certainly the nearest float."""
    high = whole.astype(np.float64)
    low = (whole - high.astype(np.int64)).astype(np.float64)
    quotient = high / power
    product, error = _product(quotient, power)
    correction = ((high - product) - error + low) / power
    nearest = quotient + correction
    rest = np.abs((quotient - nearest) + correction)
    half = np.spacing(nearest) / 2
    # Next to a power of two, the floats below are twice as close.
    sure = (np.abs(rest - half) > half * 1e-6) & (np.frexp(nearest)[0] != 0.5)
    return nearest, sure


def _product(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a product as a float, and its rounding error."""
    product = one * other
    one_high, one_low = _halves(one)
    other_high, other_low = _halves(other)
    error = (
        (one_high * other_high - product) + one_high * other_low + one_low * other_high
    ) + one_low * other_low
    return product, error


def _halves(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    large = values * _SPLIT
    high = large - (large - values)
    return high, values - high
