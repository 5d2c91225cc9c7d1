from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau, ttest_rel

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.evaluation import ScoreMatrix, score_runs
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.rankings.measure_power import best_matching, measure_power


def matrix(scores, measure: str = "m", systems: str = "abc") -> ScoreMatrix:
    array = np.asarray(scores, dtype=float)
    return ScoreMatrix(measure, tuple(systems), tuple(map(str, range(array.shape[1]))), array)


@pytest.fixture
def two() -> tuple[ScoreMatrix, ScoreMatrix]:
    rng = np.random.default_rng(5)
    base = np.array([[0.2], [0.3], [0.6]])
    return (
        matrix(base + 0.1 * rng.normal(size=(3, 30)), "one"),
        matrix(base[[1, 0, 2]] + 0.2 * rng.normal(size=(3, 30)), "two"),
    )


def test_sensitivity_and_tau_equal_those_of_scipy(two) -> None:
    one, other = two
    found = measure_power(one, other)
    pairs = [(0, 1), (0, 2), (1, 2)]
    p = {m.measure: [ttest_rel(m.scores[i], m.scores[j]).pvalue for i, j in pairs] for m in two}
    assert found.sensitivity == pytest.approx(np.mean(np.array(p["one"]) < 0.05))
    assert found.other_sensitivity == pytest.approx(np.mean(np.array(p["two"]) < 0.05))
    assert found.tau == pytest.approx(kendalltau(one.means(), other.means()).statistic)
    assert (found.systems, found.topics, found.pairs) == (3, 30, 3)
    only = [pair for pair, x, y in zip(pairs, p["one"], p["two"], strict=True) if x < 0.05 <= y]
    assert [(q.first, q.second) for q in found.only] == [("abc"[i], "abc"[j]) for i, j in only]
    for pair in found.only:
        assert pair.p < 0.05 <= pair.other_p


def test_pairs_in_a_different_order_are_opposite() -> None:
    rng = np.random.default_rng(1)
    noise = 0.01 * rng.normal(size=(2, 20))
    up, down = np.array([[0.2], [0.8]]) + noise, np.array([[0.8], [0.2]]) + noise[::-1]
    found = measure_power(matrix(up, systems="ab"), matrix(down, systems="ab"))
    assert (found.both, found.opposite, found.only, found.only_other) == (1, 1, (), ())


def test_systems_and_topics_are_matched_by_name(two) -> None:
    one, other = two
    turned = ScoreMatrix("two", other.systems[::-1], other.topics[::-1], other.scores[::-1, ::-1])
    assert repr(measure_power(one, turned)) == repr(measure_power(one, other))
    with pytest.raises(UsageError, match="expected the same"):
        measure_power(one, matrix(other.scores, systems="abd"))


def test_one_system_has_no_pairs_and_one_topic_no_test() -> None:
    alone = matrix(np.ones((1, 5)), systems="a")
    found = measure_power(alone, alone)
    assert np.isnan([found.sensitivity, found.tau]).all()
    with pytest.raises(UndefinedError):
        measure_power(matrix(np.ones((2, 1)), systems="ab"), matrix(np.ones((2, 1)), systems="ab"))


def test_the_best_matching_measure_is_the_one_with_the_highest_tau(two) -> None:
    one, other = two
    same = matrix(2 * one.scores, "same")
    best, taus = best_matching(one, [other, same, same])
    assert best is same
    assert taus[1] == pytest.approx(1)
    flat = matrix(np.ones((3, 30)))
    with pytest.raises(UsageError, match="no candidate"):
        best_matching(one, [flat])


# TREC DL 2021, NIST grades, 63 runs.
def test_compatibility_is_compared_with_ndcg_on_63_runs(shared: Path) -> None:
    folder = shared / "data" / "trec-dl-2021-passage"
    pairs = {
        "Compat(p=0.8)": ("nDCG@3", 0.676, 0.666, 0.893),
        "Compat(p=0.95)": ("nDCG@20", 0.754, 0.778, 0.937),
    }
    scored = score_runs(
        read_qrels(folder / "qrels" / "nist.qrels"),
        sorted((folder / "runs").iterdir()),
        [*pairs, *(row[0] for row in pairs.values())],
    )
    for compat, (ndcg, sensitivity, other, tau) in pairs.items():
        found = measure_power(scored.matrix(compat), scored.matrix(ndcg))
        assert found.sensitivity == pytest.approx(sensitivity, abs=0.001)
        assert found.other_sensitivity == pytest.approx(other, abs=0.001)
        assert found.tau == pytest.approx(tau, abs=0.001)
