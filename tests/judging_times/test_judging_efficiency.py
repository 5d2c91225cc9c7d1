"""Efficiency from judgments, up to the tests of Tables 3 and 4 of ordering-gold-bronze."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.judging_times import NO_CAPS, PAPER_CAPS
from qrelsmith.judging_times.judging_efficiency import (
    GroupComparison,
    compared_groups,
    judging_efficiency,
)
from qrelsmith.judgments.judgment_files import Judgments

START = 1_700_000_000_000


def exactly(mean: float, variance: float, size: int) -> np.ndarray:
    """Return evenly spaced values with exactly this mean and sample variance."""
    values = np.arange(size) - (size - 1) / 2
    return mean + values * math.sqrt(variance / values.var(ddof=1))


def timed(samples: dict[tuple[str, str], np.ndarray], *, first: bool) -> Judgments:
    """Return two-doc sessions whose first judgment or the interval after it takes these seconds."""
    columns: dict[str, list[object]] = {
        name: []
        for name in (
            "topic",
            "doc",
            "assessor",
            "grade",
            "group",
            "ordering",
            "shown_at",
            "judged_at",
        )
    }
    for (group, ordering), seconds in samples.items():
        for topic, value in enumerate(seconds.tolist()):
            judged = [value, value + 5] if first else [10, 10 + value]
            for doc, shown, at in zip("ab", [0, judged[0]], judged, strict=True):
                row = (f"t{topic}", doc, f"{group}-{ordering}", 0, group, ordering)
                times = (START + round(shown * 1000), START + round(at * 1000))
                for column, cell in zip(columns.values(), (*row, *times), strict=True):
                    column.append(cell)
    return Judgments.from_columns(columns)


def test_table_4_follows_from_sessions_with_its_means_sizes_and_residual_variance() -> None:
    # ATBJ: means 25.7 (25), 20.8 (50), 40.7 (50), V_E1 = 139; p with (c): .0000024 and about 0.
    samples = {
        (group, "prioritised"): exactly(mean, 139, n)
        for group, mean, n in (("Gold", 25.7, 25), ("BronzeW", 20.8, 50), ("BronzeT", 40.7, 50))
    }
    found = judging_efficiency(timed(samples, first=False), high=2)
    rows = {
        (c.first, c.second): c
        for c in compared_groups(found, by="group", test="unpaired-tukey")
        if c.criterion == "ATBJ"
    }
    assert list(rows) == [("BronzeT", "BronzeW"), ("BronzeT", "Gold"), ("BronzeW", "Gold")]
    for row in rows.values():
        assert row.test == "unpaired-tukey"
        assert row.effect == "ES_E1"
        assert row.residual_variance == pytest.approx(139, rel=1e-3)
    gold, bronze_w = rows["BronzeT", "Gold"], rows["BronzeT", "BronzeW"]
    assert gold.sizes == (50, 25)
    assert gold.means == pytest.approx((40.7, 25.7), abs=1e-3)
    assert gold.p == pytest.approx(0.0000024, rel=0.15)
    assert gold.effect_size == pytest.approx(1.27, abs=0.005)
    assert bronze_w.p < 1e-10
    assert bronze_w.effect_size == pytest.approx(1.69, abs=0.005)
    assert rows["BronzeW", "Gold"].p > 0.05


def test_table_3_compares_two_orderings_by_student_and_glass() -> None:
    # TJ1D: 41.7 (21) and 65.4 (25), s.d. of RND 47.5, Δ = .499; all a minute later here, so that
    # the evenly spaced values are above 0.
    samples = {
        ("Gold", "prioritised"): exactly(101.7, 30.0**2, 21),
        ("Gold", "randomised"): exactly(125.4, 47.5**2, 25),
    }
    found = judging_efficiency(timed(samples, first=True), high=2, caps=NO_CAPS)
    student = "two-sample-t"
    row = next(compared_groups(found, by="ordering", test=student))
    assert (row.criterion, row.first, row.second) == ("TJ1D", "prioritised", "randomised")
    assert (row.test, row.effect, row.sizes) == ("two-sample-t", "Cohen's d", (21, 25))
    assert row.difference == pytest.approx(41.7 - 65.4, abs=1e-3)
    assert row.glass_delta == pytest.approx(-0.499, abs=5e-4)
    expected = stats.ttest_ind_from_stats(101.7, 30, 21, 125.4, 47.5, 25).pvalue
    assert row.p == pytest.approx(expected, rel=1e-3)
    turned = next(compared_groups(found, by="ordering", test=student, control="prioritised"))
    assert (turned.first, turned.second) == ("randomised", "prioritised")
    assert turned.glass_delta == pytest.approx(23.7 / 30, abs=1e-3)
    welch = next(compared_groups(found, by="ordering", test="welch-t"))
    unequal = stats.ttest_ind_from_stats(101.7, 30, 21, 125.4, 47.5, 25, equal_var=False).pvalue
    assert welch.p == pytest.approx(unequal, rel=1e-3)


def of_speeds(speeds: dict[str, list[float]], *, seed: int, topics: int = 12) -> Judgments:
    """Return sessions of assessors with different speeds, by group; topics vary around them."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[object]] = {
        name: [] for name in ("topic", "doc", "assessor", "grade", "group", "shown_at", "judged_at")
    }
    for group, seconds in speeds.items():
        for who, speed in enumerate(seconds):
            for topic in range(topics):
                took = 1000 * round(max(1.0, rng.normal(speed, 2)))
                for doc, at in (("a", 10_000), ("b", 10_000 + took)):
                    row = (f"t{topic}", doc, f"{group}{who}", 0, group, START, START + at)
                    for column, cell in zip(columns.values(), row, strict=True):
                        column.append(cell)
    return Judgments.from_columns(columns)


