from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.errors import UsageError
from qrelsmith.evaluation.measures import MEASURES

NAN = math.nan
# Eight ranks; 3 and 7 are unjudged. Five docs are relevant; one of them (grade 1) is not returned.
RANKING = [1, 0, NAN, 2, 0, 1, NAN, 3]
IDEAL = [3, 2, 1, 1, 1, 0, 0]


def score(
    name: str, grades: list[float], ideal: list[float], retrieved: int | None = None
) -> float:
    count = None if retrieved is None else np.array(retrieved)
    return float(
        MEASURES.get(name)(np.array(grades, float), np.array(ideal, float), retrieved=count)
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("P@5", 2 / 5),
        ("P@20", 4 / 20),
        ("P(rel=2)@5", 1 / 5),
        ("R@5", 2 / 5),
        ("R", 4 / 5),
        ("R(rel=3)@7", 0.0),
        ("Success@1", 1.0),
        ("Success(rel=2)@3", 0.0),
        ("Success(rel=2)@4", 1.0),
        ("RR", 1.0),
        ("RR(rel=2)", 1 / 4),
        ("RR(rel=2)@3", 0.0),
        # Precision at ranks 1, 4, 6, 8: 1, 1/2, 1/2, 1/2.
        ("AP", 2.5 / 5),
        ("AP@4", 1.5 / 5),
        ("AP(norm='min')@4", 1.5 / 4),
        ("AP(norm='min')@100", 2.5 / 5),
        ("AP(norm='min')", 2.5 / 5),
        ("AP(rel=2)", (1 / 4 + 2 / 8) / 2),
        ("Rprec", 2 / 5),
        ("Rprec(rel=2)", 0.0),
        ("IPrec@0", 1.0),
        ("IPrec@0.5", 1 / 2),
        ("IPrec@1", 0.0),
        ("NumRet", 8.0),
        ("NumRel", 5.0),
        ("NumRel(rel=2)", 2.0),
        ("NumRelRet", 4.0),
        ("NumRelRet@5", 2.0),
        ("SetP", 4 / 8),
        ("SetR", 4 / 5),
        ("SetF", 2 * 0.5 * 0.8 / (0.5 + 0.8)),
        ("SetF(beta=3)", 4 * 0.5 * 0.8 / (3 * 0.5 + 0.8)),
        ("SetF(beta=0)", 0.5),
        ("Judged@3", 2 / 3),
        ("Judged", 6 / 8),
        # Nonrelevant docs above ranks 1, 4, 6, 8: 0, 1, 2, 2; min(N, R) = 2.
        ("bpref", (1 + 0.5 + 0 + 0) / 5),
        # From grade 2, R = 2 and N = 5: relevant at ranks 4 (two above) and 8 (four above).
        ("bpref(rel=2)", 0.0),
    ],
)
def test_scores_are_as_computed_by_hand(name: str, expected: float) -> None:
    assert score(name, RANKING, IDEAL) == pytest.approx(expected, abs=1e-15)


def test_recall_levels_are_rounded_as_in_trec_eval_10() -> None:
    """0.25 · 5 = 1.25: one doc is enough; trec_eval 9 required ⌊1.25 + 0.9⌋ = 2 (0.5 here)."""
    assert score("IPrec@0.25", RANKING, IDEAL) == 1.0
    assert score("IPrec@0.3", RANKING, IDEAL) == 0.5


def test_bpref_of_buckley_and_voorhees() -> None:
    """Three relevant docs, R = 3, with 0, 1 and 4 of many judged nonrelevant docs above them."""
    ranking = [1, 0, 1, 0, 0, 0, 1]
    assert score("bpref", ranking, [1, 1, 1] + [0] * 9) == pytest.approx((1 + 2 / 3 + 0) / 3)


