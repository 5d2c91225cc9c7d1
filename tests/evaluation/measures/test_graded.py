from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.errors import UsageError
from qrelsmith.evaluation.measures import MEASURES

NAN = math.nan
RANKING = [3, NAN, 2, 0, 1]
IDEAL = [3, 3, 2, 1, 0]
# The sample of NTCIREVAL (sample.res and sample.rel): levels of the ranked docs, and of all judged.
NTCIR_RANKING = [0, 3, NAN, 2]
NTCIR_IDEAL = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0]

rankings = st.lists(st.sampled_from([NAN, 0, 1, 2, 3]), min_size=1, max_size=20)


def score(
    name: str,
    gains: list[float],
    ideal: list[float],
    *,
    gmax: float = 3,
    retrieved: int | None = None,
) -> float:
    count = None if retrieved is None else np.array(retrieved)
    arrays = np.array(gains, float), np.array(ideal, float)
    return float(MEASURES.get(name)(*arrays, gmax=gmax, retrieved=count))


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("Q", 0.0967),
        ("Q@1000", 0.0967),
        ("Q@2", 0.25),
        ("nDCG@1000", 0.2760),
        ("nDCG@2", 0.3869),
        ("RBP(p=0.95)", 0.0761),
    ],
)
def test_scores_equal_the_ntcireval_sample(name: str, printed: float) -> None:
    """Printed by NTCIREVAL (`res_test_compute.txt`, `_cutoff.txt`) with gains 1:2:3."""
    assert score(name, NTCIR_RANKING, NTCIR_IDEAL) == pytest.approx(printed, abs=5.1e-5)


@pytest.mark.parametrize(
    ("name", "printed"), [("Q", 0.0929), ("nDCG@1000", 0.2947), ("RBP(p=0.95)", 0.0666)]
)
def test_scores_equal_the_ntcireval_sample_with_gains_1_4_9(name: str, printed: float) -> None:
    """Printed by NTCIREVAL (`res_test_compute_grade.txt`)."""
    ranking, ideal = ([grade**2 for grade in grades] for grades in (NTCIR_RANKING, NTCIR_IDEAL))
    assert score(name, ranking, ideal, gmax=9) == pytest.approx(printed, abs=5.1e-5)


def test_ndcg_equals_the_example_in_the_readme_of_pyntcireval() -> None:
    ranking = [2, 0, 1, 0, 1, 0, 0, 2, 0, 0]
    ideal = sorted(ranking, reverse=True)
    assert score("nDCG@5", ranking, ideal) == pytest.approx(0.6885695823073614, abs=1e-15)


def test_ndcg_equals_the_example_in_wikipedia() -> None:
    """“Discounted cumulative gain”: DCG 6.861 over the ideal 8.740 of eight judged docs."""
    assert score("nDCG@6", [3, 2, 3, 0, 1, 2], [3, 3, 3, 2, 2, 2, 1, 0]) == pytest.approx(
        0.785, abs=5e-4
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # (3 + 2/2 + 1/log2 6) / (3 + 3/log2 3 + 2/2 + 1/log2 5)
        ("nDCG", 4.386853 / 6.323466),
        ("nDCG@1", 1.0),
        ("nDCG@2", 3 / 4.892789),
        # (7 + 3/2 + 1/log2 6) / (7 + 7/log2 3 + 3/2 + 1/log2 5)
        ("nDCG(dcg='exp-log2')", 8.886853 / 13.347185),
        # Blended ratios (1 + 3)/(1 + 3), (2 + 5)/(3 + 8), (3 + 6)/(5 + 9); R = 4.
        ("Q", (1 + 7 / 11 + 9 / 14) / 4),
        ("Q@3", (1 + 7 / 11) / 3),
        ("Q(beta=0)", (1 + 2 / 3 + 3 / 5) / 4),
        ("Q(beta=2)", (1 + (2 + 10) / (3 + 16) + (3 + 12) / (5 + 18)) / 4),
        # 0.2 · (1 + 2/3 · 0.64 + 1/3 · 0.4096)
        ("RBP", 0.31264),
        ("RBP(p=0.8)@3", 0.2 * (1 + 2 / 3 * 0.64)),
        ("RBP(p=0.8,rel=1)", 0.2 * (1 + 0.64 + 0.4096)),
        ("RBP(p=0.8,rel=3)", 0.2),
        ("RBP(p=0)", 1.0),
        # The unjudged doc at rank 2 and everything after rank 5.
        ("RBPresidual", 0.2 * 0.8 + 0.8**5),
        ("RBPresidual@1", 0.8),
        ("RBPresidual@2", 0.2 * 0.8 + 0.8**2),
    ],
)
def test_scores_are_as_computed_by_hand(name: str, expected: float) -> None:
    assert score(name, RANKING, IDEAL) == pytest.approx(expected, abs=1e-6)


