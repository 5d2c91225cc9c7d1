from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from qrelsmith.topk.pairings import balanced_sides, regular_pairings, ring
from qrelsmith.topk.simulated_pairings import many_pairings


def degrees(edges, count: int) -> list[int]:
    found = Counter(end for edge in edges for end in edge)
    return sorted(found[end] for end in range(count))


@given(st.integers(2, 25), st.integers(1, 9), st.integers(0, 50))
def test_every_doc_has_p_opponents_and_one_has_one_more_if_necessary(
    count: int, opponents: int, seed: int
) -> None:
    edges = regular_pairings(count, opponents, seed=seed)
    assert len(set(edges)) == len(edges)
    assert all(0 <= one < two < count for one, two in edges)
    if opponents >= count - 1:
        assert len(edges) == count * (count - 1) // 2
    else:
        more = count * opponents % 2
        assert degrees(edges, count) == [opponents] * (count - more) + [opponents + 1] * more


@given(st.integers(3, 30), st.integers(1, 9))
def test_a_ring_is_a_valid_pairing(count: int, opponents: int) -> None:
    if opponents < count - 1:
        more = count * opponents % 2
        edges = ring(count, opponents)
        assert len(set(edges)) == len(edges)
        assert degrees(edges, count) == [opponents] * (count - more) + [opponents + 1] * more


def test_all_pairings_of_six_with_two_opponents_are_equally_likely() -> None:
    # There are 70: 60 rings of six and 10 pairs of triangles.
    drawn = Counter(regular_pairings(6, 2, seed=seed) for seed in range(2100))
    assert len(drawn) == 70
    statistic = sum((count - 30) ** 2 / 30 for count in drawn.values())
    assert statistic < chi2.ppf(0.999, 69)


def test_two_of_ten_docs_are_left_out_of_the_fifth_bests_seven_opponents_at_random() -> None:
    # All of the four best meet the fifth best with probability C(5, 2)/C(9, 2) = 10/36.
    trials = 500
    all_four = sum(
        {end for edge in regular_pairings(10, 7, seed=seed) if 4 in edge for end in edge}
        >= {0, 1, 2, 3}
        for seed in range(trials)
    )
    share = 10 / 36
    assert all_four / trials == pytest.approx(
        share, abs=4 * math.sqrt(share * (1 - share) / trials)
    )


def test_simulated_pairings_are_valid_and_equally_mixed() -> None:
    for count, opponents in ((10, 7), (11, 7), (40, 7), (5, 7)):
        for edges in many_pairings(count, opponents)[:20].tolist():
            pairs = [tuple(sorted(edge)) for edge in edges]
            assert len(set(pairs)) == len(pairs)
            expected = degrees(regular_pairings(count, opponents, seed=0), count)
            assert degrees(pairs, count) == expected
    # Triangles distinguish a mixed pairing from a ring, which has far more of them.
    shuffled = many_pairings(40, 7)
    known = np.zeros((len(shuffled), 40, 40))
    rows = np.arange(len(shuffled))[:, None]
    known[rows, shuffled[..., 0], shuffled[..., 1]] = 1
    known += known.transpose(0, 2, 1)
    triangles = np.trace(known @ known @ known, axis1=1, axis2=2).mean() / 6
    one_by_one = []
    for seed in range(40):
        table = np.zeros((40, 40))
        for one, two in regular_pairings(40, 7, seed=seed):
            table[one, two] = table[two, one] = 1
        one_by_one.append(np.trace(table @ table @ table) / 6)
    error = np.std(one_by_one) * math.sqrt(1 / 40 + 1 / len(shuffled))
    assert triangles == pytest.approx(np.mean(one_by_one), abs=4 * error)


@given(st.integers(2, 20), st.integers(1, 9), st.integers(0, 20))
def test_every_doc_is_on_the_left_as_often_as_on_the_right(
    count: int, opponents: int, seed: int
) -> None:
    edges = regular_pairings(count, opponents, seed=seed)
    sided = balanced_sides(edges, seed=seed)
    assert [tuple(sorted(edge)) for edge in sided] == list(edges)
    balance = Counter(one for one, _ in sided)
    balance.subtract(two for _, two in sided)
    assert all(abs(count) <= 1 for count in balance.values())


def test_the_same_seed_and_keys_give_the_same_pairings() -> None:
    one = regular_pairings(12, 5, seed=1, keys=("t",))
    assert regular_pairings(12, 5, seed=1, keys=("t",)) == one
    assert regular_pairings(12, 5, seed=1, keys=("u",)) != one


def test_pairings_never_change() -> None:
    # Drawn once and stored: another draw would change the rounds of every published seed.
    assert regular_pairings(7, 2, seed=11, keys=("t", 1)) == (
        (0, 1), (0, 5), (1, 4), (2, 3), (2, 6), (3, 6), (4, 5),
    )  # fmt: skip


def test_no_pairs_have_no_sides() -> None:
    assert balanced_sides((), seed=0) == ()
    assert regular_pairings(1, 3, seed=0) == ()
