from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.judging_times import CRITERIA, NO_CAPS, PAPER_CAPS, Caps, JudgingLog, criteria

NAN = math.nan


def log(*events: tuple[int, int, float, float], opened=(0.0,), revisions_kept=True) -> JudgingLog:
    """Return a log of (session, doc, grade, at)."""
    session, doc, grade, at = zip(*events, strict=True) if events else ((),) * 4
    return JudgingLog(
        session=np.array(session, dtype=np.int64),
        doc=np.array(doc, dtype=np.int64),
        grade=np.array(grade, dtype=float),
        at=np.array(at, dtype=float),
        opened=np.array(opened, dtype=float),
        revisions_kept=revisions_kept,
    )


def found(data: JudgingLog, session: int = 0, caps: Caps = PAPER_CAPS) -> dict[str, float]:
    result = criteria(data, relevant=1, high=2, caps=caps)
    return dict(zip(CRITERIA, result.values[session].tolist(), strict=True))


# Opened at 100; doc 0 at 130, doc 1 at 150 (relevant), doc 0 again at 160 (now highly relevant),
# doc 2 at 400.
DAY = log((0, 0, 0, 130), (0, 0, 2, 160), (0, 1, 1, 150), (0, 2, 0, 400), opened=(100.0,))


def test_the_criteria_are_as_computed_by_hand() -> None:
    # First judgments at 130, 150 and 400: intervals 20 and 250, of which the second is too long.
    expected = {"TJ1D": 30, "TF1RH": 50, "TF1H": 60, "ATBJ": 20, "NREJ": 1}
    assert found(DAY) == expected
    result = criteria(DAY, relevant=1, high=2)
    assert result.dropped.tolist() == [[0, 0, 0, 1, 0]]
    assert result.docs.tolist() == [3]
    assert result.of("ATBJ").tolist() == [20]


def test_caps_drop_values_and_single_intervals_but_never_the_session() -> None:
    assert found(DAY, caps=NO_CAPS)["ATBJ"] == 135
    tight = found(DAY, caps=Caps(judgment=29.9, found=50))
    assert math.isnan(tight["TJ1D"])
    assert tight["TF1RH"] == 50  # a time that equals its cap is kept
    assert math.isnan(tight["TF1H"])
    assert (tight["ATBJ"], tight["NREJ"]) == (20, 1)
    dropped = criteria(DAY, relevant=1, high=2, caps=Caps(judgment=19, found=50)).dropped
    assert dropped.tolist() == [[1, 0, 1, 2, 0]]
    assert math.isnan(found(DAY, caps=Caps(judgment=19, found=50))["ATBJ"])


def test_a_withdrawn_relevant_label_counts_as_found() -> None:
    data = log((0, 0, 2, 10), (0, 0, 0, 20), (0, 1, 1, 30))
    values = found(data)
    assert (values["TF1RH"], values["TF1H"], values["NREJ"]) == (10, 10, 1)


def test_only_changes_to_a_different_label_count() -> None:
    data = log(
        (0, 0, 1, 10), (0, 0, 1, 11), (0, 0, 2, 12), (0, 0, 1, 13), (0, 0, -2, 14), (0, 1, 0, 15)
    )
    assert found(data)["NREJ"] == 3
    # The same doc in two sessions counts as two docs.
    both = log((0, 0, 1, 10), (1, 0, 2, 10), opened=(0, 0))
    assert [found(both, session)["NREJ"] for session in (0, 1)] == [0, 0]


def test_without_revisions_the_number_of_changed_labels_is_unknown() -> None:
    assert math.isnan(found(log((0, 0, 1, 10), revisions_kept=False))["NREJ"])


def test_without_relevant_docs_the_time_to_a_relevant_doc_is_missing() -> None:
    values = found(log((0, 0, 0, 10), (0, 1, -2, 20)))
    assert math.isnan(values["TF1RH"])
    assert math.isnan(values["TF1H"])
    assert (values["TJ1D"], values["ATBJ"]) == (10, 10)


def test_one_missing_time_leaves_the_session_without_times() -> None:
    data = log((0, 0, 1, 10), (0, 1, 2, NAN), (0, 1, 1, 30), (1, 0, 1, 5), opened=(0, 0))
    values = found(data)
    assert all(math.isnan(values[name]) for name in CRITERIA[:4])
    assert values["NREJ"] == 1
    assert found(data, 1)["TJ1D"] == 5
    result = criteria(data, relevant=1, high=2)
    assert result.timed.tolist() == [False, True]
    assert result.docs.tolist() == [2, 1]


