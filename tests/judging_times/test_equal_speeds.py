"""Groups of equally fast assessors are rarely reported as different."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith import efficiency
from qrelsmith.judgments.judgment_files import Judgments

START = 1_700_000_000_000
TOPICS, DOCS = 6, 5
CAMPAIGNS = 200


def campaign(seed: int, *, assessors: int, faster: float = 1.0) -> Judgments:
    """Return two groups whose assessors differ in speed; all of the second group may be faster."""
    rng = np.random.default_rng(seed)
    shape = (assessors, TOPICS, DOCS)
    who, topic, doc = (axis.ravel() for axis in np.indices(shape))
    speed = 12 * np.exp(0.4 * rng.normal(size=(assessors, 1, 1)))
    speed[assessors // 2 :] /= faster
    of_topic = np.exp(0.3 * rng.normal(size=(assessors, TOPICS, 1)))
    seconds = speed * of_topic * np.exp(0.5 * rng.normal(size=shape))
    ends = (1000 * np.cumsum(np.minimum(seconds, 170), axis=2)).astype(int)
    judged = START + ends.ravel()
    shown = START + np.concatenate([np.zeros((assessors, TOPICS, 1), int), ends[..., :-1]], axis=2)
    return Judgments.from_columns(
        {
            "topic": [f"t{each}" for each in topic.tolist()],
            "doc": [f"d{each}" for each in doc.tolist()],
            "assessor": [f"a{each}" for each in who.tolist()],
            "group": ["slow" if 2 * each < assessors else "fast" for each in who.tolist()],
            "grade": [str(each) for each in rng.integers(0, 4, who.size).tolist()],
            "shown_at": shown.ravel().tolist(),
            "judged_at": judged.tolist(),
        }
    )


def share_told_apart(assessors: int, *, faster: float = 1.0, campaigns: int = CAMPAIGNS) -> float:
    """Return the share of campaigns whose mean times between judgments differ significantly."""
    alarms = 0
    for seed in range(campaigns):
        answer = efficiency(
            campaign(seed, assessors=assessors, faster=faster), compare="group", high=3
        )
        (p,) = (row.p for row in answer.compared if row.criterion == "ATBJ")
        alarms += p < 0.05
    return alarms / campaigns


@pytest.mark.parametrize("assessors", [8, 16])
def test_equal_speeds_rarely_give_false_alarms(assessors: int) -> None:
    assert share_told_apart(assessors) <= 0.08


def test_a_group_that_is_three_times_as_fast_is_detected() -> None:
    assert share_told_apart(16, faster=3, campaigns=20) >= 0.8