def atbj(judgments: Judgments, test: str | None = None) -> GroupComparison:
    found = judging_efficiency(judgments, high=2)
    rows = compared_groups(found, by="group", test=test)
    return next(row for row in rows if row.criterion == "ATBJ")


def test_groups_are_compared_with_assessors_as_the_unit() -> None:
    speeds = {"x": [20.0, 30.0, 40.0, 50.0], "y": [60.0, 65.0, 70.0]}
    judgments = of_speeds(speeds, seed=0)
    row = atbj(judgments)
    found = judging_efficiency(judgments, high=2)
    means = {
        name: [
            found.criteria.of("ATBJ")[
                [session.assessor == f"{name}{who}" for session in found.sessions]
            ].mean()
            for who in range(len(speeds[name]))
        ]
        for name in speeds
    }
    assert (row.test, row.sizes) == ("over-assessors", (4, 3))
    assert row.means == pytest.approx((np.mean(means["x"]), np.mean(means["y"])))
    expected = stats.ttest_ind(means["x"], means["y"], equal_var=False).pvalue
    assert row.p == pytest.approx(expected)


def test_groups_of_the_same_kind_of_assessors_rarely_differ() -> None:
    # Speeds from one distribution: the papers' test over sessions nearly always finds a difference.
    rng = np.random.default_rng(3)
    alarms = {None: 0, "two-sample-t": 0}
    for seed in range(30):
        speeds = rng.normal(40, 8, 8).tolist()
        judgments = of_speeds({"x": speeds[:4], "y": speeds[4:]}, seed=seed)
        for test in alarms:
            alarms[test] += atbj(judgments, test).p < 0.05
    assert alarms[None] <= 4
    assert alarms["two-sample-t"] >= 15


ROWS = """1 a g1 2 gold pri 0 10 1
1 b g1 0 gold pri 10 20 1
2 a g1 1 gold rnd 0 500 1
2 b g1 0 gold rnd 500 900 1
1 a w1 0 bronze pri - 10 1
1 b w1 1 bronze pri - - 1
2 a w1 -1 bronze pri 0 10 1"""


