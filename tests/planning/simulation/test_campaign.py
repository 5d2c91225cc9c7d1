import dataclasses

import numpy as np
import pytest
from scipy.stats import kendalltau

from qrelsmith.base.errors import UsageError
from qrelsmith.collection.pools import order_docs
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.judgments.aggregation import median
from qrelsmith.planning.simulation import (
    NO_HABITS,
    AssessorDesign,
    CampaignDesign,
    GroupDesign,
    Habits,
    JudgingTime,
    Systems,
    simulate_campaign,
)

CROWD = GroupDesign(habits=NO_HABITS)
SMALL = CampaignDesign(topics=12, docs=80, run_depth=40, depth=10, groups=(CROWD,))


def with_group(design, **options):
    """Return the design with another group in place of the first."""
    return dataclasses.replace(design, groups=(dataclasses.replace(design.groups[0], **options),))


def tops(campaign, topic):
    """Return the docs that any system ranks within the pool's depth."""
    return set(campaign.ranked[:, topic, : campaign.design.depth].ravel().tolist())


def mean_scores(campaign, qrels):
    """Return the mean nDCG@10 of each system; unjudged docs have no gain."""
    ideal = -np.sort(-np.nan_to_num(qrels), axis=1)
    topics = np.arange(qrels.shape[0])[:, None]
    gains = qrels[topics, campaign.ranked]
    ideals = np.broadcast_to(ideal, (gains.shape[0], *ideal.shape))
    return MEASURES.get("nDCG@10")(gains, ideals).mean(axis=1)


def tau_to_the_truth(design, seed):
    campaign = simulate_campaign(design, seed=seed)
    judged = mean_scores(campaign, campaign.qrels(median(campaign.ratings())))
    return kendalltau(judged, mean_scores(campaign, campaign.true_grades())).statistic


def test_each_doc_of_a_pool_is_judged_by_the_requested_number_of_assessors():
    campaign = simulate_campaign(SMALL, seed=0)
    events = campaign.events
    for topic in range(12):
        pool = tops(campaign, topic)
        here = events.topic == topic
        assessors = set(events.assessor[here].tolist())
        assert len(assessors) == 2
        for who in assessors:
            mine = here & (events.assessor == who)
            assert set(events.doc[mine].tolist()) == pool
            assert events.position[mine].tolist() == list(range(1, len(pool) + 1))
    assert campaign.hours == pytest.approx((events.judged - events.shown).sum() / 3600)
    assert (events.active > 0).all()


def test_assessors_get_equal_numbers_of_topics():
    campaign = simulate_campaign(
        with_group(dataclasses.replace(SMALL, topics=17), per_doc=3), seed=0
    )
    pairs = set(zip(campaign.events.topic.tolist(), campaign.events.assessor.tolist(), strict=True))
    load = np.bincount([who for _, who in pairs], minlength=10)
    assert np.ptp(load) <= 1
    assert load.sum() == 17 * 3


def test_ratings_and_qrels_contain_the_last_answers():
    campaign = simulate_campaign(
        with_group(SMALL, habits=Habits(second_looks=0.4, back=1.5)), seed=1
    )
    events, ratings = campaign.events, campaign.ratings()
    topic, doc = campaign.units()
    assert ratings.shape == (10, topic.size)
    last = {}
    for answer in zip(
        events.topic.tolist(), events.doc.tolist(), events.assessor.tolist(),
        events.revision.tolist(), events.grade.tolist(), strict=True,
    ):  # fmt: skip
        last[answer[:3]] = max(last.get(answer[:3], (0, 0.0)), answer[3:])
    assert any(revision > 2 for revision, _ in last.values())
    assert np.count_nonzero(~np.isnan(ratings)) == len(last)
    unit = {
        pair: number for number, pair in enumerate(zip(topic.tolist(), doc.tolist(), strict=True))
    }
    for (of_topic, of_doc, who), (_, grade) in last.items():
        assert ratings[who, unit[of_topic, of_doc]] == grade
    qrels = campaign.qrels(median(ratings))
    assert np.count_nonzero(~np.isnan(qrels)) == topic.size
    assert qrels[topic[5], doc[5]] == median(ratings)[5]


