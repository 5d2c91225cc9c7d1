"""Measures of answers: examples by hand, and rules for all of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import UsageError
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.evaluation.measures.answers import NUGGET_VARIANTS

NAN = math.nan


def score(name: str, shares: object, weights: object, **known: object) -> float:
    arrays = [np.array(values, dtype=np.float64) for values in (shares, weights)]
    return float(MEASURES.get(name)(*arrays, **{k: np.array(v) for k, v in known.items()}))


# Three vital nuggets (supported, partial, none) and two okay nuggets (supported, partial).
NUGGETS = [1, 0.5, 0, 1, 0.5], [1, 1, 1, 0.5, 0.5]


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("V_strict", 1 / 3),
        ("V", 1.5 / 3),
        ("W_strict", (1 + 0.5) / (3 + 1)),
        ("W", (1.5 + 0.5 * 1.5) / (3 + 1)),
        ("A_strict", 2 / 5),
        ("A", 3 / 5),
    ],
)
def test_nugget_recall_is_as_autonuggetizer_defines_it(variant: str, expected: float) -> None:
    assert score(f"NuggetRecall(variant='{variant}')", *NUGGETS) == pytest.approx(expected)


def test_nuggets_without_a_label_are_left_out_and_without_any_the_score_is_undefined() -> None:
    assert score("NuggetRecall(variant='A')", [1, NAN, 0], [1, 1, 1]) == 0.5
    assert math.isnan(score("NuggetRecall(variant='A')", [NAN, NAN], [1, 1]))
    # No nugget is vital.
    assert math.isnan(score("NuggetRecall", [1, 1], [0.5, 0.5]))


@pytest.mark.parametrize(
    ("shares", "expected", "strict"),
    [
        # Question 0 weighs 4 and expects two answers, question 1 weighs 2 and expects one, question
        # 2 weighs 1 and expects three.
        ([1, 0.5, 0, 1, 1, 0.5], (4 * 0.75 + 0 + 2.5 / 3) / 7, (4 * 0.5 + 2 / 3) / 7),
        ([1, 1, 1, 1, 1, 1], 1, 1),
        ([1, NAN, NAN, 1, NAN, 0], (4 + 0.5) / 5, (4 + 0.5) / 5),
    ],
)
def test_rubric_score_is_as_dragun_defines_it(
    shares: list[float], expected: float, strict: float
) -> None:
    known = {"group": [0, 0, 1, 2, 2, 2]}
    weights = [4, 4, 2, 1, 1, 1]
    assert score("RubricScore", shares, weights, **known) == pytest.approx(expected)
    assert score("RubricScore(strict=True)", shares, weights, **known) == pytest.approx(strict)


# Sentence 0 cites two docs, sentence 1 one doc, sentence 2 none, sentence 3 one without a label.
CITED = {"group": [0, 0, 1, 3], "cited": [True, False, True, True], "sentences": 4}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("CitationPrecision", (0 + 1 + 0.5) / 3),
        ("CitationPrecision(strict=True)", 1 / 3),
        ("CitationRecall", (1 + 0.5 + 0) / 3),
        ("CitationRecall(first=True)", (0 + 0.5 + 0) / 3),
        ("CitationRecall(strict=True)", (1 + 0 + 0) / 3),
    ],
)
def test_citation_measures_are_as_computed_by_hand(name: str, expected: float) -> None:
    assert score(name, [0, 1, 0.5, NAN], [1] * 4, **CITED) == pytest.approx(expected)


def test_an_answer_without_citations_has_no_precision_and_recall_0() -> None:
    none = {"group": [0], "cited": [False], "sentences": 3}
    assert math.isnan(score("CitationPrecision", [NAN], [NAN], **none))
    assert score("CitationRecall", [NAN], [NAN], **none) == 0
    assert math.isnan(score("CitationRecall", [NAN], [NAN], **none | {"sentences": 0}))


@given(
    st.sampled_from(NUGGET_VARIANTS),
    st.lists(st.tuples(st.sampled_from([0, 0.5, 1]), st.sampled_from([0.5, 1])), min_size=1),
)
def test_a_batch_equals_its_rows_and_more_support_never_lowers_a_score(
    variant: str, nuggets: list[tuple[float, float]]
) -> None:
    shares, weights = np.array(nuggets).T
    more = np.minimum(shares + 0.5, 1)
    measure = MEASURES.get(f"NuggetRecall(variant='{variant}')")
    both = measure(np.stack([shares, more]), np.stack([weights, weights]))
    assert both.tolist() == pytest.approx(
        [float(measure(shares, weights)), float(measure(more, weights))], nan_ok=True
    )
    assert not both[1] < both[0]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("nuggetrecall", "NuggetRecall(variant='V_strict')"),
        ("CitationRecall(first=True)", "CitationRecall(first=True)"),
        ("CitationRecall(first=False)", "CitationRecall"),
        ('Criterion("faithfulness")', "Criterion('faithfulness')"),
        ("Criterion(name='win-rate')", "Criterion('win-rate')"),
    ],
)
def test_labels_of_measures_are_parsed(name: str, label: str) -> None:
    assert MEASURES.label(name) == label
    assert MEASURES.label(label) == label


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Criterion", r"Criterion needs a name: Criterion\('name'\)"),
        ("CitationRecall(first=2)", "expected True or False for first"),
        ("NuggetRecall('V')", "cannot be read"),
    ],
)
def test_wrong_names_are_refused(name: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        MEASURES.get(name)


def test_an_unknown_variant_is_reported_with_the_available_ones() -> None:
    with pytest.raises(UsageError, match="expected one of V_strict, V, W_strict"):
        score("NuggetRecall(variant='X')", *NUGGETS)
