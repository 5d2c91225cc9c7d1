from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.judging_times.judging_efficiency import judging_efficiency
from qrelsmith.judging_times.judging_pace import (
    ENOUGH,
    Forecast,
    Pace,
    Rate,
    forecast,
    forecast_of_assessors,
    judging_rate,
    judging_seconds,
    pace_of,
)
from qrelsmith.judgments.judgment_files import Judgments

NOW = np.datetime64("2024-05-08T00:00:00", "us")


def judged(times: dict[tuple[str, str], list[int]]) -> Judgments:
    """Return judgments of (assessor, group) at times in s; a doc is shown at the previous one."""
    rows = [
        ("t", f"d{place:03}", who, 0, group, 1000 * (times[place - 1] if place else 0), 1000 * at)
        for (who, group), times in times.items()
        for place, at in enumerate(times)
    ]
    names = ("topic", "doc", "assessor", "grade", "group", "shown_at", "judged_at")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    for name in ("shown_at", "judged_at"):
        columns[name] = [1_700_000_000_000 + value for value in columns[name]]
    return Judgments.from_columns(columns)


def test_the_seconds_of_assessors_and_groups_are_as_computed_by_hand() -> None:
    data = judged({("a", "x"): [10, 15, 35], ("b", "x"): [5, 12, 1000], ("c", ""): [1, 2]})
    efficiency = judging_efficiency(data, high=1)
    by_assessor = judging_seconds(efficiency, by="assessor")
    # The 988 seconds of b count as a pause.
    assert {name: s.tolist() for name, s in by_assessor.items()} == {
        "a": [5, 20], "b": [7], "c": [1],
    }  # fmt: skip
    assert {name: s.tolist() for name, s in judging_seconds(efficiency, by="group").items()} == {
        "x": [5, 20, 7]
    }


def test_a_pace_has_its_quartiles_and_its_number_of_judgments() -> None:
    pace = pace_of(np.array([4.0, 8.0, 10.0, 12.0, 90.0]))
    assert (pace.median, pace.low, pace.high, pace.mean) == (10, 8, 12, 24.8)
    assert not pace.is_enough
    assert pace_of(np.full(ENOUGH, 3.0)).is_enough
    assert math.isnan(pace_of(np.empty(0)).median)


def test_remaining_hours_are_docs_times_seconds() -> None:
    found = forecast(360, Pace(50, median=10.0, low=5.0, high=20.0, mean=15.0))
    assert found == Forecast(360, median=1.0, low=0.5, high=2.0, mean=1.5)
    assert forecast(7, Pace()) == Forecast(docs=7, without=7)
    both = found + forecast(7, Pace())
    assert (both.docs, both.median, both.without) == (367, 1.0, 7)


def test_assessors_with_few_judgments_get_the_pace_of_the_group_or_of_all() -> None:
    seconds = {"a": np.full(30, 36.0), "b": np.full(3, 1.0), "c": np.full(40, 72.0)}
    groups = {"a": "x", "b": "x", "c": "y", "d": "x", "e": "z"}
    left = dict.fromkeys(groups, 100)
    found = forecast_of_assessors(left, seconds, groups)
    assert found["a"].median == 1.0
    assert found["c"].median == 2.0
    # b has too few judgments: the median of the group's 33 is 36 s.
    assert found["b"].median == found["d"].median == 1.0
    # The group of e has none: the median of all 73 is 72 s.
    assert found["e"].median == 2.0
    assert found["e"].without == 0


def test_without_any_time_there_are_no_remaining_hours() -> None:
    found = forecast_of_assessors({"a": 10}, {}, {"a": "x"})
    assert found["a"] == Forecast(docs=10, without=10)


def test_the_rate_is_that_of_the_last_seven_days() -> None:
    days = np.array([1, 2, 3, 4, 5, 6, 8, 20] * 10, dtype="timedelta64[D]")
    rate = judging_rate(NOW - days, NOW)
    assert (rate.docs, rate.days) == (60, 7.0)
    assert rate.a_day == pytest.approx(60 / 7)
    assert rate.days_for(120) == pytest.approx(14)
    assert rate.days_for(0) == 0


def test_the_rate_of_recent_starters_is_measured_since_their_start() -> None:
    rate = judging_rate(NOW - np.array([12, 48] * 20, dtype="timedelta64[h]"), NOW)
    assert (rate.docs, rate.days, rate.a_day) == (40, 2.0, 20.0)


@pytest.mark.parametrize(
    "rate",
    [
        Rate(),
        Rate(ENOUGH - 1, 7.0),  # too few docs
        Rate(500, 0.9),  # less than a day
    ],
)
def test_too_few_judgments_give_no_rate(rate: Rate) -> None:
    assert math.isnan(rate.a_day)
    assert math.isnan(rate.days_for(10))


def test_no_judgments_give_no_rate() -> None:
    assert judging_rate(np.empty(0, dtype="datetime64[us]"), NOW) == Rate()
