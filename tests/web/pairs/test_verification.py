"""`verify` finds data that does not follow from the answers, and `--rebuild` corrects it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from qrelsmith.cli import run
from qrelsmith.web.models import Assessor, Contest, PairTask
from qrelsmith.web.pairs.open_pairs import recount
from qrelsmith.web.verification.whole import verified


@pytest.fixture
def answered(app: Any, contests_of: Any, comparing: Any) -> Any:
    """Return a task with answers, a changed one, an undo, and open pairs."""
    contest = contests_of(app, share="pair", scheduler="round-robin")[0]
    work = comparing(app, "b1", contest)
    for _ in range(4):
        work.answer(work.next(), -1)
    work.undo()
    task = work.next()
    work.answer(task, 0)
    task.refresh_from_db()
    work.answer(task, 1)
    comparing(app, "b2", contest).next()
    return contest


def faults() -> dict[str, int]:
    return {check.name: check.wrong for check in verified() if check.wrong}


def test_the_apps_own_data_is_consistent(app: Any, answered: Any) -> None:
    assert faults() == {}
    assert run(["verify", str(app.folder), "--quiet"]) == 0


@pytest.mark.parametrize(
    ("what", "values", "check"),
    [
        ("first", {"outcome": 1}, "current labels match the log"),
        ("first", {"is_judged": False}, "current labels match the log"),
        ("first", {"revision": 9}, "current labels match the log"),
        ("last", {"outcome": 1, "is_judged": True}, "items without events are unjudged"),
        ("contest", {"judged": 9}, "progress counts are correct"),
        ("contest", {"revision": 99}, "progress counts are correct"),
    ],
)
def test_a_projection_that_differs_is_found_and_rebuilt(
    app: Any, answered: Any, what: str, values: dict[str, Any], check: str
) -> None:
    tasks = PairTask.objects.filter(contest=answered).order_by("number")
    if what == "contest":
        Contest.objects.filter(pk=answered.pk).update(**values)
    else:
        chosen = tasks.first() if what == "first" else tasks.last()
        assert chosen is not None
        PairTask.objects.filter(pk=chosen.pk).update(**values)
    assert check in faults()
    assert run(["verify", str(app.folder), "--quiet"]) == 2
    assert run(["verify", str(app.folder), "--quiet", "--rebuild"]) == 0
    assert faults() == {}


def test_open_pairs_that_are_not_needed_are_found(app: Any, answered: Any) -> None:
    last = PairTask.objects.filter(contest=answered).order_by("-number").first()
    assert last is not None
    PairTask.objects.filter(pk=last.pk).update(withdrawn=True)
    recount(answered.pk)
    # The derived pairs are checked if no answer arrived since.
    answered.refresh_from_db()
    type(answered).objects.filter(pk=answered.pk).update(
        derived=answered.revision, is_changed=False
    )
    assert faults() == {"open pairs match the answers": 1}


def test_an_answer_by_an_assessor_without_the_pair_is_found(app: Any, answered: Any) -> None:
    task = PairTask.objects.filter(contest=answered, is_judged=True).first()
    assert task is not None
    PairTask.objects.filter(pk=task.pk).update(assessor=Assessor.objects.get(name="b2"))
    assert faults() == {"events follow one another": 1}


def test_the_database_itself_refuses_two_tasks_in_one_slot(app: Any, answered: Any) -> None:
    task = PairTask.objects.filter(contest=answered).first()
    assert task is not None
    task.pk, task.number = None, 99
    with pytest.raises(IntegrityError), transaction.atomic():
        task.save(force_insert=True)
