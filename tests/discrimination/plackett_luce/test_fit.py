from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.discrimination.plackett_luce import PlackettLuce, fit_scores, newton
from qrelsmith.discrimination.plackett_luce.newton import minimise


def preferences(seed: int, docs: int, *, topics: int = 3, edge: float = 0.01) -> FloatArray:
    rng = np.random.default_rng(seed)
    upper = np.triu(np.clip(rng.beta(0.5, 0.5, (topics, docs, docs)), edge, 1 - edge), 1)
    return upper + np.tril(1 - upper.swapaxes(1, 2), -1) + 0.5 * np.eye(docs)


def strict_order(docs: int) -> FloatArray:
    place = np.arange(docs)
    return np.where(place[:, None] < place, 1.0, 0.0) + 0.5 * np.eye(docs)


def slope(p: FloatArray, scores: FloatArray) -> FloatArray:
    """The gradient of Eq. 5, exactly as in the paper."""
    docs = len(p)
    out = np.zeros(docs)
    for i in range(docs):
        for j in range(docs):
            if i != j:
                share = 1 / (1 + np.exp(scores[j] - scores[i]))
                out[i] += (p[i, j] + p[j, i]) * share - p[i, j]
    return out


def test_the_scores_of_two_docs_differ_by_the_log_odds() -> None:
    model = fit_scores([[0.5, 0.8], [0.2, 0.5]])
    assert model.scores == pytest.approx([np.log(4) / 2, -np.log(4) / 2])
    assert model.converged
    assert model.before.tolist() == [0, 0]


def test_scores_are_recovered_from_their_preferences() -> None:
    scores = np.array([1.5, -0.25, 0.75, -2.0])
    p = 1 / (1 + np.exp(scores - scores[:, None]))
    assert fit_scores(p).scores == pytest.approx(scores, abs=1e-10)


@given(seed=st.integers(0, 2**32 - 1), docs=st.integers(2, 12))
def test_the_gradient_of_equation_5_is_zero_at_the_scores(seed: int, docs: int) -> None:
    p = preferences(seed, docs)
    model = fit_scores(p)
    assert model.converged.all()
    assert model.scores.sum(axis=1) == pytest.approx(0, abs=1e-9)
    for topic, scores in zip(p, model.scores, strict=True):
        assert slope(topic, scores) == pytest.approx(0, abs=1e-9)


def test_a_general_optimiser_finds_the_same_scores() -> None:
    p = preferences(7, 6, topics=1)[0]

    def loss(scores: FloatArray) -> float:
        return float(
            sum(
                p[i, j] * np.logaddexp(0, scores[j] - scores[i])
                for i in range(6)
                for j in range(6)
                if i != j
            )
        )

    found = minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-7}).x
    assert fit_scores(p).scores == pytest.approx(found - found.mean(), abs=1e-5)


def test_many_topics_at_once_equal_each_topic_alone() -> None:
    p = preferences(3, 5, topics=8).reshape(2, 4, 5, 5)
    together = fit_scores(p)
    assert together.scores.shape == (2, 4, 5)
    assert together.converged.shape == (2, 4)
    for place in np.ndindex(2, 4):
        assert together.scores[place] == pytest.approx(fit_scores(p[place]).scores, abs=1e-9)


def test_a_strict_order_is_certain_and_has_no_scores() -> None:
    model = fit_scores(strict_order(4)[::-1, ::-1])
    assert model.before.tolist() == [3, 2, 1, 0]
    assert model.scores.tolist() == [0, 0, 0, 0]
    assert model.converged


def test_groups_of_docs_that_are_certainly_first_are_fitted_alone() -> None:
    p = np.full((5, 5), 0.5)
    p[:3, 3:], p[3:, :3] = 1, 0
    p[:3, :3] = preferences(1, 3, topics=1)[0]
    p[3, 4], p[4, 3] = 0.9, 0.1
    model = fit_scores(p)
    assert model.before.tolist() == [0, 0, 0, 3, 3]
    assert model.scores[:3] == pytest.approx(fit_scores(p[:3, :3]).scores)
    assert model.scores[3:] == pytest.approx(fit_scores(p[3:, 3:]).scores)


def test_contradictory_certain_preferences_leave_the_order_open() -> None:
    cycle = [[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]]
    model = fit_scores(cycle)
    assert model.before.tolist() == [0, 0, 0]
    assert model.scores == pytest.approx(0, abs=1e-12)
    # One certain preference among uncertain ones puts no doc at infinity.
    open_ = fit_scores([[0.5, 1, 0.6], [0, 0.5, 0.7], [0.4, 0.3, 0.5]])
    assert open_.before.tolist() == [0, 0, 0]
    assert open_.converged


