from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.content import Lines
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.rankings.topic_set_size import (
    Aim,
    Variance,
    planned_topics,
    topic_curves,
    variance_of,
)

NERR, IRBU = Variance("nERR@10", 0.0284), Variance("iRBU@10", 0.00716)


def test_the_plan_of_www_4_is_reproduced() -> None:
    # ordering-gold-bronze, 3.2: 50 topics, a power above 80 %.
    (found,) = planned_topics([NERR], [Aim("anova", 0.1)])
    assert found.topics == 46
    (found,) = planned_topics([IRBU], [Aim("anova", 0.05)], topics=[50])
    assert found.topics == 50
    assert found.power == pytest.approx(0.833, abs=5e-4)
    assert found.reached < 0.05


def test_every_measure_has_every_goal_and_number_of_topics() -> None:
    aims = [Aim("paired-t", 0.1, power=0.9), Aim("paired-interval", 0.2)]
    rows = planned_topics([NERR, IRBU], aims, topics=[20, 40])
    assert len(rows) == 2 * 2 * 2
    for row in rows:
        assert math.isnan(row.power) is (row.aim.test == "paired-interval")
    # Four times the topics nearly halve a width.
    widths = [row.reached for row in planned_topics([NERR], [aims[1]], topics=[100, 400])]
    assert widths[0] / widths[1] == pytest.approx(2, rel=0.02)


def test_the_variance_of_scores_is_the_residual_variance() -> None:
    # The residuals of [[1, 0], [0, 0], [0, 1]] are ±.5 in the first and last row: V_E2 = 1/2.
    scores = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    found = variance_of(ScoreMatrix("AP", ("a", "b"), ("1", "2", "3"), scores))
    assert found.measure == "AP"
    assert found.value == pytest.approx(0.5)
    with pytest.raises(UndefinedError, match="needs two systems and two topics, not 1 and 3"):
        variance_of(ScoreMatrix("AP", ("a",), ("1", "2", "3"), scores[:1]))


def test_a_test_of_two_systems_uses_two_systems() -> None:
    with pytest.raises(UsageError, match="paired-t compares 2 systems; found 3"):
        Aim("paired-t", 0.1, systems=3)
    with pytest.raises(UsageError, match="compares 2 systems"):
        Aim("two-sample-interval", 0.1, systems=3)
    with pytest.raises(UsageError, match="expected one of anova, paired-t, two-sample-t, paired-"):
        Aim("tukey", 0.1)


def test_curves_pass_through_the_required_number() -> None:
    figure = topic_curves([NERR, IRBU], [Aim("anova", 0.1)])
    assert isinstance(figure.drawing, Lines)
    first, second = figure.drawing.lines
    assert first.name == "nERR@10, anova 0.1"
    assert first.x[0] == 2
    assert first.x[-1] == 2 * 46
    assert list(second.y) == sorted(second.y)
    assert figure.drawing.marks[0] == (46.0, pytest.approx(0.8038, abs=1e-4), "46")
    assert figure.drawing.reference == 0.8


def test_widths_and_powers_share_no_axis() -> None:
    figure = topic_curves([Variance("", 0.1)], [Aim("paired-interval", 0.2)])
    assert isinstance(figure.drawing, Lines)
    assert figure.drawing.y_label == "expected width"
    assert figure.drawing.lines[0].name == "σ² 0.1, paired-interval 0.2"
    with pytest.raises(UsageError, match="a chart cannot combine"):
        topic_curves([NERR], [Aim("paired-interval", 0.2), Aim("anova", 0.1)])
