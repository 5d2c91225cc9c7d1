from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.io.byte_texts import ByteTexts
from qrelsmith.io.decimals import decimal_numbers, whole_numbers

digits = st.text("0123456789", max_size=20)
numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1e6, 1e6).map(lambda number: f"{number:.17g}"),
    st.floats(0, 1e8, width=32).map(lambda number: f"{number:.9f}"),
    st.integers(-(10**20), 10**20).map(str),
    st.tuples(st.sampled_from(["", "-", "+"]), digits, st.sampled_from(["", "."]), digits)
    .map("".join)
    .filter(lambda text: any(letter.isdigit() for letter in text)),
)


@examples(200)
@given(st.lists(numbers, min_size=1, max_size=40))
def test_numbers_are_read_to_the_last_bit_like_float_does(texts: list[str]) -> None:
    found = decimal_numbers(ByteTexts.of(texts))
    assert found is not None
    assert [value.hex() for value in found.tolist()] == [float(text).hex() for text in texts]


def test_numbers_halfway_between_two_floats_are_rounded_like_float_does() -> None:
    middles = [2**53 + 1, 2**54 + 2, 2**54 + 6, 2**53 * 10 + 5, 2**56 + 8, 2**56 + 24]
    texts = [f"{middle + by}" for middle in middles for by in (-1, 0, 1)]
    texts += [f"{text[:-k]}.{text[-k:]}" for text in texts for k in (1, 3, 9, 15)]
    found = decimal_numbers(ByteTexts.of(texts))
    assert found is not None
    assert found.tolist() == [float(text) for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        "x", ".", "-", "+", "-.", "1.2.3", "1_000", "0x10", "1e", "nan", "inf", "-inf", "1e400",
        "--1", "+-1", "1-", "1,5", "1e5e5", "12345678a", "0.12345678a", "1.é",
    ],
)  # fmt: skip
def test_texts_that_are_not_finite_numbers_are_left_to_the_caller(text: str) -> None:
    assert decimal_numbers(ByteTexts.of(["1.5", text, "2"])) is None


def test_whole_numbers_consist_of_digits_only() -> None:
    texts = ["0", "7", "0012", "12345678", "123456789", "999999999999999999"]
    found = whole_numbers(ByteTexts.of(texts))
    assert found is not None
    assert found.tolist() == list(map(int, texts))
    for bad in ("-1", "+1", "1.0", "1e5", "1000000000000000000"):
        assert whole_numbers(ByteTexts.of([*texts, bad])) is None


def test_signs_of_zero_are_kept() -> None:
    found = decimal_numbers(ByteTexts.of(["-0.0", "0", "-0", "-.0"]))
    assert found is not None
    assert [math.copysign(1, value) for value in found.tolist()] == [-1, 1, -1, -1]
    assert np.all(found == 0)
