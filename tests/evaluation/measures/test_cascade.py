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
NTCIR_RANKING = [0, 3, NAN, 2]
NTCIR_IDEAL = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0]


def score(name: str, gains: list[float], ideal: list[float], *, gmax: float | None = 3) -> float:
    return float(MEASURES.get(name)(np.array(gains, float), np.array(ideal, float), gmax=gmax))


@pytest.mark.parametrize(
    ("name", "printed"), [("ERR", 0.4062), ("nERR@1000", 0.4710), ("nERR@2", 0.4444)]
)
def test_scores_equal_the_ntcireval_sample(name: str, printed: float) -> None:
    """Printed by NTCIREVAL (`res_test_compute.txt`, `_cutoff.txt`) with gains 1:2:3."""
    # 0.40625 was printed as 0.4062 (halves to even).
    assert score(name, NTCIR_RANKING, NTCIR_IDEAL) == pytest.approx(printed, abs=5.1e-5)


@pytest.mark.parametrize(("name", "printed"), [("ERR", 0.4600), ("nERR@1000", 0.4851)])
def test_scores_equal_the_ntcireval_sample_with_gains_1_4_9(name: str, printed: float) -> None:
    """Printed by NTCIREVAL (`res_test_compute_grade.txt`)."""
    ranking, ideal = ([grade**2 for grade in grades] for grades in (NTCIR_RANKING, NTCIR_IDEAL))
    assert score(name, ranking, ideal, gmax=9) == pytest.approx(printed, abs=5.1e-5)


@pytest.mark.parametrize(
    ("ranking", "cutoff", "printed"),
    [
        ([0, 1, 2, 1, 0], 20, 0.10175),
        ([0, 1, 2, 1, 0], 2, 0.03125),
        ([NAN, 2, NAN, NAN], 20, 0.09375),
        ([NAN, 2, NAN, NAN], 2, 0.09375),
    ],
)
def test_scores_equal_those_of_gdeval(ranking: list[float], cutoff: int, printed: float) -> None:
    """Printed by gdeval (in the tests of ir_measures), whose top grade is always 4."""
    name = f"ERR(gain='exp')@{cutoff}"
    assert score(name, ranking, ranking, gmax=4) == pytest.approx(printed, abs=5.1e-6)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # Stopping probabilities 3/4, 2/4, 1/4 at ranks 1, 3, 5: P_ERR = 0.75, 0.125, 0.03125.
        ("ERR", 0.75 + 0.125 / 3 + 0.03125 / 5),
        ("ERR@3", 0.75 + 0.125 / 3),
        # The ideal stops at ranks 1 to 4 with 0.75, 0.1875, 0.03125, 0.0078125.
        (
            "nERR",
            (0.75 + 0.125 / 3 + 0.03125 / 5) / (0.75 + 0.1875 / 2 + 0.03125 / 3 + 0.0078125 / 4),
        ),
        # Stopping probabilities 7/8, 3/8, 1/8: 0.875, 0.046875, 0.009765625.
        ("ERR(gain='exp')", 0.875 + 0.046875 / 3 + 0.009765625 / 5),
        # The first power is p¹: 0.99 · 0.75 + 0.99³ · 0.125 + 0.99⁵ · 0.03125.
        ("iRBU", 0.89350581406),
        ("iRBU(p=0.99)@1", 0.7425),
        ("iRBU(p=1)", 0.75 + 0.125 + 0.03125),
        ("iRBU(p=0)", 0.0),
        ("iRBU(p=0.5)@3", 0.375 + 0.125 * 0.125),
        ("niRBU(p=0.5)@1", 1.0),
        ("niRBU(p=0.5)@2", 0.375 / (0.375 + 0.25 * 0.1875)),
    ],
)
def test_scores_are_as_computed_by_hand(name: str, expected: float) -> None:
    assert score(name, RANKING, IDEAL) == pytest.approx(expected, abs=1e-10)


def test_the_top_is_that_of_the_scale_not_of_the_topic() -> None:
    """A topic with the best grade 1: on a scale to 3, its best doc satisfies one user in four."""
    assert score("ERR", [1], [1], gmax=3) == 0.25
    assert score("ERR", [1], [1], gmax=1) == 0.5
    assert score("nERR", [1], [1], gmax=3) == 1.0


@settings(deadline=None)
@given(ranking=st.lists(st.sampled_from([NAN, 0, 1, 2, 3]), max_size=20))
def test_with_p_1_irbu_is_the_probability_of_stopping(ranking: list[float]) -> None:
    """With p = 1, iRBU is the probability of stopping at all: 1 − Π(1 − Prsat)."""
    going_on = math.prod(1 - max(gain, 0) / 4 for gain in ranking if gain >= 0)
    assert score("iRBU(p=1)", ranking, [3]) == pytest.approx(1 - going_on, abs=1e-12)


@settings(deadline=None)
@given(ranking=st.lists(st.sampled_from([NAN, 0, 1, 2, 3]), max_size=20))
def test_err_by_the_algorithm_of_its_paper(ranking: list[float]) -> None:
    """Chapelle et al. 2009, algorithm 2, rank by rank."""
    chance, expected = 1.0, 0.0
    for rank, gain in enumerate(ranking, start=1):
        stop = 0.0 if math.isnan(gain) else gain / 4
        expected += chance * stop / rank
        chance *= 1 - stop
    assert score("ERR", ranking, [3]) == pytest.approx(expected, abs=1e-12)


def test_the_ideal_ranking_scores_1() -> None:
    for name in ("nERR", "nERR@2", "nERR(gain='exp')@3", "niRBU", "niRBU@2", "niRBU(p=0.5)"):
        assert score(name, IDEAL, IDEAL) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    "name", ["ERR(gain='cubic')", "nERR(gain='')", "iRBU(p=1.1)", "niRBU(p=-0.5)"]
)
def test_wrong_parameters_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        score(name, RANKING, IDEAL)


@pytest.mark.parametrize("name", ["ERR", "ERR(gain='exp')", "iRBU", "nERR", "niRBU"])
def test_a_gain_above_the_top_is_an_error(name: str) -> None:
    with pytest.raises(UsageError, match="the gain 3, above the top of the scale"):
        score(name, RANKING, IDEAL, gmax=2)


def test_a_scale_too_high_for_a_power_of_two_is_an_error() -> None:
    with pytest.raises(UsageError, match="too large"):
        score("ERR(gain='exp')", [1], [1], gmax=2000)
    assert score("ERR", [1000], [1000], gmax=2000) == pytest.approx(1000 / 2001)
