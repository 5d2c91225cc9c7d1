"""The log of a simulated top-k task."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.rng import rng_for
from qrelsmith.pairs.preferences import Preference, Preferences
from qrelsmith.topk import Answer
from qrelsmith.topk.reliability import Reliability
from qrelsmith.topk.topk_sessions import TopicPool, TopkSetting

ASSESSOR = "simulated"


def simulated_log(
    pools: Sequence[TopicPool], setting: TopkSetting, reliability: Reliability, *, seed: int
) -> Preferences:
    """Return the log of a session with random answers, to try out later steps.

    Parameters
    ----------
    pools : sequence of TopicPool
        The candidates.
    setting : TopkSetting
        How the top is looked for.
    reliability : Reliability
        Model of doc worths and of correct answers.
    seed : int
        The seed. Each topic has its own stream.
    """
    rows: list[Preference] = []
    for pool in pools:
        rng = rng_for(seed, "simulated log", pool.topic)
        worth = dict(zip(pool.candidates, reliability.worth(pool.grades, rng), strict=True))
        scheduler = setting.scheduler(pool.topic, pool.candidates)
        answers: list[Answer] = []
        state = scheduler.replay(answers)
        while not state.done:
            for pair in state.open_pairs:
                gap = np.array(worth[pair.left] - worth[pair.right])
                left = bool(rng.random() < reliability.preference(gap))
                answers.append(
                    Answer(pair.left, pair.right, -1 if left else 1, ASSESSOR, pair.round)
                )
            state = scheduler.replay(answers)
        rows += [
            Preference(pool.topic, one.left, one.right, one.outcome, one.assessor, one.round)
            for one in answers
        ]
    return Preferences.from_rows(rows)