def small() -> Judgments:
    names = (
        "topic", "doc", "assessor", "grade", "group", "ordering", "shown_at", "judged_at",
        "revision",
    )  # fmt: skip
    rows = []
    for line in ROWS.splitlines():
        cells = ["" if cell == "-" else cell for cell in line.split()]
        rows.append([*cells[:6], *(c and str(START + int(c) * 1000) for c in cells[6:8]), cells[8]])
    return Judgments.from_columns(dict(zip(names, zip(*rows, strict=True), strict=True)))


def test_missing_data_is_reported_and_the_rest_is_kept() -> None:
    found = judging_efficiency(small(), high=2)
    assert found.criteria.of("TJ1D")[0] == 10
    assert math.isnan(found.criteria.of("TJ1D")[1])
    assert found.criteria.of("TF1RH").tolist()[:2] == [10, 500]
    notes = "\n".join(found.notes())
    assert "1 of 4 (assessor, topic) pairs have no judgment; first: w1, 2" in notes
    assert "1 of 4 (assessor, topic) pairs have a judgment without a timestamp" in notes
    # Gold's first judgments took 10 and 500 s, its intervals 10 and 400 s.
    assert "TJ1D of gold: values above 180 s are dropped (1 of 2); more than a third" in notes
    assert "ATBJ of gold: intervals above 180 s are dropped (1 of 2); more" in notes
    assert "of bronze" not in notes
    assert {name: sample.tolist() for name, sample in found.samples("NREJ", "group").items()} == {
        "bronze": [0.0],
        "gold": [0.0, 0.0],
    }


def test_a_third_of_a_groups_values_may_be_dropped_without_a_warning() -> None:
    samples = {
        ("gold", "pri"): np.array([10.0, 20, 200]),
        ("bronze", "pri"): np.array([10.0, 200, 300]),
        ("", "pri"): np.array([200.0, 20, 30, 40]),
    }
    found = judging_efficiency(timed(samples, first=True), high=2)
    many = "; more than a third is dropped, so the rest represents only fast judging"
    assert [note for note in found.notes() if "TJ1D" in note and "dropped" in note] == [
        "TJ1D: values above 180 s are dropped (1 of 4)",
        "TJ1D of bronze: values above 180 s are dropped (2 of 3)" + many,
        "TJ1D of gold: values above 180 s are dropped (1 of 3)",
    ]


def test_a_group_without_a_value_is_left_out_of_that_criterion() -> None:
    found = judging_efficiency(small(), high=2)
    compared = [(c.criterion, c.first, c.second) for c in compared_groups(found, by="group")]
    assert compared == [("NREJ", "bronze", "gold")]
    by_ordering = [c.criterion for c in compared_groups(found, by="ordering")]
    assert by_ordering == ["TF1RH", "NREJ"]


def test_active_time_has_no_caps_and_wall_clock_time_the_papers_caps() -> None:
    assert judging_efficiency(small(), high=2).caps == PAPER_CAPS
    assert judging_efficiency(small(), high=2, clock="active").caps == NO_CAPS


def test_impossible_comparisons_are_refused() -> None:
    found = judging_efficiency(small(), high=2)
    with pytest.raises(UsageError, match=r"the control is 'x'; expected one of bronze, gold"):
        list(compared_groups(found, by="group", control="x"))
    alone = judging_efficiency(small().restricted_to(assessors=["g1"]), high=2)
    with pytest.raises(
        UndefinedError, match="a comparison by group needs at least two values; the only group"
    ):
        list(compared_groups(alone, by="group"))
    nobody = judging_efficiency(replace(small(), group=None), high=2)
    with pytest.raises(UndefinedError, match="the judgments have no group"):
        list(compared_groups(nobody, by="group"))
    with pytest.raises(UsageError, match="the lowest highly relevant grade is 0"):
        judging_efficiency(small(), high=0)