def test_the_ideal_of_q_stays_flat_after_the_last_relevant_doc() -> None:
    """R = 1: at rank 3 the ideal cumulated gain is still 2, so that Q = (1 + 2)/(3 + 2)."""
    assert score("Q", [0, 0, 2], [2, 0, 0]) == pytest.approx(3 / 5)


@settings(deadline=None)
@given(ranking=rankings, missing=st.lists(st.sampled_from([0, 1, 2, 3]), max_size=5))
def test_q_without_gain_in_the_blended_ratio_is_average_precision(
    ranking: list[float], missing: list[float]
) -> None:
    ideal = sorted([*missing, *(gain for gain in ranking if gain >= 0)], reverse=True)
    for cutoff in ("", "@3", "@10"):
        q, ap = score(f"Q(beta=0){cutoff}", ranking, ideal), f"AP(norm='min'){cutoff}"
        assert q == pytest.approx(score(ap, ranking, ideal), abs=1e-12)


@settings(deadline=None)
@given(ranking=rankings, p=st.sampled_from([0.5, 0.8, 0.95]))
def test_the_residual_is_the_possible_gain_of_unjudged_docs(ranking: list[float], p: float) -> None:
    """Moffat and Zobel 2008, 4.4: assume that all unjudged and all further docs are perfect."""
    ideal = sorted((gain for gain in ranking if gain >= 0), reverse=True)
    best = [3 if math.isnan(gain) else gain for gain in ranking] + [3] * 2000
    name = f"RBP(p={p})"
    rise = score(name, best, ideal) - score(name, ranking, ideal)
    assert score(f"RBPresidual(p={p})", ranking, ideal) == pytest.approx(rise, abs=1e-12)
    # Additional unjudged docs at the end are unknown in the same way.
    more = score(f"RBPresidual(p={p})", ranking, ideal, retrieved=len(ranking) + 7)
    assert more == pytest.approx(rise, abs=1e-12)


def test_codes_below_0_leave_the_residual_unchanged() -> None:
    residual = score("RBPresidual(p=0.5)", [1, NAN, NAN], [1])
    assert residual == 1 - 0.5
    assert score("RBPresidual(p=0.5)", [1, -1, -2], [1, -1, -2]) == residual


@settings(deadline=None)
@given(ranking=rankings, factor=st.sampled_from([0.1, 2.0, 7.0]))
def test_ndcg_and_rbp_depend_on_proportions_of_the_gain(
    ranking: list[float], factor: float
) -> None:
    ideal = sorted((gain for gain in ranking if gain >= 0), reverse=True)
    scaled = [gain * factor for gain in ranking], [gain * factor for gain in ideal]
    for name in ("nDCG@5", "RBP(p=0.9)"):
        one, other = score(name, ranking, ideal), score(name, *scaled, gmax=3 * factor)
        assert one == pytest.approx(other, abs=1e-12)


def test_the_ideal_ranking_scores_1() -> None:
    for name in ("nDCG", "nDCG@2", "nDCG@50", "nDCG(dcg='exp-log2')@3", "Q", "Q@2", "Q@50"):
        assert score(name, IDEAL, IDEAL) == pytest.approx(1.0, abs=1e-15)


def test_fractional_grades_are_scored() -> None:
    assert score("nDCG@2", [0.25, 0.5], [0.5, 0.25]) == pytest.approx(
        (0.25 + 0.5 / math.log2(3)) / (0.5 + 0.25 / math.log2(3))
    )
    assert score("Q", [0.5], [0.5]) == 1.0
    assert score("RBP(p=0.5)", [0.25], [0.25], gmax=1) == 0.125


def test_a_scale_with_one_level_has_score_0() -> None:
    assert score("RBP", [0, 0], [0, 0], gmax=0) == 0.0


@pytest.mark.parametrize(
    "name", ["nDCG(dcg='ln')", "Q(beta=-1)", "RBP(p=1)", "RBP(p=-0.1)", "RBPresidual(p=2)"]
)
def test_wrong_parameters_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        score(name, RANKING, IDEAL)


def test_a_gain_above_the_top_is_an_error() -> None:
    with pytest.raises(UsageError, match="the gain 4, above the top of the scale"):
        score("RBP", [4], [4])


def test_gains_too_high_for_a_power_of_two_are_an_error() -> None:
    assert score("nDCG(dcg='exp-log2')", [1023, 0], [1023, 0]) == 1.0
    with pytest.raises(UsageError, match="too large"):
        score("nDCG(dcg='exp-log2')", [1024], [1024])