@pytest.mark.parametrize("opened", [NAN, 11.0])
def test_some_criteria_are_undefined_if_a_topic_was_opened_late_or_at_an_unknown_time(
    opened: float,
) -> None:
    values = found(log((0, 0, 1, 10), (0, 1, 2, 30), opened=(opened,)))
    assert all(math.isnan(values[name]) for name in ("TJ1D", "TF1RH", "TF1H"))
    assert (values["ATBJ"], values["NREJ"]) == (20, 0)


def test_criteria_that_need_more_judgments_are_undefined() -> None:
    data = log((1, 0, 2, 10), opened=(0, 0))
    assert all(map(math.isnan, found(data, 0).values()))
    one = found(data, 1)
    assert (one["TJ1D"], one["TF1H"], one["NREJ"]) == (10, 10, 0)
    assert math.isnan(one["ATBJ"])
    assert criteria(log(opened=()), relevant=1, high=2).values.shape == (0, 5)


EVENTS = st.lists(
    st.tuples(
        st.integers(0, 2), st.integers(0, 3), st.integers(-2, 2), st.integers(0, 300)
    ),
    max_size=25,
)  # fmt: skip


@given(EVENTS)
def test_the_criteria_equal_those_of_a_simple_loop(events: list[tuple[int, int, int, int]]) -> None:
    data = log(*events, opened=(0, 20, NAN))
    caps = Caps(judgment=60, found=150)
    result = criteria(data, relevant=1, high=2, caps=caps)
    for session in range(3):
        own = [(doc, grade, at) for s, doc, grade, at in events if s == session]
        np.testing.assert_allclose(result.values[session], _plain(own, data.opened[session], caps))


def _plain(own, opened: float, caps: Caps) -> list[float]:
    times = sorted(at for _, _, at in own)
    start = opened if times and opened <= times[0] else NAN

    def since(level: float, cap: float) -> float:
        hits = [at for _, grade, at in own if grade >= level]
        value = min(hits) - start if hits else NAN
        return value if value <= cap else NAN

    firsts: dict[int, float] = {}
    last: dict[int, float] = {}
    changes = 0
    for doc, grade, at in own:
        firsts.setdefault(doc, at)
        changes += last.setdefault(doc, grade) != grade
        last[doc] = grade
    ordered = sorted(firsts.values())
    gaps = [b - a for a, b in itertools.pairwise(ordered) if b - a <= caps.judgment]
    return [
        since(-9, caps.judgment),
        since(1, caps.found),
        since(2, caps.found),
        sum(gaps) / len(gaps) if gaps else NAN,
        changes if own else NAN,
    ]


@given(EVENTS, st.floats(-1e6, 1e6))
def test_the_clock_may_start_at_any_time(events, start: float) -> None:
    here = criteria(log(*events, opened=(0, 0, 0)), relevant=1, high=2)
    moved = [(session, doc, grade, at + start) for session, doc, grade, at in events]
    there = criteria(log(*moved, opened=(start,) * 3), relevant=1, high=2, caps=PAPER_CAPS)
    same = here.dropped == there.dropped  # a time that equals a cap may fall on either side
    np.testing.assert_allclose(there.values[same], here.values[same], atol=1e-6)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"doc": np.zeros(2, np.int64)}, "the same length"),
        ({"session": np.array([3])}, "from 0 to 0"),
        ({"grade": np.array([NAN])}, "must not contain nan"),
    ],
)
def test_an_inconsistent_log_is_refused(columns, message: str) -> None:
    sound = {
        "session": np.zeros(1, np.int64),
        "doc": np.zeros(1, np.int64),
        "grade": np.zeros(1),
        "at": np.zeros(1),
        "opened": np.zeros(1),
        "revisions_kept": True,
    }
    with pytest.raises(ShapeError, match=message):
        JudgingLog(**{**sound, **columns})


@pytest.mark.parametrize("caps", [(0, 1), (1, -1), (NAN, 1)])
def test_caps_must_be_above_0(caps: tuple[float, float]) -> None:
    with pytest.raises(UsageError, match="expected seconds above 0"):
        Caps(*caps)
