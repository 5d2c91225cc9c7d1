"""Assignment of pairs: one at a time, never one of another assessor, none lost forever."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.models import Assessor, Contest, PairTask
from qrelsmith.web.pairs.claims import free_again, next_pair, pair_ahead
from qrelsmith.web.pairs.searches import answers_to, scheduler_of
from qrelsmith.web.verification.whole import verified


def shown(task: Any) -> tuple[int, frozenset[int]]:
    """Return a pair whatever its sides."""
    return task.round, frozenset((task.left_id, task.right_id))


def test_a_repeated_request_gets_the_same_pair(app: Any, contests_of: Any, comparing: Any) -> None:
    contest = contests_of(app, share="pair")[0]
    b1, b2 = comparing(app, "b1", contest), comparing(app, "b2", contest)
    first = b1.next()
    assert (first.position, first.assessor) == (1, b1.assessor)
    assert b1.next() == first
    other = b2.next()
    assert other != first
    b1.answer(first, -1)
    second = b1.next()
    assert second not in (first, other)
    assert second.position == 2


def test_pairs_are_assigned_in_the_order_of_the_scheduler(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(lite_app, share="pair", scheduler="round-robin")[0]
    asked = [(pair.left, pair.right) for pair in scheduler_of(contest).replay([]).open_pairs]
    work = comparing(lite_app, "b1", contest)
    given = []
    while task := work.next():
        given.append((task.left.name, task.right.name))
        work.answer(task, 1)
    assert given == asked


def test_several_assessors_each_answer_a_pair_once(
    app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(app, share="pair", per_pair=2, scheduler="round-robin")[0]
    for name in ("b1", "b2"):
        work = comparing(app, name, contest)
        given = []
        while task := work.next():
            given.append(shown(task))
            work.answer(task, -1)
        assert len(given) == len(set(given)) == 15
    contest.refresh_from_db()
    assert (contest.judged, contest.total, contest.is_done) == (30, 30, True)


def test_an_assessor_who_has_answered_all_open_pairs_waits_for_others(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(lite_app, share="pair", per_pair=2)[0]
    b1, b2 = comparing(lite_app, "b1", contest), comparing(lite_app, "b2", contest)
    while task := b1.next():
        b1.answer(task, -1)
    client = lite_app.client("b1")
    answer = client.get(f"/api/contests/{contest.pk}/next").json()
    assert (answer["pair"], answer["reason"]) == (None, "waiting")
    page = client.get(f"/prefer/{contest.pk}")
    assert page.status_code == 200
    assert b"No pair is available for you now" in page.content
    while task := b2.next():
        b2.answer(task, -1)
    assert b1.next() is not None


def test_an_assigned_topic_stays_with_its_assessor(lite_app: Any, contests_of: Any) -> None:
    for contest in contests_of(lite_app):
        other = "b2" if contest.assessor.name == "b1" else "b1"
        assert (
            lite_app.client(contest.assessor.name).get(f"/prefer/{contest.pk}").status_code == 302
        )
        assert lite_app.client(other).get(f"/prefer/{contest.pk}").status_code == 404


def test_an_unassigned_topic_goes_to_the_first_assessor(
    app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(app)[0]
    Contest.objects.update(assessor=None)
    b1, b2 = comparing(app, "b1", contest), comparing(app, "b2", contest)
    assert b2.next() is not None
    assert b1.next() is None
    contest.refresh_from_db()
    assert contest.assessor == b2.assessor


def test_an_assessor_of_another_group_has_no_preference_task(
    lite_app: Any, contests_of: Any
) -> None:
    contest = contests_of(lite_app, share="pair")[0]
    client = lite_app.client("stranger")
    assert client.get("/api/contests").json() == {"contests": []}
    assert client.get(f"/prefer/{contest.pk}").status_code == 404
    assert client.get(f"/api/contests/{contest.pk}/next").status_code == 404
    Assessor.objects.filter(name="stranger").update(group="bronze")
    assert len(client.get("/api/contests").json()["contests"]) == 2


def test_a_closed_task_gives_no_pairs(lite_app: Any, contests_of: Any, comparing: Any) -> None:
    contest = contests_of(lite_app, share="pair")[0]
    Contest.objects.update(is_open=False)
    assert comparing(lite_app, "b1", contest).next() is None
    answer = lite_app.client("b1").get(f"/api/contests/{contest.pk}/next").json()
    assert answer["reason"] == "closed"


def test_an_abandoned_pair_goes_to_another_assessor(
    app: Any, contests_of: Any, comparing: Any
) -> None:
    grades = {"d00000": 1, "d00001": 1}
    contest = contests_of(app, share="pair", k=2, hold=30, grades=grades)[0]
    b1, b2 = comparing(app, "b1", contest), comparing(app, "b2", contest)
    task = b1.next()
    assert b2.next() is None
    PairTask.objects.filter(pk=task.pk).update(claimed_at=timezone.now() - timedelta(minutes=31))
    again = b2.next()
    assert shown(again) == shown(task)
    assert again.pk != task.pk
    with pytest.raises(RefusedError) as caught:
        b1.answer(task, 1)
    assert caught.value.reason == "withdrawn"
    b2.answer(again, 1)
    contest.refresh_from_db()
    assert (contest.judged, contest.total, contest.is_done) == (1, 1, True)
    assert not [check for check in verified() if check.wrong]


def test_a_slow_assessor_keeps_the_pair_as_long_as_others_have_work(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(lite_app, share="pair", scheduler="round-robin")[0]
    b1, b2 = comparing(lite_app, "b1", contest), comparing(lite_app, "b2", contest)
    task = b1.next()
    PairTask.objects.filter(pk=task.pk).update(claimed_at=timezone.now() - timedelta(days=2))
    assert shown(b2.next()) != shown(task)
    b1.answer(task, 1)


def test_pairs_of_a_hit_are_not_assigned_to_others(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(lite_app, share="pair", scheduler="round-robin")[0]
    PairTask.objects.filter(contest=contest).exclude(number=7).update(hit="h1")
    work = comparing(lite_app, "b1", contest)
    task = work.next()
    assert task.number == 7
    work.answer(task, 0)
    assert work.next() is None


def test_a_released_pair_is_assigned_again_and_its_answer_does_not_count(
    app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(app, share="pair", scheduler="round-robin")[0]
    b1 = comparing(app, "b1", contest)
    for _ in range(3):
        b1.answer(b1.next(), -1)
    tasks = PairTask.objects.filter(contest=contest, assessor=b1.assessor)
    with writing():
        copies = free_again(tasks)
    assert len(copies) == 3
    assert answers_to(contest) == []
    contest.refresh_from_db()
    assert (contest.judged, contest.total) == (0, 15)
    work = comparing(app, "b2", contest)
    while task := work.next():
        work.answer(task, 1)
    assert {answer.assessor for answer in answers_to(contest)} == {"b2"}
    contest.refresh_from_db()
    assert (contest.judged, contest.total, contest.is_done) == (15, 15, True)
    assert PairTask.objects.filter(contest=contest, withdrawn=True).count() == 3
    assert not [check for check in verified() if check.wrong]


def test_simultaneous_requests_get_different_pairs(app: Any, contests_of: Any) -> None:
    contest = contests_of(app, share="pair", scheduler="round-robin")[0]
    assessors = [
        Assessor.objects.get_or_create(name=f"a{n}", defaults={"group": "bronze"})[0]
        for n in range(12)
    ]

    def ask(place: int) -> int:
        try:
            # Each of them from two windows.
            task = next_pair(
                Contest.objects.select_related("topic").get(pk=contest.pk), assessors[place % 12]
            )
            assert task is not None
            return int(task.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(ask, range(24)))
    assert len(set(given)) == 12
    assert given[:12] == given[12:]
    held = PairTask.objects.filter(contest=contest).exclude(assessor=None)
    assert held.count() == 12
    assert set(held.values_list("position", flat=True)) == {1}


def test_only_one_pair_is_taken_ahead(app: Any, contests_of: Any, comparing: Any) -> None:
    contest = contests_of(app, share="pair", scheduler="round-robin")[0]
    b1, b2 = comparing(app, "b1", contest), comparing(app, "b2", contest)
    first = b1.next()
    ahead = pair_ahead(contest, b1.assessor, besides=first.pk)
    assert ahead is not None
    assert (ahead.assessor, ahead.position) == (b1.assessor, 2)
    # A request with another number, or a repeated one, has two unanswered pairs and gets no third.
    for besides in (first.pk, ahead.pk, 999_999):
        again = pair_ahead(contest, b1.assessor, besides=besides)
        assert again in (first, ahead)
        assert again.pk != besides
    assert b1.next() == first
    assert b2.next() not in (first, ahead)
    b1.answer(first, 1)
    assert b1.next() == ahead


def test_only_pairs_that_no_answer_can_change_are_taken_ahead(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(lite_app, share="pair", k=1)[0]  # a tournament of six docs
    work = comparing(lite_app, "b1", contest)
    tasks = []
    for _ in range(3):
        tasks.append(work.next())
        work.answer(tasks[-1], 1)
    semi_final = work.next()
    # The pairs of the final follow from the answer.
    assert pair_ahead(contest, work.assessor, besides=semi_final.pk) is None
    tasks[0].refresh_from_db()
    work.answer(tasks[0], -1)
    contest.refresh_from_db()
    assert contest.is_changed
    assert pair_ahead(contest, work.assessor, besides=semi_final.pk) is None
    Contest.objects.filter(pk=contest.pk).update(is_open=False)
    contest.refresh_from_db()
    assert pair_ahead(contest, work.assessor, besides=semi_final.pk) is None
