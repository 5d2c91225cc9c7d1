import dataclasses

import numpy as np
import pytest
from scipy.stats import kendalltau

from qrelsmith.aggregation import median
from qrelsmith.errors import UsageError
from qrelsmith.measures import MEASURES
from qrelsmith.simulate import (
    AssessorDesign,
    CampaignDesign,
    Systems,
    simulate_campaign,
)


def tops(campaign, topic):
    """The docs that any system ranks within the pool's depth."""
    return set(campaign.ranked[:, topic, : campaign.design.depth].ravel().tolist())


SMALL = CampaignDesign(topics=12, docs=80, run_depth=40, depth=10)


def mean_scores(campaign, qrels):
    """Mean nDCG@10 of each system, unjudged docs without gain."""
    ideal = -np.sort(-np.nan_to_num(qrels), axis=1)
    topics = np.arange(qrels.shape[0])[:, None]
    gains = qrels[topics, campaign.ranked]
    ideals = np.broadcast_to(ideal, (gains.shape[0], *ideal.shape))
    return MEASURES.get("nDCG@10")(gains, ideals).mean(axis=1)


def tau_to_the_truth(design, seed):
    campaign = simulate_campaign(design, seed=seed)
    judged = mean_scores(campaign, campaign.qrels(median(campaign.ratings())))
    return kendalltau(judged, mean_scores(campaign, campaign.true_grades())).statistic


def test_each_doc_of_a_pool_is_judged_by_as_many_as_asked():
    campaign = simulate_campaign(SMALL, seed=0)
    for topic in range(12):
        pool = tops(campaign, topic)
        here = campaign.topic == topic
        assessors = set(campaign.assessor[here].tolist())
        assert len(assessors) == 2
        for who in assessors:
            mine = here & (campaign.assessor == who)
            assert set(campaign.doc[mine].tolist()) == pool
            assert campaign.position[mine].tolist() == list(range(1, len(pool) + 1))
    assert campaign.hours == pytest.approx(campaign.seconds.sum() / 3600)
    assert (campaign.seconds > 0).all()


def test_assessors_get_equal_numbers_of_topics():
    campaign = simulate_campaign(dataclasses.replace(SMALL, topics=17, per_doc=3), seed=0)
    pairs = set(zip(campaign.topic.tolist(), campaign.assessor.tolist(), strict=True))
    load = np.bincount([who for _, who in pairs], minlength=10)
    assert np.ptp(load) <= 1
    assert load.sum() == 17 * 3


def test_ratings_and_qrels_hold_the_judgments():
    campaign = simulate_campaign(SMALL, seed=1)
    ratings = campaign.ratings()
    topic, doc = campaign.units()
    assert ratings.shape == (10, topic.size)
    assert np.count_nonzero(~np.isnan(ratings)) == campaign.grade.size
    for judgment in (0, 100, campaign.grade.size - 1):
        (unit,) = np.flatnonzero(
            (topic == campaign.topic[judgment]) & (doc == campaign.doc[judgment])
        )
        assert ratings[campaign.assessor[judgment], unit] == campaign.grade[judgment]
    qrels = campaign.qrels(median(ratings))
    assert np.count_nonzero(~np.isnan(qrels)) == topic.size
    assert qrels[topic[5], doc[5]] == median(ratings)[5]


def test_perfect_assessors_and_deep_pools_give_the_truth():
    perfect = AssessorDesign(noise=(0.0, 0.0), bias=0.0)
    design = dataclasses.replace(SMALL, assessors=perfect, run_depth=80, depth=80)
    campaign = simulate_campaign(design, seed=0)
    qrels = campaign.qrels(median(campaign.ratings()))
    np.testing.assert_array_equal(qrels, campaign.true_grades())
    assert tau_to_the_truth(design, 0) == pytest.approx(1)


def test_better_systems_are_better():
    campaign = simulate_campaign(dataclasses.replace(SMALL, topics=150), seed=0)
    scores = mean_scores(campaign, campaign.true_grades())
    assert kendalltau(scores, -np.arange(20)).statistic > 0.85


def test_careless_assessors_and_few_topics_cost_correlation():
    careless = AssessorDesign(noise=(0.4, 0.6), inattention=(0.5, 0.7))
    good = np.mean([tau_to_the_truth(SMALL, seed) for seed in range(8)])
    bad = [
        tau_to_the_truth(dataclasses.replace(SMALL, assessors=careless), seed) for seed in range(8)
    ]
    few = [tau_to_the_truth(dataclasses.replace(SMALL, topics=2), seed) for seed in range(8)]
    assert good > np.mean(bad) + 0.1
    assert good > np.mean(few)


def test_prioritised_pools_are_shown_alike_and_randomised_ones_are_not():
    alike = simulate_campaign(dataclasses.replace(SMALL, ordering="prioritised"), seed=0)
    mixed = simulate_campaign(SMALL, seed=0)
    for campaign, same in ((alike, True), (mixed, False)):
        here = campaign.topic == 0
        first, second = (
            campaign.doc[here & (campaign.assessor == who)]
            for who in np.unique(campaign.assessor[here])
        )
        assert np.array_equal(first, second) is same
    top = alike.ranked[:, 0, :10]
    runs = [np.count_nonzero(top == doc) for doc in alike.doc[: len(tops(alike, 0))]]
    assert runs == sorted(runs, reverse=True)


def test_a_longer_campaign_begins_with_the_same_topics():
    short = simulate_campaign(SMALL, seed=3)
    longer = simulate_campaign(dataclasses.replace(SMALL, topics=20), seed=3)
    count = short.grade.size
    for name in ("topic", "doc", "assessor", "grade", "seconds"):
        np.testing.assert_array_equal(getattr(longer, name)[:count], getattr(short, name))
    deeper = simulate_campaign(dataclasses.replace(SMALL, depth=20, levels=7, per_doc=1), seed=3)
    np.testing.assert_array_equal(deeper.truth, short.truth)
    np.testing.assert_array_equal(deeper.ranked, short.ranked)


def test_the_smallest_campaign():
    design = CampaignDesign(
        topics=1,
        docs=1,
        run_depth=1,
        depth=1,
        per_doc=1,
        levels=1,
        systems=Systems(count=1),
        assessors=AssessorDesign(count=1),
    )
    campaign = simulate_campaign(design, seed=0)
    assert campaign.ratings().tolist() == [[0.0]]
    assert campaign.ranked.tolist() == [[[0]]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topics": 0}, "topics=0"),
        ({"alpha": (0.0, 1.0)}, "alpha="),
        ({"ordering": "alphabetical"}, "expected one of prioritised, randomised, docno"),
        ({"per_doc": 11}, "per_doc=11: there are only 10 assessors"),
        ({"depth": 101}, "depth=101: the runs return only 100 docs"),
    ],
)
def test_plans_that_cannot_be_are_errors(options, message):
    with pytest.raises(UsageError, match=message):
        CampaignDesign(**options)
