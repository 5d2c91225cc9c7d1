"""Numbers in decimal notation, many at once and to the last bit as `float` reads each.

Eight digits are one 64-bit word, and a word becomes a number in three multiplications. A number of
up to 2⁵³ over a power of ten is one division of exact numbers; what has more digits is divided with
the remainder kept, and where that lies too near to the middle between two floats to be sure, or the
notation is another one, `float` is asked.
"""

from __future__ import annotations

import math

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.io.byte_texts import ByteTexts, Words, first_in_words

_DOT, _MINUS, _PLUS = 0x2E, 0x2D, 0x2B
_ZEROS = np.uint64(0x3030303030303030)
_EIGHT = np.uint64(8)
# How many digits a whole number may have here: such a one is below 2⁶³.
_DIGITS, _EXACT = 18, 2**53
_POWERS: FloatArray = 10.0 ** np.arange(_DIGITS + 1, dtype=np.float64)
_WHOLE_POWERS = 10 ** np.arange(_DIGITS + 1, dtype=np.int64)
# Splits a float into two halves whose products are exact (Dekker).
_SPLIT = 134217729.0


def decimal_numbers(texts: ByteTexts) -> FloatArray | None:
    """Return the finite numbers that texts hold [text]; None if one of them holds none."""
    first = texts.first_bytes()
    negative = first == _MINUS
    signed = negative | (first == _PLUS)
    if signed.any():
        texts = ByteTexts(texts.content, texts.starts + signed, texts.ends)
    whole, fraction, places, plain = _digits(texts)
    room = _WHOLE_POWERS[_DIGITS - places]
    plain &= whole < room
    mantissa = np.where(plain, whole * _WHOLE_POWERS[places] + fraction, 0)
    values: FloatArray = mantissa / _POWERS[places]
    long = np.flatnonzero(mantissa > _EXACT)
    if long.size:
        values[long], sure = _divide(mantissa[long], _POWERS[places[long]])
        plain[long[~sure]] = False
    odd = np.flatnonzero(~plain)
    if odd.size:
        fields = texts.bytes_of(odd)
        if b"_" in b"".join(fields) or any(field[:1] in b"+-" for field in fields):
            return None  # what float takes, and no run file means; two signs
        try:
            values[odd] = [float(field) for field in fields]
        except ValueError:
            return None
        if not all(map(math.isfinite, values[odd].tolist())):
            return None
    return np.where(negative, -values, values) if signed.any() else values


def whole_numbers(texts: ByteTexts) -> IntArray | None:
    """Return the numbers of texts of digits [text]; None if one has something else or over 18."""
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
    """Whole part, fraction as a whole number, its digits, and whether there is no more to it.

    The whole part has up to 8 digits here, the fraction up to 16.
    """
    sizes = texts.ends - texts.starts
    head = texts.first_words()
    dot = first_in_words(head, _DOT)
    dotted = dot < np.minimum(sizes, 8)
    before = np.where(dotted, dot, sizes)
    places = np.where(dotted, sizes - before - 1, 0)
    plain = (before <= 8) & (places <= 16) & (before + places > 0)
    before, places = np.minimum(before, 8), np.clip(places, 0, 16)
    whole, sound = _number(_move_first(head, before))
    plain &= sound
    fraction, sound = _last_digits(texts, 0, np.minimum(places, 8))
    plain &= sound
    if int(places.max(initial=0)) > 8:
        high, sound = _last_digits(texts, 1, np.maximum(places - 8, 0))
        plain &= sound
        fraction = fraction + high * 100_000_000
    return whole, fraction, places, plain


def _last_digits(texts: ByteTexts, word: int, count: IntArray) -> tuple[IntArray, BoolArray]:
    """Return number that the last `count` bytes of one of the texts' words from the end hold."""
    return _number(_keep_last(texts.last_words(word), count))


def _keep_last(words: Words, count: IntArray) -> Words:
    """Return the words with `0` in all but their last `count` bytes."""
    drop = (_EIGHT - count.astype(np.uint64)) * np.uint64(4)
    kept = (words >> drop) >> drop
    filled = kept << drop << drop
    rest = np.uint64(0xFFFFFFFFFFFFFFFF) >> (np.uint64(32) - drop) >> (np.uint64(32) - drop)
    result: Words = filled | (_ZEROS & rest)
    return result


def _move_first(words: Words, count: IntArray) -> Words:
    """Return the first `count` bytes of the words, moved to their end, with `0` before them."""
    move = (_EIGHT - count.astype(np.uint64)) * np.uint64(4)
    rest = np.uint64(0xFFFFFFFFFFFFFFFF) >> (np.uint64(32) - move) >> (np.uint64(32) - move)
    result: Words = (words << move << move) | (_ZEROS & rest)
    return result


def _number(digits: Words) -> tuple[IntArray, BoolArray]:
    """Return number that eight digits make, the first in the lowest byte, and whether they are."""
    high = np.uint64(0xF0F0F0F0F0F0F0F0)
    six = np.uint64(0x0606060606060606)
    sound = ((digits & high) | (((digits + six) & high) >> np.uint64(4))) == np.uint64(
        0x3333333333333333
    )
    value = digits & np.uint64(0x0F0F0F0F0F0F0F0F)
    for factor, shift, mask in (
        (10, 8, 0x00FF00FF00FF00FF),
        (100, 16, 0x0000FFFF0000FFFF),
        (10_000, 32, 0x00000000FFFFFFFF),
    ):
        value = (value * np.uint64(factor) + (value >> np.uint64(shift))) & np.uint64(mask)
    return value.astype(np.int64), sound


def _divide(whole: IntArray, power: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return the float nearest to each quotient, and whether it is sure to be the nearest."""
    high = whole.astype(np.float64)
    low = (whole - high.astype(np.int64)).astype(np.float64)
    quotient = high / power
    product, error = _product(quotient, power)
    correction = ((high - product) - error + low) / power
    nearest = quotient + correction
    rest = np.abs((quotient - nearest) + correction)
    half = np.spacing(nearest) / 2
    # Next to a power of two the floats below lie twice as near.
    sure = (np.abs(rest - half) > half * 1e-6) & (np.frexp(nearest)[0] != 0.5)
    return nearest, sure


def _product(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a product as a float and what the float lacks."""
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
