from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.judging_times.judging_logs import judging_log
from qrelsmith.judgments.judgment_files import Judgments

MORE = ("shown_at", "judged_at", "revision")
START = 1_700_000_000_000


def judgments(*rows: str, more: tuple[str, ...] = MORE) -> Judgments:
    """Return judgments from rows `topic doc assessor grade …`; times in s, `-`: an empty cell."""
    columns: dict[str, list[object]] = {
        name: [] for name in ("topic", "doc", "assessor", "grade", *more)
    }
    for row in rows:
        for (name, column), cell in zip(columns.items(), row.split(), strict=True):
            if name.endswith("_at") and cell != "-":
                column.append(START + round(float(cell) * 1000))
            else:
                column.append("" if cell == "-" else cell)
    return Judgments.from_columns(columns)


def times(data: Judgments, clock: str = "wall") -> list[float]:
    return judging_log(data, clock=clock).log.at.tolist()


def test_a_topic_is_opened_when_its_first_doc_is_shown() -> None:
    data = judgments("1 a x 0 100 130.25 1", "1 b x 1 130.25 150 1", "2 a x 0 9 10 1")
    found = judging_log(data)
    assert [session.topic for session in found.sessions] == ["1", "2"]
    assert found.log.opened.tolist() == [0, 0]
    assert found.log.at.tolist() == [30.25, 50, 1]
    assert found.log.session.tolist() == [0, 0, 1]
    assert not found.unopened.any()
    assert found.log.revisions_kept
    assert (found.backwards.tolist(), found.earlier_lost) == ([0, 0], 0)


def test_milliseconds_are_exact_far_from_1970() -> None:
    assert times(judgments("1 a x 0 0.001 18.005 1")) == [18.004]


def test_a_withdrawn_judgment_does_not_count_but_a_code_for_a_broken_doc_does() -> None:
    data = judgments("1 a x 2 0 10 1", "1 a x -1 0 20 2", "1 b x -2 10 15 1", "2 a x -1 0 5 1")
    found = judging_log(data)
    assert found.log.grade.tolist() == [2, -2]
    # The session without judgments is still included.
    assert found.log.sessions == 2


@pytest.mark.parametrize("wrong", ["1 a x 0 20 10 1", "1 a x 0 0 10 1|1 a x 1 0 9 2"])
def test_timestamps_that_go_backwards_give_no_time(wrong: str) -> None:
    # Judged before it was shown; a revision before the one that it replaces.
    data = judgments(*wrong.split("|"), "1 b x 0 20 30 1", "2 a x 0 0 5 1")
    found = judging_log(data)
    assert np.isnan(found.log.at).sum() == 1
    assert found.backwards.tolist() == [1, 0]


def test_equal_times_do_not_go_backwards() -> None:
    data = judgments("1 a x 0 10 10 1", "1 a x 1 10 10 2")
    assert judging_log(data).backwards.tolist() == [0]


def test_missing_times_and_columns_give_missing_values() -> None:
    found = judging_log(judgments("1 a x 0 - 10 1", "1 b x 0 - - 1", "2 a x 0 5 10 1"))
    assert found.unopened.tolist() == [True, False]
    assert np.isnan(found.log.at).tolist() == [False, True, False]
    bare = judging_log(judgments("1 a x 0", more=()))
    assert np.isnan(bare.log.at).all()
    assert np.isnan(bare.log.opened).all()
    assert not bare.log.revisions_kept
    assert (
        judging_log(
            Judgments.from_columns(dict.fromkeys(("topic", "doc", "assessor", "grade"), ()))
        ).sessions
        == ()
    )


def test_a_topic_may_be_opened_after_its_first_judgment() -> None:
    # The time when the first doc was shown is lost.
    assert judging_log(judgments("1 a x 0 - 10 1", "1 b x 0 15 20 1")).unopened.tolist() == [True]


def test_missing_earlier_revisions_are_counted() -> None:
    data = judgments("1 a x 0 0 1 3", "1 b x 0 1 2 1", "1 b x 1 1 3 2", "1 c x 0 2 4 0")
    assert judging_log(data).earlier_lost == 1


ACTIVE = ("shown_at", "judged_at", "active_ms", "idle_ms", "revision")


def test_the_active_clock_counts_only_active_time() -> None:
    data = judgments(
        # b is judged first; of c the active time is what was not idle: 100 − 70 s.
        "1 a x 0 50 1000 5000 945000 1", "1 b x 1 0 50 20000 30000 1",
        "1 c x 2 1000 1100 - 70000 1", "1 b x 2 1100 1200 1000 - 2",
        "2 a x 0 0 9 9000 - 1", more=ACTIVE,
    )  # fmt: skip
    found = judging_log(data, clock="active")
    assert found.log.opened.tolist() == [0, 0]
    assert found.log.at.tolist() == [25, 20, 56, 55, 9]
    assert not found.unopened.any()


def test_after_an_unknown_active_time_there_are_no_times() -> None:
    data = judgments(
        "1 a x 0 0 10 4000 - 1", "1 b x 0 10 20 - - 1", "1 c x 0 20 30 6000 - 1",
        "2 a x 0 0 10 1000 - 1", more=ACTIVE,
    )  # fmt: skip
    at = times(data, "active")
    assert at[0] == 4
    assert math.isnan(at[1])
    assert math.isnan(at[2])
    assert at[3] == 1
    # More idle time than elapsed time: no time instead of a negative one.
    odd = judgments("1 a x 0 0 10 - 11000 1", more=ACTIVE)
    assert math.isnan(times(odd, "active")[0])
