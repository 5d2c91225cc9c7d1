"""The page of progress has the numbers of the export."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.judging_times.judging_efficiency import judging_efficiency
from qrelsmith.judging_times.judging_pace import judging_seconds, pace_of
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.web.models import Assignment
from qrelsmith.web.organiser.progress import progress
from qrelsmith.web.templatetags.figures import seconds

Read = Callable[..., Any]
ADDRESS = "/organiser/progress"


def test_judged_and_remaining_docs_are_as_counted_by_hand(judged: Any, read: Read) -> None:
    page = read(judged, ADDRESS)
    assert (page.fact("Judged"), page.fact("Left")) == ("76 of 80", "4")
    groups = {row[0]: row[1:3] for row in page.rows("Groups")}
    assert groups == {
        "gold": ["19 of 20", "1"], "tin": ["37 of 40", "3"], "zinc": ["20 of 20", "0"],
    }  # fmt: skip
    topics = {row[0]: row[1:] for row in page.rows("Topics")}
    assert topics == {"q1": ["36 of 40", "4"], "q2": ["40 of 40", "0"]}
    # An interval whose ends are displayed as equal is not shown.
    assert not re.search(r"(?<!\S)(\S+(?: min| h)?)–\1(?!\S)", page.text)


def test_seconds_equal_those_of_the_export(
    judged: Any, read: Read, exported: Callable[..., Path]
) -> None:
    judgments = read_judgments(exported(judged) / "judgments.csv")
    efficiency = judging_efficiency(judgments, high=2, clock="active")
    rows = {row[0]: row for row in read(judged, ADDRESS).rows("Assessors")}
    for name, found in judging_seconds(efficiency, by="assessor").items():
        pace = pace_of(found)
        ends = [seconds(pace.low), seconds(pace.high)]
        shown = " ".join([seconds(pace.median), "–".join(ends)][: len(set(ends))])
        assert rows[name][4:6] == [shown, str(pace.count)]
    # By hand: g1 needs 20 s for each of 9 and 10 docs.
    assert rows["g1"][4:6] == ["20", "17"]


def test_remaining_hours_are_as_computed_by_hand(judged: Any) -> None:
    found = progress()
    # No assessor was measured 20 times, and no group except tin (33 times, 10 or 12 s): the others
    # get the median of all, which is 10 s.
    by_name = {part.name: part.forecast for part in found.assessors}
    assert by_name["g1"].median == pytest.approx(1 * 10 / 3600)
    assert by_name["t1"].median == pytest.approx(1 * 10 / 3600)
    assert by_name["t2"].median == pytest.approx(2 * 10 / 3600)
    assert by_name["z1"].median == 0
    assert found.everything.forecast.docs == 4
    assert found.everything.forecast.median == pytest.approx(40 / 3600)


def test_closed_assignments_do_not_count_as_remaining(lite_judged: Any, read: Read) -> None:
    Assignment.objects.filter(assessor__name="t2").update(is_open=False)
    assert read(lite_judged, ADDRESS).fact("Left") == "2"


def test_before_any_judgment_there_is_no_forecast(unjudged: Any, read: Read) -> None:
    page = read(unjudged, ADDRESS)
    assert page.fact("Hours left") == "–"
    assert page.fact("Completed on") == "–"
    assert "Only 0 intervals between judgments have been measured so far" in page.text
    assert "There are not enough recent judgments for a forecast" in page.text


def test_a_few_judgments_give_no_forecast_of_hours(unjudged: Any, at_work: Any, read: Read) -> None:
    at = at_work(unjudged, "z1", "q1")
    for position in (1, 2, 3):
        at.judge(position, 1)
    page = read(unjudged, ADDRESS)
    assert "A forecast needs more intervals" in page.text
    assert page.fact("Hours left") == "–"


def test_the_finishing_date_follows_from_the_docs_per_day(judged: Any, read: Read) -> None:
    found = progress()
    tin = next(part for part in found.groups if part.name == "tin")
    assert tin.rate.docs == 37
    assert tin.rate.days == pytest.approx(3, abs=0.1)
    assert tin.done_on is not None
    days = (tin.done_on - datetime.now(UTC)) / timedelta(days=1)
    assert days == pytest.approx(3 / tin.rate.a_day, abs=0.05)
    # Gold has judged 19 docs: too few for a date, and therefore for a date of the whole campaign.
    assert found.done_on is None


def test_an_inactive_assessor_is_listed_to_follow_up(judged: Any, read: Read) -> None:
    judged.account("t1")
    rows = read(judged, ADDRESS).rows("Follow up")
    assert [row[:4] for row in rows] == [
        [name, group, "Opened a topic, but has judged nothing since", left]
        for name, group, left in (("g1", "gold", "1"), ("t1", "tin", "1"), ("t2", "tin", "2"))
    ]
    assert "None." in read(judged, f"{ADDRESS}?hours=96").text


def test_an_assessor_who_opened_nothing_is_listed_to_follow_up_or_invite(
    unjudged: Any, read: Read
) -> None:
    assert "None." in read(unjudged, ADDRESS).text
    Assignment.objects.update(created_at=datetime.now(UTC) - timedelta(hours=30))
    unjudged.account("z1")
    rows = {row[0]: row[2] for row in read(unjudged, ADDRESS).rows("Follow up")}
    assert rows.pop("z1") == "Has not opened a topic yet"
    assert set(rows.values()) == {"No account yet: send an invite"}


def test_an_assessor_with_many_codes_is_listed_to_follow_up(
    lite_judged: Any, at_work: Any, read: Any
) -> None:
    at = at_work(lite_judged, "z1", "q1")
    for position in range(1, 5):
        at.judge(position, -2)
    address = f"{ADDRESS}?hours=8000"
    assert "None." in read(lite_judged, address).text
    at.judge(5, -2)
    rows = read(lite_judged, address).rows("Follow up")
    assert [row[:3] for row in rows] == [["z1", "zinc", "Marked 5 of 20 docs as not judgeable"]]


def test_the_balance_of_orderings_is_shown(judged: Any, read: Read) -> None:
    page = read(judged, ADDRESS)
    rows = {row[0]: row[1:] for row in page.rows("Assignment balance")}
    assert rows["g1"] == ["gold", "2", "20", "1", "10", "1", "10"]
    assert rows["t1"] == ["tin", "2", "20", "2", "20", "0", "0"]


@pytest.mark.parametrize("hours", ["-1", "x", "99999", "1e3"])
def test_invalid_hours_are_refused(lite_judged: Any, read: Read, hours: str) -> None:
    read(lite_judged, f"{ADDRESS}?hours={hours}", status=400)
