from __future__ import annotations

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.judgments.environments import Session, in_environments, level_counts, sessions_of
from qrelsmith.judgments.judgment_files import Judgments


def judgments(*rows: str, more: tuple[str, ...] = ("group", "ordering")) -> Judgments:
    """Return judgments from rows `topic doc assessor grade …`; `-` is an empty cell."""
    names = ("topic", "doc", "assessor", "grade", *more)
    cells = [["" if cell == "-" else cell for cell in row.split()] for row in rows]
    return Judgments.from_columns(dict(zip(names, zip(*cells, strict=True), strict=True)))


def test_a_session_is_an_assessor_on_a_topic_with_group_and_ordering() -> None:
    data = judgments(
        "1 a g1 2 gold prioritised", "1 b g1 0 gold prioritised", "2 a g1 1 gold randomised",
        "1 a w1 1 bronze prioritised",
    )  # fmt: skip
    found = sessions_of(data)
    assert found.sessions == (
        Session("g1", "1", "gold", "prioritised"),
        Session("g1", "2", "gold", "randomised"),
        Session("w1", "1", "bronze", "prioritised"),
    )
    assert [found.sessions[place].topic for place in found.of] == [
        data.topics[topic] for topic in data.topic
    ]
    assert found.environments() == ("bronze/prioritised", "gold/prioritised", "gold/randomised")


def test_unknown_parts_are_left_out_of_the_name() -> None:
    sessions = (Session("a", "1", "gold"), Session("a", "1", "", "docno"), Session("a", "1"))
    assert [session.environment for session in sessions] == ["gold", "docno", ""]
    assert sessions_of(judgments("1 a x 1", more=())).environments() == ()


def test_an_empty_cell_is_ignored_and_two_orderings_are_joined() -> None:
    data = judgments("1 a x 1 gold -", "1 b x 1 gold docno", "1 c x 1 - prioritised")
    assert sessions_of(data).sessions == (Session("x", "1", "gold", "docno+prioritised"),)


def test_labels_are_counted_by_environment_and_by_group() -> None:
    # As Table 2 of ordering-gold-bronze: gold in total, and by the ordering of its topics.
    data = judgments(
        "1 a g 2 gold pri", "1 b g 0 gold pri", "2 a g 1 gold rnd", "2 b g -2 gold rnd",
        "1 a w 2 bronze pri",
    )  # fmt: skip
    assert list(level_counts(data)) == [
        ("bronze/pri", {-2.0: 0, 0.0: 0, 1.0: 0, 2.0: 1}),
        ("gold/pri", {-2.0: 0, 0.0: 1, 1.0: 0, 2.0: 1}),
        ("gold/rnd", {-2.0: 1, 0.0: 0, 1.0: 1, 2.0: 0}),
    ]
    assert dict(level_counts(data, by="group"))["gold"] == {-2.0: 1, 0.0: 1, 1.0: 1, 2.0: 1}


def test_the_latest_revision_counts() -> None:
    data = judgments("1 a x 2 g 1", "1 a x 0 g 2", more=("group", "revision"))
    assert dict(level_counts(data)) == {"g": {0.0: 1}}


def test_environments_can_be_selected() -> None:
    data = judgments(
        "1 a g1 2 gold prioritised", "2 a g1 1 gold randomised", "1 a w1 1 bronze prioritised",
        "2 a w1 1 bronze prioritised",
    )  # fmt: skip
    gold = in_environments(data, groups=["gold"])
    assert (gold.assessors, gold.topics) == (("g1",), ("1", "2"))
    prioritised = in_environments(data, orderings=["prioritised"])
    assert len(prioritised) == 3
    assert len(in_environments(data, groups=["gold", "bronze"], orderings=["randomised"])) == 1
    assert len(in_environments(data)) == 4


def test_an_unknown_environment_is_refused() -> None:
    data = judgments("1 a g1 2 gold prioritised", "1 a w1 1 bronze randomised")
    with pytest.raises(UsageError, match=r"unknown group 'x' \(choices: bronze, gold\)"):
        in_environments(data, groups=["x"])
    with pytest.raises(UsageError, match="unknown ordering 'docno'"):
        in_environments(data, orderings=["docno"])
    with pytest.raises(UsageError, match="no assessor of these groups"):
        in_environments(data, groups=["gold"], orderings=["randomised"])
