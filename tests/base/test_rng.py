from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.rng import Key, digest_key, rng_for, shuffle

# Published seeds depend on these digests: SHA-256 of `type:length:text` lines, the seed first. They
# were computed with hashlib alone and must never change.
PINNED: list[tuple[int, tuple[Key, ...], bytes, str]] = [
    (0, (), b"i:1:0", "42f3895320387d027dbb390f3695852d2db4fe3610c3545586f7d4ccbdc2b9b2"),
    (
        0,
        ("pool", "topic-7", 12),
        b"i:1:0\ns:4:pool\ns:7:topic-7\ni:2:12",
        "9e5b3dee27d8ef5cb08ebfde8e8ba4618da5d014877c2ce2a9370de34fb6ca7c",
    ),
    (
        -1,
        ("日本語", ""),
        "i:2:-1\ns:3:日本語\ns:0:".encode(),
        "cee0dd1a25114e56fcdc919b0b654da9aa063e539dcf2e142984b88245c11329",
    ),
    (
        7,
        ("a\nb",),
        b"i:1:7\ns:3:a\nb",
        "929f1ee55659cd120c0e60a1153baa7f85231054cd507690368a53c86fdac894",
    ),
]

keys = st.lists(st.one_of(st.integers(-99, 99), st.text("ab:\ns1", max_size=5)), max_size=4)


@pytest.mark.parametrize(("seed", "names", "layout", "digest"), PINNED)
def test_digests_never_change(
    seed: int, names: tuple[Key, ...], layout: bytes, digest: str
) -> None:
    assert digest_key(seed, *names).hex() == digest
    assert hashlib.sha256(layout).hexdigest() == digest


def test_a_key_that_no_file_can_contain_still_has_a_digest() -> None:
    assert len(digest_key(0, "\udc80")) == 32


def test_a_number_and_its_text_are_different_keys() -> None:
    assert digest_key(0, 7) != digest_key(0, "7")


@settings(deadline=None)
@given(keys, keys)
def test_different_keys_have_different_digests(first: list[Key], second: list[Key]) -> None:
    assert (digest_key(0, *first) == digest_key(0, *second)) == (
        list(map(repr, first)) == list(map(repr, second))
    )


def test_numpy_whole_numbers_count_as_numbers() -> None:
    assert digest_key(int(np.int64(3)), int(np.int64(4))) == digest_key(3, 4)


def test_a_generator_depends_only_on_its_keys() -> None:
    first, again = rng_for(1, "topic", 2), rng_for(1, "topic", 2)
    assert first.integers(1 << 60, size=4).tolist() == again.integers(1 << 60, size=4).tolist()
    other = rng_for(1, "topic", 3)
    assert rng_for(1, "topic", 2).integers(1 << 60) != other.integers(1 << 60)


def test_a_generator_is_seeded_with_128_bits_of_the_digest() -> None:
    seed = int(PINNED[1][3][:32], 16)
    expected = np.random.default_rng(seed).integers(1 << 60)
    assert rng_for(0, "pool", "topic-7", 12).integers(1 << 60) == expected


def test_shuffled_orders_never_change() -> None:
    assert shuffle("abcdef", seed=1) == ["d", "b", "e", "a", "c", "f"]
    assert shuffle("012345", seed=0, keys=["pool", "1"]) == ["0", "1", "5", "2", "4", "3"]


@settings(deadline=None)
@given(st.lists(st.text(max_size=3), unique=True), st.integers(0, 5))
def test_a_shuffle_does_not_depend_on_the_input_order(items: list[str], turn: int) -> None:
    expected = shuffle(items, seed=3)
    assert sorted(expected) == sorted(items)
    assert shuffle(items[turn:] + items[:turn], seed=3) == expected
    assert shuffle(reversed(items), seed=3) == expected


def test_every_position_is_equally_likely() -> None:
    # 2,000 seeds, 4 items: a count has the mean 500 and the standard deviation 19.4.
    first = [shuffle("abcd", seed=seed)[0] for seed in range(2_000)]
    deviation = math.sqrt(2_000 * 0.25 * 0.75)
    assert all(abs(first.count(item) - 500) < 4 * deviation for item in "abcd")
