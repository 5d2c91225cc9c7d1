"""The organiser's pages of preference judging, by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from qrelsmith.web.models import PairTask

Read = Callable[..., Any]
CONTESTS, CHALLENGES = "/organiser/preferences", "/organiser/challenges"


def test_without_preferences_these_pages_do_not_exist(lite_judged: Any, read: Read) -> None:
    read(lite_judged, CONTESTS, status=404)
    read(lite_judged, CHALLENGES, status=404)
    assert "Attention checks" not in read(lite_judged, "/organiser/").text


@pytest.fixture
def contests(app: Any, request: pytest.FixtureRequest) -> Any:
    """Return preference tasks of two topics with six candidates each, open to all assessors."""
    contests_of = request.getfixturevalue("contests_of")
    return contests_of(app, share="pair", scheduler="rounds", k=1, finalists=3, pairings=2)


def pairs_of(contest: Any) -> Any:
    return PairTask.objects.filter(contest=contest, withdrawn=False).order_by("number")


def test_open_pairs_are_listed_with_those_held_longest_first(
    app: Any, contests: Any, comparing: Callable[..., Any], read: Read
) -> None:
    first = contests[0]
    b1, b2 = comparing(app, "b1", first), comparing(app, "b2", first)
    held = b1.next()
    other = b2.next()
    b2.answer(other, -1)
    last = b2.next()
    pairs_of(first).filter(pk=held.pk).update(claimed_at=held.claimed_at - timedelta(hours=2))
    page = read(app, CONTESTS)
    total = pairs_of(first).count()
    assert page.fact("Tasks completed") == "0 of 2"
    assert page.fact("In progress") == "2"
    row = page.rows("Preference tasks")[0]
    assert row[0:3] == ["q1", "open", "any available assessor"]
    assert row[3] == "rounds, best 1"
    assert row[4:9] == ["6", "1", f"1 of {total}", "2", str(total - 3)]
    pairs = page.rows("Open pairs")
    assert [pair[7] for pair in pairs[:3]] == ["b1", "b2", "available"]
    assert pairs[0][2:4] == [held.left.name, held.right.name]
    assert pairs[1][2:4] == [last.left.name, last.right.name]
    assert page.html.count("<strong>") == 1
    assert len(pairs) == sum(pairs_of(each).count() for each in contests) - 1


def test_failed_attention_checks_are_as_many_as_counted_by_hand(
    app: Any, contests: Any, comparing: Callable[..., Any], read: Read
) -> None:
    at = comparing(app, "b1", contests[0])
    tasks = list(pairs_of(contests[0])[:4])

    # Three attention checks with the left doc better: passed, failed, and failed by a tie.
    for task, outcome in zip(tasks, (-1, 1, 0, -1), strict=False):
        is_search = task == tasks[3]
        PairTask.objects.filter(pk=task.pk).update(
            assessor=at.assessor, is_judged=True, outcome=outcome,
            purpose="search" if is_search else "challenge", better="" if is_search else "left",
        )  # fmt: skip
    kept = tasks[3]
    for number, outcome in ((901, 1),):
        PairTask.objects.create(
            contest=contests[0], number=number, left=kept.right, right=kept.left, purpose="swapped",
            round=kept.round, assessor=at.assessor, is_judged=True, outcome=outcome,
        )  # fmt: skip
    (row,) = read(app, CHALLENGES).rows("Attention checks")
    assert row == [
        "b1", "bronze", "1", "3", "2", "67%", "21% … 94%", "1", "0", "0%",
    ]  # fmt: skip
    PairTask.objects.filter(number=901).update(outcome=-1)
    assert read(app, CHALLENGES).rows("Attention checks")[0][7:] == ["1", "1", "100%"]


def test_without_answers_no_assessor_is_listed(app: Any, contests: Any, read: Read) -> None:
    assert "No pair has been judged yet." in read(app, CHALLENGES).text
    assert "Attention checks" in read(app, "/organiser/").text
    assert read(app, CONTESTS, role="viewer").fact("Tasks completed") == "0 of 2"
