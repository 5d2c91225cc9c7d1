import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.planning.simulation import JudgingTime, judging_seconds


def test_medians_are_as_computed_by_hand():
    # (20 + 2·log2 4)·i^−0.5 for docs 1 to 4; the third is answered in a quarter of the time.
    time = JudgingTime(seconds=20, spread=0, learning=0.5, choice=2, haste=0.25)
    seconds = judging_seconds([False, False, True, False], time=time, levels=4, rng=rng_for(0))
    assert seconds == pytest.approx([24, 24 / np.sqrt(2), 6 / np.sqrt(3), 12])


def test_times_are_log_normal():
    time = JudgingTime(seconds=30, spread=0.5, learning=0)
    seconds = judging_seconds(np.zeros((100, 200)), time=time, levels=2, rng=rng_for(1))
    assert np.median(seconds) == pytest.approx(30, rel=0.03)
    assert np.log(seconds).std() == pytest.approx(0.5, rel=0.03)


def test_parameters_out_of_range_are_errors():
    for name in ("seconds", "spread", "learning", "choice", "haste"):
        with pytest.raises(UsageError, match=f"{name}=-1"):
            JudgingTime(**{name: -1})
    with pytest.raises(UsageError, match="levels=0"):
        judging_seconds([0], time=JudgingTime(), levels=0, rng=rng_for(0))


def test_times_between_two_means_have_these_means():
    time = JudgingTime.between(20, 40)
    assert time.paces(2) == pytest.approx([25 / 30, 35 / 30])
    assert time.paces(1) == pytest.approx([1])
    drawn = judging_seconds(np.zeros((200, 500)), time=time, levels=4, rng=rng_for(2))
    # Log-normal with median m and s.d. s of the logarithm: the mean is m·e^(s²/2), here 30.
    assert drawn.mean() == pytest.approx(30, rel=0.02)
    assert drawn[:, :10].mean() == pytest.approx(drawn[:, -10:].mean(), rel=0.1)
    assert JudgingTime.between(30, 30).pace == (1, 1)
    assert JudgingTime.between(0, 0).seconds == 0
    with pytest.raises(UsageError, match="slowest=20"):
        JudgingTime.between(30, 20)
    with pytest.raises(UsageError, match="pace="):
        JudgingTime(pace=(2.0, 1.0))
