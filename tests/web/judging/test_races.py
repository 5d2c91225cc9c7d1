"""Two operations at the same time: judgments, undos, closes, disabled accounts, verdicts.

Both begin at about the same moment, `tries` times. Judgments acknowledged before the close count,
and later judgments are refused. `benchmarks/races.py` tries this 200 times; the simulator in
`crowd/` tests all interleavings.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from qrelsmith.web.core.closing import close_assignment, reopen_assignment
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import Accepted, RefusedError
from qrelsmith.web.desk.matters import Matter
from qrelsmith.web.desk.verdicts import DeskVerdict, adjudicate
from qrelsmith.web.models import Account, Assignment, DeskEvent, Event
from qrelsmith.web.verification.late_events import late_check
from qrelsmith.web.verification.whole import verified


def assert_sound() -> None:
    assert [(each.name, each.examples) for each in verified() if each.wrong] == []


def late() -> int:
    return late_check().wrong


@pytest.mark.parametrize("what", ["judge", "change", "undo"])
def test_nothing_is_accepted_after_an_organiser_closes_a_topic(
    app: Any, at_work: Any, race: Any, tries: int, what: str
) -> None:
    b1 = at_work(app)
    rng = random.Random(what)
    outcomes = set()

    def close() -> int:
        with writing():
            close_assignment(b1.assignment.pk)
            return Event.objects.filter(assignment=b1.assignment.pk).count()

    for number in range(tries):
        if what != "judge":
            b1.judge(1, number % 3)
        answer = b1.undo if what == "undo" else lambda n=number: b1.judge(1, (n + 1) % 3)
        done, there = race(answer, close, rng)
        assert isinstance(done, Accepted) or (
            isinstance(done, RefusedError) and done.reason == "closed"
        )
        outcomes.add(type(done))
        assert Event.objects.filter(assignment=b1.assignment.pk).count() == there
        assert late() == 0
        with writing():
            reopen_assignment(b1.assignment.pk)
    assert_sound()
    if tries > 100:
        assert len(outcomes) == 2  # else the two operations never overlapped


def test_nothing_is_accepted_from_a_disabled_account(
    app: Any, at_work: Any, race: Any, tries: int
) -> None:
    b1 = at_work(app)
    mine = Account.objects.filter(assessor=b1.assessor)
    rng = random.Random(3)

    def shut_out() -> int:
        mine.update(is_active=False)
        return Event.objects.filter(assignment=b1.assignment.pk).count()

    for number in range(tries):
        done, there = race(lambda n=number: b1.judge(1, n % 3), shut_out, rng)
        assert Event.objects.filter(assignment=b1.assignment.pk).count() == there
        assert getattr(done, "reason", "account") == "account"
        mine.update(is_active=True)
    assert_sound()


def test_only_one_of_two_tabs_on_one_label_is_accepted(
    app: Any, at_work: Any, race: Any, tries: int
) -> None:
    b1 = at_work(app)
    rng = random.Random(5)
    for number in range(tries):
        tabs = [
            lambda tab=tab, known=number: b1.judge(
                1, tab, op_id=f"tab-{tab}-{known:06}", base_revision=known
            )
            for tab in (0, 2)
        ]
        results = race(*tabs, rng)
        assert sorted(getattr(each, "reason", "") for each in results) == ["", "stale"]
    assert Event.objects.count() == tries
    assert_sound()


def test_an_undo_during_a_judgment_undoes_one_named_judgment(
    app: Any, at_work: Any, race: Any, tries: int
) -> None:
    b1 = at_work(app)
    rng = random.Random(6)
    for number in range(tries):
        b1.judge(1, number % 3)
        before = Event.objects.count()
        op_ids = f"undo-{number:06}", f"judge-{number:06}"
        results = race(
            lambda op=op_ids[0]: b1.undo(op), lambda op=op_ids[1]: b1.judge(2, 1, op_id=op), rng
        )
        accepted = sum(isinstance(each, Accepted) for each in results)
        assert {getattr(each, "reason", "stale") for each in results} == {"stale"}
        assert Event.objects.filter(op_id__in=op_ids).count() == accepted >= 1
        assert Event.objects.count() == before + accepted
    assert_sound()


@pytest.mark.parametrize("beside", ["another adjudicator", "a judgment"])
def test_a_verdict_is_recorded_once_during_other_operations(
    app: Any, at_work: Any, race: Any, tries: int, beside: str
) -> None:
    b1 = at_work(app)
    doc = b1.doc(1)
    matter = Matter(doc.assignment.topic_id, doc.doc_id)
    olga, otto = (app.account(name, role="organiser") for name in ("olga", "otto"))
    rng = random.Random(beside)

    def decide(account: Account, number: int) -> DeskEvent:
        given = DeskVerdict(f"{account.login}-{number:06}", number % 3, number, doc.current_sha256)
        return adjudicate(account, matter, given)

    for number in range(tries):
        other = (
            (lambda n=number: decide(otto, n))
            if beside == "another adjudicator"
            else (lambda n=number: b1.judge(1, n % 3))
        )
        results = race(lambda n=number: decide(olga, n), other, rng)
        refused = [each.reason for each in results if isinstance(each, RefusedError)]
        assert refused == (["stale"] if beside == "another adjudicator" else [])
    assert DeskEvent.objects.count() == tries
    assert Event.objects.count() == (0 if beside == "another adjudicator" else tries)
    assert_sound()


def test_no_batch_of_a_model_is_accepted_after_the_close(
    app: Any, model: Any, race: Any, tries: int
) -> None:
    assignment = Assignment.objects.get(assessor__name="gpt-x", topic__name="q1")
    rng = random.Random(4)

    def close() -> int:
        with writing():
            close_assignment(assignment.pk)
            return Event.objects.filter(assignment=assignment.pk).count()

    for number in range(tries):
        label = {"doc": "d00000", "grade": number % 3, "revision": revision_of(assignment)}
        done, there = race(lambda given=label: model.judge(given), close, rng)
        assert done.status_code in (200, 422), done.content
        assert Event.objects.filter(assignment=assignment.pk).count() == there
        with writing():
            reopen_assignment(assignment.pk)
    assert_sound()


def revision_of(assignment: Any) -> int:
    """Return the revision of the first doc of an assignment."""
    return int(assignment.docs.get(position=1).revision)
