"""Ranking consistency: the letters of Tables 11 and 12 of ordering-gold-bronze, and by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.stats.printed_letters import TABLES, rows_with

from qrelsmith.base.errors import UndefinedError
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.rankings.ranking_consistency import (
    RankedHalves,
    compare_consistencies,
    split_half_taus,
)
from qrelsmith.stats.kendall import kendall_tau_b


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_printed_means_and_residual_variance_give_every_printed_letter(table, seed) -> None:
    variance, lines = TABLES[table]
    means, outperforms = [line[1] for line in lines], [line[2] for line in lines]
    conditions = []
    for name, *_ in lines:
        labels, _, measure = name.rpartition("-")
        conditions.append(RankedHalves(labels, "all", measure))
    taus = rows_with(means, variance, seed=seed)
    # The columns are in any order; the table begins with the highest mean.
    shuffled = np.random.default_rng(seed).permutation(len(lines))
    found = compare_consistencies([conditions[c] for c in shuffled], taus[:, shuffled], seed=seed)
    assert [row.condition for row in found.rows] == conditions
    assert [row.letter for row in found.rows] == list("abcdefghijkl")[: len(lines)]
    assert [row.outperforms for row in found.rows] == outperforms
    assert [row.tau for row in found.rows] == pytest.approx(means)
    assert found.test.residual_variance == pytest.approx(variance)
    assert (found.test.trials, found.left_out) == (1000, 0)


def matrix(scores, *, measure: str = "AP", topics: str = "") -> ScoreMatrix:
    """Return scores [topic][system]."""
    array = np.array(scores, dtype=float).T
    names = tuple(topics) or tuple(str(topic) for topic in range(array.shape[1]))
    return ScoreMatrix(measure, tuple("abcdefgh"[: len(array)]), names, array)


def test_the_taus_of_the_three_splits_of_four_topics_are_as_computed_by_hand() -> None:
    scores = [[3, 2, 1], [1, 2, 3.5], [3, 1, 2], [2, 3, 1.5]]
    condition = RankedHalves("gold", "all", "AP", 4, 3)
    taus = split_half_taus([(condition, matrix(scores))], splits=200)[:, 0]
    by_hand = set()
    for first in itertools.combinations(range(4), 2):
        second = [topic for topic in range(4) if topic not in first]
        means = [[sum(scores[t][s] for t in half) for s in range(3)] for half in (first, second)]
        by_hand.add(round(float(kendall_tau_b(*means)), 9))
    assert set(taus.round(9).tolist()) == by_hand
    (row,) = compare_consistencies([condition], taus[:, None]).rows
    assert row.tau == pytest.approx(taus.mean())
    assert row.deviation == pytest.approx(np.std(taus, ddof=1))
    assert (row.letter, row.outperforms, row.splits) == ("a", "", 200)


def test_label_sets_and_measures_on_the_same_topics_share_their_splits() -> None:
    rng = np.random.default_rng(0)
    one = rng.random((9, 5))
    conditions = [RankedHalves(name, "all", m) for name in ("x", "y") for m in ("AP", "RR")]
    same = [(condition, matrix(one, measure=condition.measure)) for condition in conditions]
    taus = split_half_taus(same, splits=50)
    assert (taus == taus[:, :1]).all()
    # The order of topics and systems does not matter, so neither does that of files.
    turned = ScoreMatrix("AP", tuple("edcba"), tuple("876543210"), one.T[::-1, ::-1])
    again = split_half_taus([(conditions[0], turned)], splits=50)
    assert again == pytest.approx(taus[:, :1])
    other = matrix(one, topics="jklmnopqr")
    assert (split_half_taus([(conditions[0], other)], splits=50) != taus[:, :1]).any()


def test_a_consistent_label_set_is_better_than_noise() -> None:
    rng = np.random.default_rng(4)
    sound = np.arange(8) + rng.normal(size=(30, 8))
    noise = rng.random((30, 8))
    named = [
        (RankedHalves(n, "all", "AP"), matrix(s)) for n, s in (("noise", noise), ("sound", sound))
    ]
    found = compare_consistencies(
        [condition for condition, _ in named], split_half_taus(named, splits=200)
    )
    assert [(row.condition.qrels, row.outperforms) for row in found.rows] == [
        ("sound", "b"),
        ("noise", ""),
    ]
    assert found.rows[0].tau > 0.8
    assert abs(found.rows[1].tau) < 0.5


def test_a_topic_without_relevant_docs_does_not_change_the_ranking_of_its_half() -> None:
    rng = np.random.default_rng(2)
    scores = np.vstack([rng.random((5, 6)), np.zeros(6)])
    taus = split_half_taus([(RankedHalves("x", "all", "AP"), matrix(scores))], splits=100)[:, 0]
    expected = set()
    for first in itertools.combinations(range(6), 3):
        second = [topic for topic in range(6) if topic not in first]
        means = [scores[[t for t in half if t < 5]].sum(axis=0) for half in (first, second)]
        expected.add(round(float(kendall_tau_b(*means)), 9))
    assert set(taus.round(9).tolist()) <= expected


def test_splits_without_a_tau_are_left_out_and_counted() -> None:
    # Only topic 0 distinguishes the systems: a half without it ties them all.
    tied = matrix([[1, 2, 3], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    half = matrix([[1, 2, 3], [1, 2, 3], [0, 0, 0], [0, 0, 0]])
    whole = matrix([[1, 2, 3], [1, 2, 3], [3, 1, 2], [2, 1, 3]])
    named = [
        (RankedHalves(name, "all", "AP"), scores)
        for name, scores in (("tied", tied), ("half", half), ("whole", whole))
    ]
    taus = split_half_taus(named, splits=300)
    apart = int((~np.isnan(taus[:, 1])).sum())
    assert 150 < apart < 250  # topics 0 and 1 are in different halves of two thirds of the splits
    found = compare_consistencies([condition for condition, _ in named], taus)
    rows = {row.condition.qrels: row for row in found.rows}
    assert found.rows[-1].condition.qrels == "tied"
    assert (rows["tied"].splits, rows["half"].splits, rows["whole"].splits) == (0, apart, 300)
    assert math.isnan(rows["tied"].tau)
    assert math.isnan(rows["tied"].deviation)
    assert rows["half"].tau == 1
    assert rows["half"].deviation == 0
    # The test uses the splits in which every row with a mean has a τ.
    assert found.test.topics == apart
    assert found.left_out == 300 - apart
    assert "c" not in rows["half"].outperforms


def test_two_systems_one_system_and_one_condition_are_handled() -> None:
    rng = np.random.default_rng(0)
    two = RankedHalves("two", "all", "AP")
    taus = split_half_taus([(two, matrix(rng.random((6, 2))))], splits=60)
    assert set(np.unique(taus)) <= {-1.0, 1.0}
    assert compare_consistencies([two], taus).test is None
    alone = split_half_taus([(two, matrix(rng.random((6, 1))))], splits=60)
    (row,) = compare_consistencies([two], alone).rows
    assert (row.splits, row.outperforms) == (0, "")
    assert math.isnan(row.tau)


def test_one_topic_cannot_be_halved() -> None:
    with pytest.raises(UndefinedError, match="found 1 topics"):
        split_half_taus([(RankedHalves("x", "all", "AP"), matrix([[1, 2]]))])