def test_perfect_assessors_and_deep_pools_give_the_true_grades():
    perfect = AssessorDesign(noise=(0.0, 0.0), bias=0.0)
    design = with_group(dataclasses.replace(SMALL, run_depth=80, depth=80), assessors=perfect)
    campaign = simulate_campaign(design, seed=0)
    qrels = campaign.qrels(median(campaign.ratings()))
    np.testing.assert_array_equal(qrels, campaign.true_grades())
    assert tau_to_the_truth(design, 0) == pytest.approx(1)


def test_better_systems_have_better_scores():
    campaign = simulate_campaign(dataclasses.replace(SMALL, topics=150), seed=0)
    scores = mean_scores(campaign, campaign.true_grades())
    assert kendalltau(scores, -np.arange(20)).statistic > 0.85


def test_careless_assessors_and_few_topics_reduce_the_correlation():
    careless = AssessorDesign(noise=(0.4, 0.6), inattention=(0.5, 0.7))
    good = np.mean([tau_to_the_truth(SMALL, seed) for seed in range(8)])
    bad = [tau_to_the_truth(with_group(SMALL, assessors=careless), seed) for seed in range(8)]
    few = [tau_to_the_truth(dataclasses.replace(SMALL, topics=2), seed) for seed in range(8)]
    assert good > np.mean(bad) + 0.1
    assert good > np.mean(few)


def test_prioritised_orders_are_equal_and_random_orders_differ():
    alike = simulate_campaign(with_group(SMALL, ordering="prioritised"), seed=0)
    mixed = simulate_campaign(SMALL, seed=0)
    for campaign, same in ((alike, True), (mixed, False)):
        events = campaign.events
        here = events.topic == 0
        first, second = (
            events.doc[here & (events.assessor == who)] for who in np.unique(events.assessor[here])
        )
        assert np.array_equal(first, second) is same
    top = alike.ranked[:, 0, :10]
    shown = alike.events.doc[alike.events.topic == 0][: len(tops(alike, 0))]
    runs = [np.count_nonzero(top == doc) for doc in shown]
    assert runs == sorted(runs, reverse=True)


def test_docs_are_shown_in_the_order_of_the_assignment():
    campaign = simulate_campaign(with_group(SMALL, ordering="balanced"), seed=2)
    events = campaign.events
    assert {one.ordering for one in campaign.assignments} == {"prioritised", "randomised"}
    for work in campaign.assignments:
        topic = campaign.topics.index(work.topic)
        who = campaign.assessors.index(work.assessor)
        mine = (events.topic == topic) & (events.assessor == who)
        shown = [campaign.docno(topic, doc) for doc in events.doc[mine].tolist()]
        order = order_docs(campaign.pools[topic], work.ordering, topic=work.topic, seed=work.seed)
        assert shown == list(order)


def test_a_longer_campaign_begins_with_the_same_topics():
    short = simulate_campaign(SMALL, seed=3)
    longer = simulate_campaign(dataclasses.replace(SMALL, topics=20), seed=3)
    for who in range(10):
        first, second = (campaign.events.assessor == who for campaign in (short, longer))
        for name in ("topic", "doc", "grade", "judged"):
            begin = getattr(short.events, name)[first]
            np.testing.assert_array_equal(getattr(longer.events, name)[second][: begin.size], begin)
    deeper = simulate_campaign(dataclasses.replace(SMALL, depth=20, levels=7), seed=3)
    np.testing.assert_array_equal(deeper.truth, short.truth)
    np.testing.assert_array_equal(deeper.ranked, short.ranked)


