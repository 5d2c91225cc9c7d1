from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.collection.qrels import Qrels
from qrelsmith.evaluation import score_runs
from qrelsmith.planning.campaign_plan.judged_runs import JudgedRuns, scores
from qrelsmith.planning.simulated_campaign import simulated_runs
from qrelsmith.planning.simulation import simulate_campaign
from qrelsmith.planning.simulation.designs import DESIGNS

CAMPAIGN = simulate_campaign(DESIGNS.get("small")(), seed=0)
JUDGED = JudgedRuns.of_campaign(CAMPAIGN)


def test_ndcg_is_as_computed_by_hand() -> None:
    # One topic: the run has grades 1, unjudged, 2; the judged docs have 2, 1, 0.
    found = scores(
        np.zeros(3, dtype=int),
        np.array([2.0, 1.0, 0.0]),
        np.array([[[1, -1, 0]]]),
        "nDCG@3",
        top=2.0,
    )
    ideal = 2 + 1 / np.log2(3)
    assert found.tolist() == [[pytest.approx((1 + 2 / np.log2(4)) / ideal)]]


@pytest.mark.parametrize("measure", ["nDCG@10", "Q@10", "nERR@10", "Compat(p=0.9)", "AP"])
def test_scores_equal_those_of_evaluate_on_the_same_files(measure: str) -> None:
    grades = np.nanmax(JUDGED.ratings, axis=0)
    qrels = Qrels.from_rows(
        (CAMPAIGN.topics[topic], CAMPAIGN.docno(topic, doc), float(grades[unit]))
        for unit, (topic, doc) in enumerate(zip(*CAMPAIGN.units(), strict=True))
    )
    runs = simulated_runs(CAMPAIGN)
    expected = score_runs(qrels, runs, [measure], gmax=3.0, jobs=1).matrix(measure)
    order = [expected.systems.index(run.name) for run in runs]
    np.testing.assert_allclose(JUDGED.scores(grades, measure).T, expected.scores[order], atol=1e-12)


def test_a_part_of_the_topics_has_the_same_scores() -> None:
    grades = np.nanmax(JUDGED.ratings, axis=0)
    chosen = JUDGED.of_topics([7, 2, 5])
    of_units = np.isin(JUDGED.topic, [2, 5, 7])
    np.testing.assert_allclose(
        chosen.scores(grades[of_units], "nDCG@10"),
        JUDGED.scores(grades, "nDCG@10")[[2, 5, 7]],
        rtol=1e-12,
    )
    assert chosen.topics == 3
    assert set(chosen.topic.tolist()) == {0, 1, 2}
    np.testing.assert_array_equal(chosen.ratings, JUDGED.ratings[:, of_units])


def test_unjudged_grades_are_ignored() -> None:
    grades = np.full(JUDGED.topic.size, np.nan)
    assert JUDGED.scores(grades, "nDCG@10").sum() == 0
