import numpy as np
import pytest

from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.planning.simulation import (
    NO_HABITS,
    AssessorDesign,
    CampaignDesign,
    GroupDesign,
    second_round,
    simulate_campaign,
)

GOLD = GroupDesign(
    "gold",
    AssessorDesign(count=3, noise=(0.3, 0.3), bias=0.0),
    habits=NO_HABITS,
    creators=True,
    per_doc=1,
)
CROWD = GroupDesign("crowd", AssessorDesign(count=4))
CAMPAIGN = simulate_campaign(
    CampaignDesign(topics=9, docs=60, run_depth=60, depth=30, groups=(CROWD, GOLD)), seed=0
)


def pooled(topic):
    """Return the numbers of the docs in a topic's pool."""
    return [int(name.rpartition("-d")[2]) for name in CAMPAIGN.pools[topic].docs]


def test_docs_return_to_their_assessors_in_the_listed_order():
    lists = {0: pooled(0)[5:1:-1], 7: pooled(7)[:2]}
    events = second_round(CAMPAIGN, lists, group="gold")
    assert len(events.grade) == 6
    for topic, docs in lists.items():
        mine = events.topic == topic
        assert events.doc[mine].tolist() == docs
        assert events.position[mine].tolist() == list(range(1, len(docs) + 1))
        (who,) = set(events.assessor[mine].tolist())
        assert CAMPAIGN.assessors[who] == CAMPAIGN.creators[topic]
    assert (events.judged > events.shown).all()
    assert set(events.revision.tolist()) == {1}


def test_a_careful_second_judgment_is_closer_to_the_true_grade():
    lists = {topic: pooled(topic) for topic in range(9)}
    events = second_round(CAMPAIGN, lists, group="gold", care=0.3)
    true = CAMPAIGN.true_grades()

    def wrong(some):
        return np.mean(some.grade != true[some.topic, some.doc])

    first = CAMPAIGN.events
    gold = first.assessor >= 4
    before = np.mean(first.grade[gold] != true[first.topic[gold], first.doc[gold]])
    assert wrong(events) < 0.7 * before
    perfect = second_round(CAMPAIGN, lists, group="gold", care=0.0)
    assert wrong(perfect) == 0


def test_several_assessors_of_a_topic_all_judge_again():
    events = second_round(CAMPAIGN, {3: pooled(3)[:4]}, group="crowd")
    assert len(set(events.assessor.tolist())) == 2
    assert len(events.grade) == 8


def test_the_first_round_and_the_seed_determine_the_second_round():
    lists = {2: pooled(2)[:3]}
    first = second_round(CAMPAIGN, lists, group="gold")
    again = second_round(CAMPAIGN, lists, group="gold")
    np.testing.assert_array_equal(first.grade, again.grade)
    np.testing.assert_array_equal(first.judged, again.judged)


def test_invalid_second_rounds_are_errors():
    with pytest.raises(UnknownNameError, match="unknown group 'silver'"):
        second_round(CAMPAIGN, {0: pooled(0)}, group="silver")
    with pytest.raises(UsageError, match="the group gold has no docs to judge again"):
        second_round(CAMPAIGN, {}, group="gold")
    outside = next(doc for doc in range(60) if doc not in pooled(0))
    with pytest.raises(UsageError, match=f"doc {outside} is not in the pool of topic t0001"):
        second_round(CAMPAIGN, {0: [outside]}, group="gold")
    with pytest.raises(UsageError, match="care=-1"):
        second_round(CAMPAIGN, {0: pooled(0)}, group="gold", care=-1)