def test_creators_judge_their_own_topics_and_found_docs_are_pooled():
    gold = GroupDesign("gold", AssessorDesign(count=5), creators=True, per_doc=1)
    design = dataclasses.replace(SMALL, found=3, groups=(gold, CROWD))
    campaign = simulate_campaign(design, seed=0)
    own = {one.topic: one.assessor for one in campaign.assignments if one.group == "gold"}
    assert own == dict(zip(campaign.topics, campaign.creators, strict=True))
    assert campaign.assessors[:5] == ("gold-1", "gold-2", "gold-3", "gold-4", "gold-5")
    true = campaign.true_grades()
    for topic, docs in enumerate(campaign.found):
        assert len(docs) == min(3, np.count_nonzero(true[topic] > 0))
        assert all(true[topic, doc] > 0 for doc in docs)
        assert {campaign.docno(topic, doc) for doc in docs} <= set(campaign.pools[topic].docs)
    assert set(simulate_campaign(SMALL, seed=0).creators) == {""}


def test_the_smallest_campaign_can_be_simulated():
    one = GroupDesign(assessors=AssessorDesign(count=1), per_doc=1)
    design = CampaignDesign(
        topics=1, docs=1, run_depth=1, depth=1, levels=1, systems=Systems(count=1), groups=(one,)
    )
    campaign = simulate_campaign(design, seed=0)
    assert campaign.ratings().tolist() == [[0.0]]
    assert campaign.ranked.tolist() == [[[0]]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topics": 0}, "topics=0"),
        ({"alpha": (0.0, 1.0)}, "alpha="),
        ({"found": -1}, "found=-1"),
        ({"depth": 101}, "depth=101; expected at most 100"),
        ({"groups": ()}, "expected one or more, each with its own name"),
        ({"docs": 2**63}, f"docs={2**63}; expected a whole number from 1 to 1000000"),
        ({"levels": 10**20}, f"levels={10**20}; expected a whole number"),
        ({"groups": (CROWD, CROWD)}, "each with its own name"),
    ],
)
def test_invalid_plans_are_errors(options, message):
    with pytest.raises(UsageError, match=message):
        CampaignDesign(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ordering": "alphabetical"}, "'alphabetical' is not an ordering policy"),
        ({"per_doc": 11}, "per_doc=11; expected at most 10"),
        ({"per_doc": 0}, "per_doc=0"),
        ({"creators": True}, "per_doc=2; expected 1, because a topic has one creator"),
    ],
)
def test_invalid_groups_are_errors(options, message):
    with pytest.raises(UsageError, match=message):
        GroupDesign(**options)


def test_slow_assessors_need_more_time_for_the_same_docs():
    time = dataclasses.replace(CROWD.time, pace=(0.5, 1.5))
    plain = simulate_campaign(with_group(SMALL), seed=4)
    paced = simulate_campaign(with_group(SMALL, time=time), seed=4)
    np.testing.assert_array_equal(plain.events.grade, paced.events.grade)
    first = paced.events.revision == 1
    ratio = [
        paced.events.active[first & (paced.events.assessor == who)].sum()
        / plain.events.active[first & (plain.events.assessor == who)].sum()
        for who in (0, 9)
    ]
    # Assessors 1 and 10 of ten between 0.5 and 1.5; reading the topic does not depend on the pace.
    assert ratio[0] < 0.7
    assert ratio[1] > 1.3


def test_costs_of_work_cannot_be_negative():
    for name in ("wage", "fee"):
        with pytest.raises(UsageError, match=f"{name}=-1"):
            GroupDesign(**{name: -1.0})


def test_sessions_of_an_assessor_differ_in_pace():
    def means(spread):
        time = JudgingTime(spread=0.0, learning=0.0, topic_spread=spread)
        events = simulate_campaign(with_group(SMALL, time=time), seed=3).events
        keys = np.unique(events.topic * 100 + events.assessor, return_inverse=True)[1]
        return np.bincount(keys, events.active) / np.bincount(keys)

    assert np.ptp(means(0.0)) == pytest.approx(0.0, abs=1e-9)
    assert np.log(means(0.5)).std() == pytest.approx(0.5, rel=0.4)
