from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from qrelsmith.agreement.assessor_differences import (
    ENOUGH_COMMON,
    grade_differences,
    slice_judgments,
    speed_differences,
)
from qrelsmith.judging_times.judging_efficiency import judging_efficiency
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.stats.proportions import equal_proportions


def labelled(*rows: tuple[str, str, str, float], group: str = "x") -> Judgments:
    """Return judgments of (topic, doc, assessor, grade), all of one group."""
    topic, doc, assessor, grade = zip(*rows, strict=True)
    return Judgments.from_columns(
        {"topic": topic, "doc": doc, "assessor": assessor, "grade": grade,
         "group": [group] * len(rows)}
    )  # fmt: skip


def timed(seconds: dict[str, list[float]]) -> Judgments:
    """Return judgments of 11 docs per topic and assessor, with the given seconds between docs."""
    rows = []
    for who, of_topics in seconds.items():
        for topic, each in enumerate(of_topics):
            for place in range(11):
                at = 1_700_000_000_000 + round(1000 * each * (place + 1))
                rows.append((f"t{topic}", f"d{place}", who, 0, "x", at - 1, at))
    names = ("topic", "doc", "assessor", "grade", "group", "shown_at", "judged_at")
    return Judgments.from_columns(dict(zip(names, zip(*rows, strict=True), strict=True)))


def test_speed_is_compared_over_topics_by_welch_and_holm() -> None:
    data = {"a": [10.0, 12.0, 11.0], "b": [20.0, 22.0, 25.0], "c": [11.0, 10.0, 12.5]}
    found = speed_differences(judging_efficiency(timed(data), high=1))
    assert [each.assessor for each in found] == ["a", "b", "c"]
    raw = []
    for name, own in data.items():
        others = [value for other, values in data.items() if other != name for value in values]
        raw.append(stats.ttest_ind(own, others, equal_var=False).pvalue)
    # Holm: the smallest p times 3, the next p times 2, the last unchanged, never descending.
    order = np.argsort(raw)
    expected = np.maximum.accumulate(np.sort(raw) * np.array([3, 2, 1]))
    assert [found[place].p for place in order] == pytest.approx(np.minimum(expected, 1))
    b = found[1]
    assert (b.seconds, b.others) == (pytest.approx(67 / 3), pytest.approx(66.5 / 6))
    assert b.topics == (3, 6)
    assert b.is_beyond_chance
    assert not found[0].is_beyond_chance


def test_one_topic_is_too_few_for_a_test_of_speed() -> None:
    found = speed_differences(judging_efficiency(timed({"a": [1.0], "b": [50.0]}), high=1))
    assert [math.isnan(each.p) for each in found] == [True, True]
    assert not any(each.is_beyond_chance for each in found)


def test_an_assessor_alone_in_a_group_is_not_compared() -> None:
    data = timed({"a": [1.0, 2.0]})
    assert speed_differences(judging_efficiency(data, high=1)) == []
    assert grade_differences(data) == []


def test_grades_are_compared_on_docs_judged_by_others_too() -> None:
    common = [f"d{place:02}" for place in range(30)]
    rows = [("t", doc, "a", 1.0) for doc in common]
    rows += [("t", doc, "b", float(place < 3)) for place, doc in enumerate(common)]
    # Docs judged by a alone do not count.
    rows += [("t", f"alone{place}", "a", 0.0) for place in range(100)]
    found = {(each.assessor, each.grade): each for each in grade_differences(labelled(*rows))}
    one = found["a", 1.0]
    assert one.same_docs
    assert (one.docs, one.others) == ((30, 30), (3, 30))
    # Four comparisons, all with the same p.
    assert one.p == pytest.approx(4 * equal_proportions(30, 30, 3, 30).p)
    assert one.is_beyond_chance
    assert (one.share, one.share_of_others) == (1.0, 0.1)


def test_with_few_common_docs_all_labels_are_compared_with_a_note() -> None:
    rows = [("t", f"d{place}", "a", 0.0) for place in range(ENOUGH_COMMON - 1)]
    rows += [("t", f"d{place}", "b", 0.0) for place in range(ENOUGH_COMMON - 1)]
    rows += [("t", f"other{place}", "b", 1.0) for place in range(5)]
    found = grade_differences(labelled(*rows))
    assert not any(each.same_docs for each in found)
    b = next(each for each in found if (each.assessor, each.grade) == ("b", 1.0))
    assert (b.docs, b.others) == ((5, 24), (0, 19))


def test_withdrawn_labels_do_not_count_and_codes_are_compared() -> None:
    rows = [("t", f"d{place}", "a", -2.0) for place in range(25)]
    rows += [("t", f"d{place}", "b", 0.0) for place in range(25)]
    rows += [("t", "undone", "a", -1.0)]
    found = {(each.assessor, each.grade): each for each in grade_differences(labelled(*rows))}
    assert sorted({grade for _, grade in found}) == [-2.0, 0.0]
    assert found["a", -2.0].docs == (25, 25)
    assert found["a", -2.0].is_beyond_chance


def test_equal_assessors_are_seldom_flagged() -> None:
    """Ten equal assessors: in about 5 of 100 campaigns one of them is flagged."""
    rng = np.random.default_rng(1)
    pointed = 0
    for _ in range(40):
        grades = rng.integers(0, 3, size=(10, 60))
        rows = [
            ("t", f"d{doc}", f"a{who}", float(grades[who, doc]))
            for who in range(10)
            for doc in range(60)
        ]
        pointed += any(each.is_beyond_chance for each in grade_differences(labelled(*rows)))
    assert pointed <= 6


def test_fine_scales_are_divided_into_slices() -> None:
    data = labelled(*[("t", f"d{n}", "a", float(n)) for n in (0, 19, 20, 100)], ("t", "e", "a", -2))
    assert slice_judgments(data, [0, 20, 40, 60, 80]).grade.tolist() == [0, 80, 0, 20, -2]