def test_clipped_preferences_converge_to_the_limit() -> None:
    p = strict_order(6)
    p[1, 2], p[2, 1] = 0.7, 0.3
    limit = fit_scores(p)
    clipped = fit_scores(np.clip(p, 1e-9, 1 - 1e-9))
    assert limit.before.tolist() == [0, 1, 1, 3, 4, 5]
    assert np.diff(limit.scores[1:3]) == pytest.approx(np.diff(clipped.scores[1:3]), abs=1e-6)
    assert (-np.diff(clipped.scores[[0, 1, 3, 4, 5]]) > 15).all()


def test_a_preference_too_close_to_certain_for_64_bits_is_certain() -> None:
    assert fit_scores([[0.5, 1.0], [1e-17, 0.5]]).before.tolist() == [0, 1]
    assert fit_scores([[0.5, 1 - 2**-53], [2**-53, 0.5]]).before.tolist() == [0, 0]


def test_one_doc_has_the_score_0_and_no_docs_have_no_scores() -> None:
    assert fit_scores([[0.5]]).scores.tolist() == [0]
    assert fit_scores(np.zeros((2, 0, 0))).scores.shape == (2, 0)
    assert fit_scores(np.zeros((0, 3, 3))).scores.shape == (0, 3)


def test_absent_docs_are_left_out() -> None:
    p = preferences(5, 4, topics=2)
    p[1, 2, :], p[1, :, 2] = np.nan, np.nan
    model = fit_scores(p)
    assert model.docs.tolist() == [4, 3]
    assert model.before[1].tolist() == [0, 0, -1, 0]
    rest = [0, 1, 3]
    assert model.scores[1, rest] == pytest.approx(fit_scores(p[1][np.ix_(rest, rest)]).scores)
    assert np.isnan(model.scores[1, 2])


def test_a_missing_preference_between_existing_docs_makes_the_topic_undefined() -> None:
    p = preferences(5, 4, topics=2)
    p[0, 1, 2] = p[0, 2, 1] = np.nan
    model = fit_scores(p)
    assert np.isnan(model.scores[0]).all()
    assert model.docs.tolist() == [0, 4]


def test_lbfgs_finds_the_same_scores_as_newtons_method() -> None:
    p = preferences(11, 8, topics=4)
    assert fit_scores(p, max_iterations=0).scores == pytest.approx(fit_scores(p).scores, abs=1e-6)


def test_scores_that_did_not_converge_are_flagged_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(newton, "_limited_memory", lambda wins, start: (start, 0.25))
    p = np.stack([preferences(2, 4, topics=1)[0], np.full((4, 4), 0.5)])
    with pytest.warns(RuntimeWarning, match="the scores of 1 of 2 topics did not converge"):
        model = fit_scores(p, max_iterations=0)
    assert model.converged.tolist() == [False, True]
    assert model.gradient.tolist() == [0.25, 0]


def test_a_singular_matrix_is_passed_to_lbfgs(monkeypatch: pytest.MonkeyPatch) -> None:
    p = preferences(2, 4)
    expected = fit_scores(p).scores

    def singular(*_: object) -> FloatArray:
        raise np.linalg.LinAlgError("Singular matrix")

    monkeypatch.setattr(np.linalg, "solve", singular)
    assert fit_scores(p).scores == pytest.approx(expected, abs=1e-6)


def test_counts_of_wins_have_the_same_scores_as_their_shares() -> None:
    p = preferences(2, 5)
    shares, _ = minimise(p)
    counts, gradient = minimise(1000 * p)
    assert counts == pytest.approx(shares, abs=1e-9)
    assert gradient.max() < 1e-9


def test_given_scores_are_centred() -> None:
    model = PlackettLuce.from_scores([[1.0, 2.0, 3.0], [1.0, np.nan, 4.0]])
    assert model.scores[0].tolist() == [-1, 0, 1]
    assert model.scores[1, [0, 2]].tolist() == [-1.5, 1.5]
    assert model.docs.tolist() == [3, 2]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([0.5, 0.5], r"must have the shape \[\.\.\., doc, doc\]; found \[2\]"),
        ([[0.5, 0.5, 0.5]], r"found \[1, 3\]"),
        ([[0.5, 1.2], [-0.2, 0.5]], "the preference of doc 0 over doc 1 is 1.2; expected a number"),
        ([[0.5, 0.7], [0.2, 0.5]], "between doc 0 and doc 1 are 0.7 and 0.2; expected two numbers"),
        ([[0.5, 0.7], [np.nan, 0.5]], "between doc 0 and doc 1 are 0.7 and nan"),
    ],
)
def test_wrong_preferences_are_refused(wrong: object, message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        fit_scores(wrong)  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match="finite"):
        PlackettLuce.from_scores([1.0, np.inf])
