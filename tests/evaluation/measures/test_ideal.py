from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.base.errors import UsageError
from qrelsmith.evaluation.measures import MEASURES

NAN = math.nan


def score(name: str, values: list[float], ideal: list[float]) -> float:
    return float(MEASURES.get(name)(np.array(values, float), np.array(ideal, float)))


def overlap(first: list[int], second: list[int], p: float, depth: int = 1000) -> float:
    """Return rank-biased overlap by its definition, depth by depth."""
    total = norm = 0.0
    seen: tuple[set[int], set[int]] = (set(), set())
    for place in range(depth):
        for docs, ranking in zip(seen, (first, second), strict=True):
            docs.update(ranking[place : place + 1])
        total += p**place * len(seen[0] & seen[1]) / (place + 1)
        norm += p**place
    return total / norm


def compatibility(values: list[float], missing: list[float], p: float, *, norm: bool) -> float:
    """Return the definition with docs: 0, 1, … are returned by the run, the others are not."""
    worth = dict(enumerate([*values, *missing]))
    run = list(range(len(values)))
    # Docs of the run have lower numbers, in the order of the run: a stable sort keeps it.
    ideal = sorted((doc for doc in worth if worth[doc] > 0), key=lambda doc: -worth[doc])
    best = overlap(ideal, ideal, p)
    if not norm:
        return overlap(run, ideal, p)
    return overlap(run, ideal, p) / best if best else 0.0


def test_fixed_cases_have_known_scores() -> None:
    """Computed with compatibility.py: qrels A=3, B=2, run B, A; qrels A=1, run X, A."""
    assert score("Compat(p=0.95)", [2, 3], [3, 2]) == pytest.approx(0.8115626935143343, abs=1e-15)
    assert score("Compat(p=0.95)", [NAN, 1], [1]) == pytest.approx(0.6828822093394317, abs=1e-15)


def test_scores_are_as_computed_by_hand() -> None:
    """One relevant doc, returned first: RBO = (1 − p)/p · ln 1/(1 − p), up to depth 1000."""
    expected = math.log(2)
    assert score("Compat(norm='none',p=0.5)", [1], [1]) == pytest.approx(expected, abs=1e-12)
    assert score("Compat(p=0.5)", [1], [1]) == pytest.approx(1.0, abs=1e-15)
    # At rank 2, only the terms from depth 2 on are left: ln 2 − 1/2.
    late = score("Compat(norm='none',p=0.5)", [NAN, 1], [1])
    assert late == pytest.approx(math.log(2) - 0.5, abs=1e-12)


values = st.sampled_from([NAN, -2, -1, 0, 0.5, 1, 2, 3])


@examples(60)
@given(
    run=st.lists(values, max_size=12),
    missing=st.lists(values, max_size=6),
    p=st.sampled_from([0.1, 0.8, 0.95]),
    norm=st.booleans(),
)
def test_compatibility_equals_its_definition(
    run: list[float], missing: list[float], p: float, norm: bool
) -> None:
    ideal = sorted((value for value in [*run, *missing] if value > -9), reverse=True)
    name = f"Compat(p={p})" if norm else f"Compat(norm='none',p={p})"
    expected = compatibility(run, missing, p, norm=norm)
    assert score(name, run, ideal) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("returned", "relevant"), [(1500, 3), (1005, 1200), (10, 1100)])
def test_docs_beyond_depth_1000_do_not_count(returned: int, relevant: int) -> None:
    rng = np.random.default_rng(5)
    worth = rng.permutation(np.r_[np.ones(relevant), np.zeros(max(returned - relevant, 0))])
    run, missing = worth[:returned].tolist(), worth[returned:].tolist()
    ideal = sorted([*run, *missing], reverse=True)
    for p in (0.95, 0.999):
        for name, norm in ((f"Compat(p={p})", True), (f"Compat(norm='none',p={p})", False)):
            expected = compatibility(run, missing, p, norm=norm)
            assert score(name, run, ideal) == pytest.approx(expected, abs=1e-12)


def test_the_ideal_follows_the_run_within_a_level() -> None:
    assert score("Compat", [2, 2, 1, 1], [2, 2, 1, 1]) == pytest.approx(1.0, abs=1e-15)
    # Docs that the run lacks are last in their level; docs of the run keep their places.
    one, two = score("Compat(norm='none')", [2], [2, 2]), score("Compat(norm='none')", [2], [2])
    assert one == two


def test_docs_without_value_are_left_out() -> None:
    assert score("Compat", [0, 1], [1, 0]) == score("Compat", [NAN, 1], [1])
    assert score("Compat", [-1, 1], [1, -1]) == score("Compat", [NAN, 1], [1])


def test_levels_of_one_topic_do_not_affect_other_topics() -> None:
    """All topics of a batch share one list of levels."""
    measure = MEASURES.get("Compat(p=0.9)")
    gains = np.array([[2.0, 3.0, NAN], [0.25, NAN, 0.5], [NAN, NAN, NAN]])
    ideal = np.array([[3.0, 2.0], [0.5, 0.25], [7.0, 1.0]])
    expected = [score("Compat(p=0.9)", *pair) for pair in zip(gains, ideal, strict=True)]
    np.testing.assert_allclose(measure(gains, ideal), expected, rtol=0, atol=1e-15)
    assert expected[2] == 0.0


def test_every_doc_can_have_its_own_level() -> None:
    """Real-valued grades: the running time does not grow with the number of levels."""
    rng = np.random.default_rng(3)
    worth = rng.random((40, 500))
    ideal = -np.sort(-worth, axis=-1)
    scores = MEASURES.get("Compat(p=0.9)")(worth[:, :300], ideal)
    expected = compatibility(worth[0, :300].tolist(), worth[0, 300:].tolist(), 0.9, norm=True)
    assert scores[0] == pytest.approx(expected, abs=1e-12)
    assert scores.shape == (40,)


@pytest.mark.parametrize("name", ["Compat(norm='x')", "Compat(p=0)", "Compat(p=1)", "Compat(p=-1)"])
def test_wrong_parameters_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        score(name, [1], [1])
