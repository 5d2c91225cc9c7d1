from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.judging_times import NO_CAPS, JudgingLog, criteria, intervals


def log(events: list[tuple[int, int, float]], sessions: int) -> JudgingLog:
    """Return a log of (session, doc, at); every grade is 0."""
    session, doc, at = zip(*events, strict=True) if events else ((), (), ())
    return JudgingLog(
        session=np.array(session, dtype=np.int64),
        doc=np.array(doc, dtype=np.int64),
        grade=np.zeros(len(events)),
        at=np.array(at, dtype=float),
        opened=np.zeros(sessions),
        revisions_kept=True,
    )


def test_the_times_between_first_judgments_are_as_computed_by_hand() -> None:
    # Session 0 judges at 30, 50 and 400, and corrects doc 0 at 60; session 1 judges once; session 2
    # has a missing time.
    events = [(0, 0, 30), (0, 0, 60), (0, 1, 50), (0, 2, 400), (1, 0, 5), (2, 0, 1), (2, 1, np.nan)]
    found = intervals(log(events, 3), timed=np.array([True, True, False]))
    assert found.session.tolist() == [0, 0]
    assert found.seconds.tolist() == [20, 350]
    short = found.select(found.seconds <= 180)
    assert (short.session.tolist(), short.seconds.tolist()) == ([0], [20])


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(1, 500)),
        max_size=20,
        unique_by=lambda event: event[:2],
    )
)
def test_atbj_is_the_mean_of_the_intervals(events: list[tuple[int, int, float]]) -> None:
    data = log(events, 3)
    result = criteria(data, relevant=1, high=2, caps=NO_CAPS)
    found = intervals(data, timed=result.timed)
    for session, mean in enumerate(result.of("ATBJ").tolist()):
        own = found.seconds[found.session == session]
        if own.size:
            np.testing.assert_allclose(own.mean(), mean)
        else:
            assert np.isnan(mean)


def test_a_session_without_judgments_has_no_times() -> None:
    found = intervals(log([], 1), timed=np.array([False]))
    assert (found.session.size, found.seconds.size) == (0, 0)
