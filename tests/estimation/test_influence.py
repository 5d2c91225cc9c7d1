"""Scores linearised at predicted grades, compared with complete judging and all possible grades."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from qrelsmith import evaluate
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.estimation.influence import influence_of, set_apart
from qrelsmith.estimation.linear_measures import linear_measure

SCALE = Scale.parse("0..2")
RANK = np.array([[1, 2, 0, 3], [0, 1, 3, 2]])
TOPIC = np.zeros(4, dtype=np.int64)


@pytest.mark.parametrize(
    "name", ["P(rel=2)@2", "RBP(p=0.8)", "DCG@3", "nDCG@3", "nDCG(dcg='exp-log2')@2"]
)
def test_known_grades_give_the_scores_of_evaluate(name: str) -> None:
    grades = [2, 0, 1, 1]
    docs = ["a", "b", "c", "d"]
    runs = {
        str(run): {"t": {docs[unit]: -float(rank) for unit, rank in enumerate(ranks) if rank}}
        for run, ranks in enumerate(RANK.tolist())
    }
    qrels = {"t": dict(zip(docs, grades, strict=True))}
    wanted = evaluate(qrels, runs, name, scale=SCALE).table()
    probability = np.eye(3)[grades]
    scores = influence_of(linear_measure(name, SCALE), RANK, TOPIC, probability, topics=1)
    assert scores.expected.sum(axis=1).tolist() == pytest.approx([row[-1] for row in wanted.rows])


def test_the_contribution_of_a_grade_to_the_ideal_is_exact() -> None:
    """For all 81 ways to grade four docs; nDCG's ideal is not a sum, but its mean is."""
    measure = linear_measure("nDCG@2", SCALE)
    probability = np.random.default_rng(0).dirichlet([1, 1, 1], size=4)
    ways = np.array(list(product(range(3), repeat=4)))
    chance = probability[np.arange(4), ways].prod(axis=1)
    ideal = np.sort(ways, axis=1)[:, ::-1][:, :2] @ measure.discount[1:]
    found = influence_of(measure, RANK, TOPIC, probability, topics=1)
    for unit, grade in product(range(4), range(3)):
        given = ways[:, unit] == grade
        wanted = chance[given] @ ideal[given] / chance[given].sum() - chance @ ideal
        assert found.ideal[unit, grade] == pytest.approx(wanted)


def test_a_focus_is_compared_with_its_peers() -> None:
    values = np.array([[1.0, 0.0], [3.0, 0.0], [8.0, 3.0]])
    assert set_apart(values).tolist() == [[-3.0, -1.0], [-1.0, -1.0], [4.0, 2.0]]
    assert set_apart(values, [0, 2]).tolist() == [[-3.5, -1.5], [3.5, 1.5]]
    assert set_apart(values, [2]).tolist() == [[6.0, 3.0]]
    assert set_apart(values[:1], [0]).tolist() == [[1.0, 0.0]]


def test_measures_that_are_not_sums_over_docs_are_refused_with_alternatives() -> None:
    with pytest.raises(UsageError, match=r"ERR@10 is not a sum over docs.*nDCG@10 in pairs"):
        linear_measure("ERR@10", SCALE)
    with pytest.raises(UsageError, match="no cutoff; expected one, such as nDCG@10"):
        linear_measure("nDCG", SCALE)
