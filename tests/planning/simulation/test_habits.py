import dataclasses

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.planning.simulation import NO_HABITS, Habits, session_log

SECONDS = np.array([10.0, 20.0, 30.0])


def test_without_habits_the_time_is_the_sum_of_judging_times():
    log = session_log(SECONDS, NO_HABITS, rng=rng_for(0))
    assert log.place.tolist() == [0, 1, 2]
    assert log.revision.tolist() == [1, 1, 1]
    assert log.shown.tolist() == [0, 10, 30]
    assert log.judged.tolist() == [10, 30, 60]
    assert log.idle.tolist() == [0, 0, 0]


def test_an_assessor_can_go_back_after_every_doc():
    habits = dataclasses.replace(NO_HABITS, second_looks=1.0, back=1.0, second_time=0.0)
    log = session_log(SECONDS, habits, rng=rng_for(0))
    assert log.place.tolist() == [0, 1, 0, 2, 1]
    assert log.revision.tolist() == [1, 1, 2, 1, 2]
    assert log.judged.tolist() == [10, 30, 30, 60, 60]


def test_views_of_docs_are_numbered_in_order():
    habits = dataclasses.replace(NO_HABITS, second_looks=0.5, back=4.0)
    log = session_log(np.full(200, 5.0), habits, rng=rng_for(1))
    seen = np.zeros(200, dtype=int)
    for place, revision in zip(log.place, log.revision, strict=True):
        seen[place] += 1
        assert revision == seen[place]
        # An assessor cannot go back to a doc that was not shown yet.
        assert revision == 1 or seen[: place + 1].all()
    assert (np.diff(log.judged) > 0).all()
    np.testing.assert_array_equal(log.shown[1:], log.judged[:-1])


def test_habits_have_their_given_frequencies():
    habits = Habits(second_looks=0.2, back=3.0, breaks=0.1, reading=0.0)
    log = session_log(np.full(20_000, 5.0), habits, rng=rng_for(2))
    again = log.revision > 1
    assert again.sum() == pytest.approx(0.2 * 20_000, rel=0.05)
    before = np.maximum.accumulate(log.place)[again] - log.place[again]
    assert before.mean() == pytest.approx(3, rel=0.06)
    away = log.idle > 0
    assert away.sum() == pytest.approx(0.1 * 20_000, rel=0.07)
    assert np.median(log.idle[away]) == pytest.approx(900, rel=0.07)
    assert not (away & again).any()


def test_reading_the_topic_comes_before_the_first_answer():
    first = [
        session_log(SECONDS, dataclasses.replace(NO_HABITS, reading=40.0), rng=rng_for(seed))
        for seed in range(400)
    ]
    assert np.median([log.judged[0] - 10 for log in first]) == pytest.approx(40, rel=0.15)
    assert all(np.diff(log.judged) == pytest.approx([20, 30]) for log in first)


def test_a_topic_without_docs_leaves_no_log():
    log = session_log(np.empty(0), Habits(), rng=rng_for(0))
    assert log.place.size == log.shown.size == log.judged.size == 0


def test_parameters_out_of_range_are_errors():
    for name, value in (("reading", -1), ("back", 0.5), ("second_looks", 1.5), ("breaks", -0.1)):
        with pytest.raises(UsageError, match=f"{name}={value}"):
            Habits(**{name: value})


def test_some_topics_are_read_longer_and_have_more_returns():
    often = dataclasses.replace(NO_HABITS, second_looks=0.1, topic_spread=1.0)
    looks = [
        session_log(np.full(200, 5.0), often, rng=rng_for(n)).place.size - 200 for n in range(300)
    ]
    alike = dataclasses.replace(often, topic_spread=0.0)
    steady = [
        session_log(np.full(200, 5.0), alike, rng=rng_for(n)).place.size - 200 for n in range(300)
    ]
    assert np.std(steady) == pytest.approx(np.sqrt(200 * 0.1 * 0.9), rel=0.15)
    assert np.std(looks) > 3 * np.std(steady)
    reading = dataclasses.replace(NO_HABITS, reading=60.0, reading_spread=2.0)
    first = [session_log(SECONDS, reading, rng=rng_for(n)).judged[0] - 10 for n in range(1000)]
    assert np.log(first).mean() == pytest.approx(np.log(60), abs=0.25)
    assert np.log(first).std() == pytest.approx(2.0, rel=0.1)
