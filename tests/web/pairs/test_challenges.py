"""Attention checks and repeats: frequency, positions, sides, and that they do not count."""

from __future__ import annotations

from typing import Any

from qrelsmith.web.models import Assessor
from qrelsmith.web.pairs.searches import answers_to, state_of

GRADES = {f"d{n:05}": 2 if n < 4 else 0 for n in range(6)}


def answered(work: Any) -> list[Any]:
    """Return all tasks of an assessor in order; the left doc always wins."""
    given = []
    while task := work.next():
        given.append(task)
        work.answer(task, -1)
    return given


def test_every_ten_pairs_contain_the_same_number_of_attention_checks(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(
        lite_app, share="pair", scheduler="round-robin", challenges=2,
        grades={f"d{n:05}": 2 if n < 5 else 0 for n in range(6)},
    )[0]  # fmt: skip
    given = answered(comparing(lite_app, "b1", contest))
    challenges = [task for task in given if task.purpose == "challenge"]
    assert len(given) == 12
    assert len(challenges) == 2
    assert {task.better for task in challenges} == {"left", "right"}
    for task in challenges:
        good, bad = task.left, task.right
        if task.better == "right":
            good, bad = bad, good
        assert contest.candidates[good.name] == 2
        assert bad.name == "d00005"
        assert task.round == 0


def test_positions_of_attention_checks_differ_between_assessors(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(
        lite_app, share="pair", per_pair=8, scheduler="round-robin", challenges=3, grades=GRADES
    )[0]
    places = []
    for n in range(8):
        lite_app.account(f"a{n}")
        Assessor.objects.filter(name=f"a{n}").update(group="bronze")
        given = answered(comparing(lite_app, f"a{n}", contest))
        places.append(tuple(task.purpose == "challenge" for task in given))
    assert len(set(places)) > 3


def test_an_attention_check_is_shown_once_and_needs_nonrelevant_docs(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(
        lite_app, share="pair", scheduler="round-robin", challenges=9,
        grades={"d00000": 1, "d00001": 1, "d00002": 1, "d00003": 0},
    )[0]  # fmt: skip
    given = answered(comparing(lite_app, "b1", contest))
    challenges = [task for task in given if task.purpose == "challenge"]
    pairs = {frozenset((task.left_id, task.right_id)) for task in challenges}
    assert len(challenges) == len(pairs) <= 3
    alone = contests_of(lite_app, share="pair", challenges=9, grades={"d00000": 1, "d00001": 1})[1]
    given = answered(comparing(lite_app, "b1", alone))
    assert [task.purpose for task in given] == ["search"]


def test_every_pair_is_repeated_with_its_sides_swapped(
    app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(app, share="pair", scheduler="round-robin", swapped=1.0)[0]
    given = answered(comparing(app, "b1", contest))
    first = [(task.left_id, task.right_id) for task in given if task.purpose == "search"]
    again = [(task.right_id, task.left_id) for task in given if task.purpose == "swapped"]
    assert len(first) == 15
    assert sorted(first) == sorted(again)
    place = {pair: at for at, pair in enumerate(first)}
    at = [place[pair] for pair in again]
    # Not immediately: the first repeat comes after at least five other pairs.
    assert [task.purpose for task in given[:6]] == ["search"] * 6
    assert at != sorted(at) or len(at) == 15


def test_a_share_of_the_pairs_is_repeated(lite_app: Any, contests_of: Any, comparing: Any) -> None:
    repeats = 0
    for contest in contests_of(lite_app, share="pair", scheduler="round-robin", swapped=0.5):
        given = answered(comparing(lite_app, "b1", contest))
        repeats += sum(task.purpose == "swapped" for task in given)
    # 30 draws of one half: 5 to 25 except in one of 10,000 seeds.
    assert 5 <= repeats <= 25


def test_neither_checks_nor_repeats_count_for_the_result(
    app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(
        app, share="pair", scheduler="round-robin", swapped=1.0, challenges=3, grades=GRADES
    )[0]
    given = answered(comparing(app, "b1", contest))
    assert {task.purpose for task in given} == {"search", "swapped", "challenge"}
    assert len(answers_to(contest)) == 6
    assert state_of(contest).comparisons == 6
    assert state_of(contest).unused == 0


def test_the_purpose_of_a_pair_is_not_revealed_to_the_assessor(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(
        lite_app, share="pair", scheduler="round-robin", challenges=5, swapped=1.0, grades=GRADES
    )[0]
    work, client = comparing(lite_app, "b1", contest), lite_app.client("b1")
    keys = set()
    while task := work.next():
        pair = client.get(f"/api/contests/{contest.pk}/next").json()["pair"]
        page = client.get(f"/prefer/{contest.pk}/{task.pk}").content.decode()
        keys.add((tuple(sorted(pair)), tuple(sorted(pair["left"]))))
        for word in ("challenge", "swapped", "purpose", "better&quot;", "nonrelevant", "round"):
            assert word not in str(pair)
            assert word not in page
        work.answer(task, -1)
    assert len(keys) == 1
