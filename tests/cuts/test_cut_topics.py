from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import InputError, UndefinedError
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import CutSets, topicwide
from qrelsmith.cuts.cut_topics import (
    CutTopics,
    Filling,
    aggregated_target,
    candidate_cuts,
    target_levels,
)
from qrelsmith.judgments.judgment_files import Judgments

NAN = np.nan


def judgments(rows: str, columns: str = "topic doc assessor grade") -> Judgments:
    cells = [row.split() for row in rows.split(";")]
    return Judgments.from_columns(dict(zip(columns.split(), zip(*cells, strict=True), strict=True)))


LABELS = judgments("1 a x 3; 1 a y 1; 1 b x -1; 1 c y 2; 2 a x 0; 2 d x -2")


def test_labels_are_grouped_by_topic_without_codes() -> None:
    topics = CutTopics.of(LABELS)
    assert topics.topics == ("1", "2")
    assert topics.docs == (("a", "c"), ("a",))
    np.testing.assert_array_equal(topics.labels[0].ratings, [[3, 2], [1, NAN]])
    assert np.isnan(topics.labels[0].target).all()
    with_errors = CutTopics.of(LABELS, errors="nonrelevant")
    assert with_errors.docs[1] == ("a", "d")
    assert with_errors.labels[1].grade.tolist() == [0, 0]


def test_only_the_latest_revision_counts() -> None:
    revised = judgments("1 a x 3 0; 1 a x 1 1", "topic doc assessor grade revision")
    assert CutTopics.of(revised).labels[0].grade.tolist() == [1]


def test_a_hit_is_a_unit_and_without_hits_the_topic_is_one() -> None:
    topics = CutTopics.of(LABELS)
    assert not topics.hits
    assert np.unique(topics.labels[0].unit).size == 2
    named = judgments(
        "1 a x 3 h1; 1 b x 1 h2; 1 a y 2 h1; 2 a x 0 h2", "topic doc assessor grade hit"
    )
    topics = CutTopics.of(named)
    assert topics.hits
    # x in h1, y in h1, x in h2: a HIT belongs to one assessor, and is one unit if topics are
    # pooled.
    assert np.unique(topics.labels[0].unit).size == 3
    assert np.unique(topics.pool_topics().labels[0].unit).size == 3
    # Judgments without a HIT among others with one: assessor and topic.
    some = judgments("1 a x 3 h1; 1 b x 1 h1; 2 a y 0 h1", "topic doc assessor grade hit")
    columns = {"topic": ["1", "1", "2"], "doc": ["a", "b", "a"], "assessor": ["x"] * 3}
    partly = Judgments.from_columns(columns | {"grade": [1, 2, 3], "hit": ["h1", "", ""]})
    assert np.unique(CutTopics.of(partly).pool_topics().labels[0].unit).size == 3
    assert np.unique(CutTopics.of(some).pool_topics().labels[0].unit).size == 2


def test_pooled_topics_keep_docs_of_different_topics_apart() -> None:
    pooled = CutTopics.of(LABELS).pool_topics()
    assert pooled.topics == ("all",)
    assert pooled.docs == (("1 a", "1 c", "2 a"),)
    np.testing.assert_array_equal(pooled.labels[0].ratings, [[3, 2, 0], [1, NAN, NAN]])
    one = CutTopics.of(LABELS.restricted_to(topics=["1"])).pool_topics()
    assert (one.topics, one.docs) == (("all",), (("a", "c"),))


def test_labels_have_their_targets_and_topics_without_targets_are_left_out() -> None:
    target = Qrels.from_dict({"1": {"a": 1.0, "b": 0.0, "c": -1.0}, "3": {"a": 1.0}})
    topics = CutTopics.of(LABELS, target=target)
    assert topics.topics == ("1",)
    assert topics.without_target == ("2",)
    np.testing.assert_array_equal(topics.labels[0].target, [1, NAN])


def test_unjudged_docs_can_count_as_not_relevant() -> None:
    target = Qrels.from_dict({"1": {"a": 1.0, "b": 0.0}})
    # Only in the target: c, which has a label. No label of b can be invented.
    topics = CutTopics.of(LABELS, target=target, filling=Filling(also=[("1", "z"), ("2", "y")]))
    assert topics.docs == (("a", "c"),)
    np.testing.assert_array_equal(topics.labels[0].target, [1, 0])
    assert topics.filled == 1
    # Both data sets, and docs of a third one: So4_a against TR2_a.
    topics = CutTopics.of(LABELS, target=target, filling=Filling(source=0.0, also=[("1", "z")]))
    assert topics.docs == (("a", "b", "c", "z"),)
    np.testing.assert_array_equal(topics.labels[0].ratings[0], [3, 0, 2, 0])
    np.testing.assert_array_equal(topics.labels[0].target, [1, 0, 0, 0])
    assert topics.filled == 4


def test_filling_in_zeros_does_not_change_agreement_among_assessors() -> None:
    sets = CutSets.of(range(4), targets=2)
    plain, filled = (
        CutTopics.of(LABELS, filling=filling).labels[0] for filling in (None, Filling())
    )
    np.testing.assert_array_equal(topicwide(plain, sets).alpha, topicwide(filled, sets).alpha)


def test_the_lack_of_labels_or_common_topics_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="there are no labels"):
        CutTopics.of(judgments("1 a x -1; 1 b x -2"))
    with pytest.raises(UndefinedError, match="none of the topics"):
        CutTopics.of(LABELS, target=Qrels.from_dict({"9": {"a": 1.0}}))


def test_target_grades_must_be_levels() -> None:
    good = Qrels.from_dict({"1": {"a": 1.0, "b": -1.0}})
    assert target_levels(good, 2) is good
    for grade in (2.0, 0.5):
        with pytest.raises(InputError, match="expected a whole number from 0 to 1"):
            target_levels(Qrels.from_dict({"1": {"a": grade}}), 2)


def test_a_crowd_on_the_target_scale_is_aggregated_and_rounded_down() -> None:
    crowd = judgments("1 a x 0; 1 a y 1; 1 b x 1; 1 b y 1")
    found = aggregated_target(crowd, by="mean", name="crowd")
    assert found.to_dict() == {"1": {"a": 0.0, "b": 1.0}}


def test_candidates_are_occurring_values_spread_over_the_labels() -> None:
    grades = np.array([-1, 0, 0, 0, 0, 1, 2, 3, 4.0])
    assert candidate_cuts(grades, 3).tolist() == [0, 2]
    assert candidate_cuts(np.arange(101.0), 3).tolist() == [25, 50, 75]
    assert candidate_cuts(np.array([2.0, 2.0]), 5).tolist() == []
    with pytest.raises(UndefinedError, match="no label"):
        candidate_cuts(np.array([-1.0]), 5)
