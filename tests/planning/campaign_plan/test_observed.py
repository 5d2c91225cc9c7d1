from __future__ import annotations

import pytest

from qrelsmith.base.errors import InputError, UndefinedError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.planning.campaign_plan.observed import ObservedCampaign, observed_campaign

SCALE = Scale.parse("0..2")
# Two runs on two topics; e is at rank 3 of the second run only.
RUNS = [
    Run.from_dict({"t1": {"a": 3, "b": 2, "c": 1}, "t2": {"a": 3, "b": 2}}, name="x"),
    Run.from_dict({"t1": {"b": 3, "d": 2, "e": 1}, "t2": {"b": 2}}, name="y"),
]
ONE = {"t1": {"a": 2, "b": 1, "c": 0, "d": 0}, "t2": {"a": 1, "b": 0, "z": 2}}
TWO = {"t1": {"a": 1, "b": 1, "d": 2}, "t2": {"a": 0, "b": -1}}


def observed(*sets: dict, runs=RUNS, scale=SCALE) -> ObservedCampaign:
    judgments = Judgments.from_qrels(
        {f"q{place}": Qrels.from_dict(of) for place, of in enumerate(sets)}
    )
    return observed_campaign(judgments, runs, scale=scale)


def test_observed_labels_and_runs_are_as_counted_by_hand() -> None:
    found = observed(ONE, TWO)
    # -1 is the code for unjudged. At depth 2 all pooled docs are judged (a, b, d; a, b); at
    # depth 3, e is not.
    assert found.depth == 2
    assert found.topics == ("t1", "t2")
    assert found.names == ("q0", "q1")
    # c is at rank 3, z in no run.
    assert found.left_out == 2
    judged = found.judged
    assert judged.topic.tolist() == [0, 0, 0, 1, 1]
    assert judged.ratings[0].tolist() == [2, 1, 0, 1, 0]
    assert judged.ratings[1, :4].tolist() == [1, 1, 2, 0]
    assert judged.ratings[1, 4:].tolist() == pytest.approx([float("nan")], nan_ok=True)
    assert judged.ranked[0].tolist() == [[0, 1, -1], [3, 4, -1]]
    assert judged.ranked[1].tolist() == [[1, 2, -1], [4, -1, -1]]
    assert judged.levels == 3


def test_grades_become_numbers_of_levels() -> None:
    tens = {"t1": {"a": 20, "b": 10, "d": 0}, "t2": {"a": 10, "b": 0}}
    found = observed(tens, tens, scale=Scale.parse("0,10,20"))
    assert found.judged.ratings[0].tolist() == [2, 1, 0, 1, 0]
    with pytest.raises(InputError, match=r"the grade 20 is not on the scale 0\.\.2"):
        observed(tens, ONE)


def test_assessors_who_share_the_topics_become_one_sequence() -> None:
    rows = [
        ("t1", "a", "ann", 2, "g"), ("t1", "b", "ann", 1, "g"), ("t1", "d", "ann", 0, "g"),
        ("t1", "a", "bob", 1, "g"), ("t1", "b", "bob", 1, "g"), ("t1", "d", "bob", 1, "g"),
        ("t2", "a", "bob", 0, "g"), ("t2", "b", "bob", 0, "g"),
        ("t2", "a", "cy", 2, "g"), ("t2", "b", "cy", 2, "g"),
    ]  # fmt: skip
    columns = dict(
        zip(("topic", "doc", "assessor", "grade", "group"), zip(*rows, strict=True), strict=True)
    )
    found = observed_campaign(Judgments.from_columns(columns), RUNS, scale=SCALE)
    assert found.names == ("g 1", "g 2")
    assert found.judged.ratings.tolist() == [[2, 1, 0, 0, 0], [1, 1, 1, 2, 2]]


def test_halves_have_no_common_topic_and_contain_all_topics() -> None:
    many = {f"t{number}": {"a": number % 3, "b": 1} for number in range(9)}
    runs = [
        Run.from_dict({topic: {"a": 2, "b": 1} for topic in many}, name="x"),
        Run.from_dict({topic: {"b": 2} for topic in many}, name="y"),
    ]
    found = observed(many, many, runs=runs)
    one, other = found.halves(seed=3)
    assert (one.topics, other.topics) == (5, 4)
    grades = sorted([*one.ratings[0].tolist(), *other.ratings[0].tolist()])
    assert grades == sorted(found.judged.ratings[0].tolist())
    again, _ = found.halves(seed=3)
    assert again.ratings.tolist() == one.ratings.tolist()


@pytest.mark.parametrize(
    ("sets", "runs", "error", "message"),
    [
        ((ONE, TWO), RUNS[:1], UsageError, "found 1 runs; expected at least two"),
        ((ONE,), RUNS, UndefinedError, "found labels of one assessor"),
        (({"t9": {"a": 1}}, {"t9": {"a": 1}}), RUNS, UndefinedError, "no doc of the runs is"),
        (
            ({"t1": {"d": 1}, "t2": {"a": 0}}, TWO | {"t1": {"d": 2}}),
            RUNS,
            UndefinedError,
            "25% of the top docs of the runs are judged",
        ),
    ],
)
def test_too_few_labels_or_runs_are_refused(sets, runs, error, message) -> None:
    with pytest.raises(error, match=message):
        observed(*sets, runs=runs)