def test_infap_is_as_computed_by_hand() -> None:
    """−1 is a doc of the pool that nobody judged; formula of Yilmaz and Aslam 2006, section 4.

    Relevant docs are at ranks 1, 4 and 6. Rank 4: 2 of 3 docs above are pooled, 1 of 1 judged is
    relevant. Rank 6: 4 of 5 are pooled, 2 of 3 judged are relevant.
    """
    ranking = [1, -1, NAN, 2, 0, 1]
    ideal = [2, 1, 1, 0, -1]
    fourth = 1 / 4 + 3 / 4 * 2 / 3 * (1 + 1e-5) / (1 + 2e-5)
    sixth = 1 / 6 + 5 / 6 * 4 / 5 * (2 + 1e-5) / (3 + 2e-5)
    assert score("infAP", ranking, ideal) == pytest.approx((1 + fourth + sixth) / 3, abs=1e-15)
    assert score("infAP", ranking, ideal) == pytest.approx(0.78704, abs=1e-5)


def test_infap_treats_both_codes_as_pooled() -> None:
    assert score("infAP", [-2, 1], [1, -2]) == score("infAP", [-1, 1], [1, -1])
    assert score("infAP", [-1, 1], [1, -1]) == pytest.approx(1 / 2 + 1 / 2 * 1 * 1 / 2)
    assert score("infAP", [NAN, 1], [1]) == pytest.approx(1 / 2)


@settings(deadline=None)
@given(ranking=st.lists(st.sampled_from([0, 1]), min_size=1, max_size=30))
def test_infap_equals_ap_if_every_doc_is_judged(ranking: list[float]) -> None:
    """Yilmaz and Aslam 2006: with complete judgments the estimate is average precision."""
    ideal = sorted(ranking, reverse=True)
    assert score("infAP", ranking, ideal) == pytest.approx(score("AP", ranking, ideal), abs=1e-4)


@settings(deadline=None)
@given(
    ranking=st.lists(st.sampled_from([NAN, 0, 1]), min_size=1, max_size=30),
    missing=st.integers(0, 5),
)
def test_related_measures_are_equal_in_special_cases(ranking: list[float], missing: int) -> None:
    ideal = sorted((grade for grade in ranking if grade >= 0), reverse=True)
    ideal = [1] * missing + ideal
    total = int(sum(ideal))
    if total:
        assert score("Rprec", ranking, ideal) == pytest.approx(score(f"P@{total}", ranking, ideal))
        assert score("Rprec", ranking, ideal) == pytest.approx(score(f"R@{total}", ranking, ideal))
    length = len(ranking)
    assert score(f"P@{length}", ranking, ideal) == pytest.approx(score("SetP", ranking, ideal))
    assert score("R", ranking, ideal) == score("SetR", ranking, ideal)
    assert score("IPrec@0", ranking, ideal) >= score("RR", ranking, ideal) - 1e-15
    assert score("Success@5", ranking, ideal) == (score("RR@5", ranking, ideal) > 0)


def test_docs_after_the_last_judged_doc_count_as_returned() -> None:
    """`retrieved` may exceed the number of columns: the omitted docs were unjudged."""
    assert score("NumRet", [1, 0], [1, 0], 10) == 10
    assert score("SetP", [1, 0], [1, 0], 10) == 1 / 10
    assert score("Judged@5", [1, 0], [1, 0], 10) == 2 / 5
    assert score("Judged@5", [1, 0, NAN], [1, 0], 3) == 2 / 3
    assert score("Judged@5", [1, 0, NAN], [1, 0], 2) == 1


def test_codes_below_0_are_unjudged_and_grade_0_can_be_relevant() -> None:
    assert score("Judged", [1, -1, -2, 0], [1, 0, -1, -2]) == 2 / 4
    assert score("P(rel=0)@4", [1, -1, -2, 0], [1, 0, -1, -2]) == 2 / 4
    assert score("bpref", [-1, -2, 1], [1, 0, -1, -2]) == 1.0


def test_fractional_grades_need_a_matching_level() -> None:
    assert score("P@2", [0.5, 1], [1, 0.5]) == 1 / 2
    assert score("P(rel=0.5)@2", [0.5, 1], [1, 0.5]) == 1.0


def test_rankings_with_one_doc_are_scored() -> None:
    for name in ("P@1", "R", "RR", "AP", "Rprec", "bpref", "infAP", "IPrec@1", "SetF", "Judged"):
        assert score(name, [1], [1]) == 1.0


@pytest.mark.parametrize("name", ["AP(norm='max')", "SetF(beta=-1)"])
def test_wrong_parameters_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        score(name, [1], [1])
