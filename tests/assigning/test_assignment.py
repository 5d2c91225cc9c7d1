from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.assigning.assignment import (
    GroupPlan,
    assign_hits,
    assign_to_creators,
    assign_topics,
    cut_hits,
)
from qrelsmith.base.errors import UsageError

TOPICS = [f"{topic:04d}" for topic in range(201, 251)]
BRONZE = GroupPlan("bronze", ("w1", "w2", "w3", "w4", "w5"), "prioritised")
# As in Table 1 of Sakai et al. (2023): the first creator has eight topics, six others have seven
# each.
CREATORS = {topic: f"G{max(place - 1, 0) // 7 + 1}" for place, topic in enumerate(TOPICS)}
GOLD = GroupPlan("gold", tuple(f"G{number}" for number in range(1, 8)), "balanced")


def test_the_design_of_the_paper_is_reproduced():
    assert Counter(CREATORS.values()) == {"G1": 8} | {f"G{k}": 7 for k in range(2, 8)}
    gold = assign_to_creators(CREATORS, GOLD, seed=0)
    assert {one.topic: one.assessor for one in gold} == CREATORS
    # 25 and 25, four and four for G1, four and three or three and four for the others.
    assert Counter(one.ordering for one in gold) == {"prioritised": 25, "randomised": 25}
    for who in GOLD.assessors:
        own = Counter(one.ordering for one in gold if one.assessor == who)
        assert sorted(own.values()) == ([4, 4] if who == "G1" else [3, 4])
    bronze = assign_topics(TOPICS, BRONZE, seed=0)
    assert [one.topic for one in bronze] == TOPICS
    assert {one.ordering for one in bronze} == {"prioritised"}
    assert set(Counter(one.assessor for one in bronze).values()) == {10}


def test_every_assignment_has_its_own_seed_of_32_bits():
    rows = assign_topics(TOPICS, BRONZE, seed=0) + assign_to_creators(CREATORS, GOLD, seed=0)
    assert len({one.seed for one in rows}) == len(rows)
    assert all(0 <= one.seed < 2**32 for one in rows)
    assert assign_topics(TOPICS, BRONZE, seed=0) == rows[:50]
    others = assign_topics(TOPICS, BRONZE, seed=1)
    assert sum(a.assessor == b.assessor for a, b in zip(others, rows, strict=False)) < 25


def test_the_published_meaning_of_a_seed_is_kept():
    # By hand, with sha256sum: of "i:1:7⏎s:6:assign⏎s:1:g⏎s:4:0201⏎s:1:a", 191ee166…, and the same
    # with b, 4e32fe53…, the smaller wins; the seed is the head of that with s:5:order, 43c05196.
    first = assign_topics(["0201"], GroupPlan("g", ("a", "b"), "randomised"), seed=7)
    assert [(one.assessor, one.seed) for one in first] == [("a", 0x43C05196)]


def test_topics_without_a_creator_are_not_assigned():
    rows = assign_to_creators({"1": "G1", "2": "", "3": "G2"}, GOLD, seed=0)
    assert [(one.topic, one.assessor) for one in rows] == [("1", "G1"), ("3", "G2")]
    assert assign_to_creators({"1": ""}, GOLD, seed=0) == []


def test_with_more_assessors_than_topics_some_have_no_work():
    rows = assign_topics(["1", "2"], BRONZE, seed=0)
    assert len({one.assessor for one in rows}) == 2
    twice = assign_topics(["1"], GroupPlan("g", ("a", "b", "c"), "docno", per_doc=2), seed=0)
    assert len(twice) == len({one.assessor for one in twice}) == 2


@given(st.integers(0, 40), st.integers(1, 12), st.integers())
def test_hits_contain_every_doc_once_and_are_as_equal_as_possible(count, size, seed):
    docs = [f"d{number}" for number in range(count)]
    hits = cut_hits("7", docs, size=size, seed=seed)
    assert sorted(doc for hit in hits for doc in hit.docs) == sorted(docs)
    assert len(hits) == -(-count // size)
    sizes = [len(hit.docs) for hit in hits]
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    assert len({hit.hit for hit in hits}) == len(hits)
    assert cut_hits("7", docs[::-1], size=size, seed=seed) == hits


def test_every_doc_gets_the_given_number_of_crowd_judgments():
    pools = {"1": [f"d{n}" for n in range(20)], "2": ["e"]}
    plan = GroupPlan("crowd", tuple(f"c{n}" for n in range(12)), "randomised", per_doc=10)
    rows = assign_hits(pools, plan, size=8, seed=0)
    judged = Counter((one.topic, doc) for one in rows for doc in one.docs)
    assert set(judged.values()) == {10}
    assert len(judged) == 21
    assert len({(one.hit, one.assessor) for one in rows}) == len(rows) == 4 * 10
    assert set(Counter(one.assessor for one in rows).values()) == {3, 4}
    assert {len(one.docs) for one in rows if one.topic == "1"} == {6, 7}


def test_an_unknown_crowd_has_open_places_with_separate_seeds():
    rows = assign_hits(
        {"1": ["a", "b"]}, GroupPlan("crowd", (), "balanced", per_doc=4), size=8, seed=0
    )
    assert [one.assessor for one in rows] == [""] * 4
    assert len({one.seed for one in rows}) == 4
    assert {one.hit for one in rows} == {"1/1"}


def test_groups_share_their_hits():
    pools = {"1": [f"d{n}" for n in range(20)]}
    first, second = (
        {
            (one.hit, one.docs)
            for one in assign_hits(pools, GroupPlan(name, (), "docno"), size=8, seed=0)
        }
        for name in ("one", "two")
    )
    assert first == second


def test_impossible_assignments_are_errors():
    with pytest.raises(UsageError, match="topic '1' was created by 'X', who is not in the group"):
        assign_to_creators({"1": "X"}, GOLD, seed=0)
    with pytest.raises(UsageError, match="a topic has one creator"):
        assign_to_creators({}, GroupPlan("gold", ("a", "b"), "balanced", per_doc=2), seed=0)
    with pytest.raises(UsageError, match="per_doc=3 in the group 'g', which has 2 assessors"):
        GroupPlan("g", ("a", "b"), "docno", per_doc=3)
    with pytest.raises(UsageError, match="'best' is not an ordering policy"):
        GroupPlan("g", ("a",), "best")
    with pytest.raises(UsageError, match="lists an assessor twice"):
        GroupPlan("g", ("a", "a"), "docno")
    with pytest.raises(UsageError, match="the HIT size is 0"):
        cut_hits("1", ["a"], size=0, seed=0)
    with pytest.raises(UsageError, match="expected 1 to 0"):
        assign_topics(["1"], GroupPlan("g", (), "docno"), seed=0)
