"""Acceptance of events: once, based on the shown revision, from the right assessor."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connections, transaction
from django.utils import timezone

from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.collection.topics import Topic
from qrelsmith.judging_times.criteria import CRITERIA
from qrelsmith.judging_times.judging_efficiency import judging_efficiency
from qrelsmith.web.graded.assigned import docs_of, stale_parts
from qrelsmith.web.graded.judgments import judgments_of_round
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.importing.docs import import_docs
from qrelsmith.web.importing.topics import import_topics
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.models import Account, AssignedDoc, Assignment, DocVersion, Event
from qrelsmith.web.verification.whole import rebuilt, verified


def refused(call: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    from qrelsmith.web.graded.kind import RefusedError

    with pytest.raises(RefusedError) as caught:
        call(*arguments, **named)
    return caught.value


def faults() -> dict[str, list[str]]:
    return {check.name: check.examples for check in verified() if check.wrong}


def test_a_judgment_becomes_the_current_label_and_one_event(app: Any, at_work: Any) -> None:
    b1 = at_work(app)
    done = b1.judge(2, 1, note="why", input_kind="key")
    assert not done.repeated
    assert b1.values() == [None, 1, None, None, None, None]
    event = Event.objects.get()
    assert (event.value, event.note, event.revision) == (1, "why", 1)
    assert event.sha256 == b1.doc(2).sha256
    assert b1.doc(2).assignment.judged == 1
    assert faults() == {}


def test_a_repeated_operation_is_the_same_event(app: Any, at_work: Any) -> None:
    b1 = at_work(app)
    first = b1.judge(1, 2, op_id="again-again")
    b1.judge(1, 0)
    repeated = b1.judge(1, 2, op_id="again-again", base_revision=0)
    assert repeated.repeated
    assert repeated.event.pk == first.event.pk
    assert Event.objects.count() == 2
    assert b1.doc(1).value == 0, "a late retry must not bring an old label back"


def test_an_operation_id_cannot_be_reused_for_another_operation(app: Any, at_work: Any) -> None:
    b1, b2 = at_work(app), at_work(app, "b2")
    b1.judge(1, 2, op_id="taken-taken")
    assert refused(b1.judge, 1, 1, op_id="taken-taken").reason == "op_id"
    assert refused(b1.judge, 2, 2, op_id="taken-taken").reason == "op_id"
    assert refused(b2.judge, 1, 2, op_id="taken-taken").reason == "op_id"
    assert refused(b1.undo, "taken-taken").reason == "op_id"
    assert b1.values()[:2] == [2, None]
    assert b2.values()[:2] == [None, None]


def test_a_repeated_operation_of_another_user_is_not_revealed(app: Any, at_work: Any) -> None:
    b1, b2 = at_work(app), at_work(app, "b2")
    b1.judge(1, 2, op_id="taken-taken")
    b1.judge(2, 1)
    b1.undo("undone-undone")
    b1.assessor = b2.assessor
    assert refused(b1.judge, 1, 2, op_id="taken-taken").reason == "op_id"
    assert refused(b1.undo, "undone-undone").reason == "op_id"


def test_a_stale_judgment_is_refused_with_the_current_label(app: Any, at_work: Any) -> None:
    b1 = at_work(app)
    b1.judge(1, 2)
    error = refused(b1.judge, 1, 0, base_revision=0)
    assert error.reason == "stale"
    assert (error.current.value, error.current.revision) == (2, 1)
    assert b1.judge(1, 0, base_revision=1).unit.value == 0
    assert refused(b1.judge, 1, 1, base_revision=7).reason == "stale"
    assert faults() == {}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"sha256": "0" * 64}, "sha256"),
        ({"value": 3}, "value"),
        ({"value": 0.5}, "value"),
        ({"value": -1}, "value"),
        ({"value": -3}, "value"),
        ({"topic_version": 2}, "version"),
        ({"scale_version": 9}, "version"),
        ({"assigned": 10**9}, "unknown"),
    ],
)
def test_invalid_judgments_are_refused_and_change_nothing(
    lite_app: Any, at_work: Any, change: dict[str, Any], reason: str
) -> None:
    b1 = at_work(lite_app)
    value = change.pop("value", 1)
    assert refused(b1.judge, 1, value, **change).reason == reason
    assert b1.values() == [None] * 6
    assert not Event.objects.exists()


def test_an_error_code_is_not_a_grade_but_counts_as_judged(lite_app: Any, at_work: Any) -> None:
    b1 = at_work(lite_app)
    done = b1.judge(1, -2)
    assert done.unit.value == -2
    assert done.unit.is_judged


def test_another_assessors_docs_cannot_be_judged(app: Any, at_work: Any) -> None:
    b1, b2 = at_work(app), at_work(app, "b2")
    assert refused(b1.judge, 1, 1, assigned=b2.doc(1).pk).reason == "unknown"
    b1.assessor = b2.assessor
    assert refused(b1.judge, 1, 1).reason == "unknown"
    assert refused(b1.undo).reason == "unknown"


def test_a_closed_assignment_accepts_nothing(lite_app: Any, at_work: Any) -> None:
    b1 = at_work(lite_app)
    b1.judge(1, 1)
    Assignment.objects.update(is_open=False)
    assert refused(b1.judge, 2, 1).reason == "closed"
    assert refused(b1.undo).reason == "closed"


def test_a_disabled_account_cannot_judge_in_an_open_assignment(lite_app: Any, at_work: Any) -> None:
    b1 = at_work(lite_app)
    b1.judge(1, 1)
    Account.objects.filter(assessor=b1.assessor).update(is_active=False)
    assert refused(b1.judge, 2, 1).reason == "account"
    assert refused(b1.undo).reason == "account"
    assert b1.values()[:2] == [1, None]


def test_undo_works_without_limit(app: Any, at_work: Any) -> None:
    b1 = at_work(app)
    b1.judge(1, 1, note="first")
    b1.judge(2, 2)
    b1.judge(1, 0)
    assert b1.undo().unit.position == 1
    assert (b1.doc(1).value, b1.doc(1).note, b1.doc(1).revision) == (1, "first", 3)
    assert b1.undo().unit.position == 2
    assert b1.undo().unit.position == 1
    assert b1.values() == [None] * 6
    assert refused(b1.undo).reason == "nothing"
    b1.judge(1, 2)
    assert b1.undo().unit.value is None
    assert faults() == {}


def test_an_undo_sent_twice_undoes_one_judgment(app: Any, at_work: Any) -> None:
    b1 = at_work(app)
    b1.judge(1, 1)
    b1.judge(2, 2)
    assert not b1.undo("undo-undo").repeated
    assert b1.undo("undo-undo").repeated
    assert b1.values()[:2] == [1, None]


def test_a_judgment_of_an_older_text_is_kept_as_stale(app: Any, at_work: Any) -> None:
    b1 = at_work(app)
    b1.judge(1, 1)
    seen = b1.doc(2).current_sha256
    changed = Document("d00001", "html", "<p>other words</p>")
    assert import_docs([(DocumentPlace("x"), changed)]).changed == 1
    assert import_topics([Topic("q1", "another title")]).changed == 1
    b1.assignment.refresh_from_db()
    b1.judge(2, 2, sha256=seen, topic_version=1)
    b1.judge(3, 2)
    scale = current_scale()
    stale = {doc.position: stale_parts(doc, scale) for doc in docs_of(b1.assignment)}
    assert stale == {1: ["topic"], 2: ["topic", "doc"], 3: [], 4: [], 5: [], 6: []}
    assert [doc.position for doc in docs_of(b1.assignment, "stale")] == [1, 2]
    assert faults() == {}


def test_times_follow_from_the_clients_measurements(lite_app: Any, at_work: Any) -> None:
    from datetime import timedelta

    from qrelsmith.web.graded.kind import Timing

    b1 = at_work(lite_app)
    Assignment.objects.update(created_at="2020-01-01T00:00:00Z")
    timing = Timing(delay_ms=5000, shown_for_ms=3000, active_ms=2500, idle_ms=500, client_ms=9)
    event = b1.judge(1, 1, timing=timing).event
    assert event.accepted_at - event.judged_at == timedelta(seconds=5)
    assert event.judged_at - event.shown_at == timedelta(seconds=3)
    assert (event.active_ms, event.idle_ms, event.client_ms) == (2500, 500, 9)


def test_no_judgment_was_made_before_its_assignment(lite_app: Any, at_work: Any) -> None:
    from qrelsmith.web.graded.kind import Timing

    b1 = at_work(lite_app)
    event = b1.judge(1, 1, timing=Timing(delay_ms=10**9, shown_for_ms=10**9)).event
    assert event.judged_at == event.shown_at == b1.assignment.created_at


def test_any_sequence_of_judgments_and_undos_equals_a_simple_list(app: Any, at_work: Any) -> None:
    """For comparison: a list of labels, and a stack of the labels that each judgment replaced."""
    b1 = at_work(app)
    rng = random.Random(7)
    labels: list[float | None] = [None] * 6
    history: list[tuple[int, float | None]] = []
    for _ in range(80):
        if history and rng.random() < 0.4:
            place, before = history.pop()
            labels[place] = before
            b1.undo()
        else:
            place, value = rng.randrange(6), rng.choice([0, 1, 2, -2])
            history.append((place, labels[place]))
            labels[place] = value
            b1.judge(place + 1, value)
        assert b1.values() == labels
    assert faults() == {}


def test_the_database_itself_refuses_to_change_an_event(app: Any, at_work: Any) -> None:
    at_work(app).judge(1, 1)
    for attempt in (lambda: Event.objects.update(value=2), lambda: Event.objects.all().delete()):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            attempt()
    assert Event.objects.get().value == 1


def test_verify_finds_changes_in_the_database_and_rebuild_corrects_them(
    app: Any, at_work: Any
) -> None:
    b1 = at_work(app)
    b1.judge(1, 1)
    b1.judge(2, 2)
    AssignedDoc.objects.filter(pk=b1.doc(1).pk).update(value=2)
    AssignedDoc.objects.filter(pk=b1.doc(3).pk).update(value=0, is_judged=True, revision=1)
    Assignment.objects.filter(pk=b1.assignment.pk).update(judged=5)
    assert sorted(faults()) == [
        "current labels match the log",
        "items without events are unjudged",
        "progress counts are correct",
    ]
    assert rebuilt() == 2
    assert faults() == {}
    assert b1.values() == [1, 2, None, None, None, None]


def test_verify_uses_a_snapshot_while_others_judge(
    app: Any, at_work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    b1 = at_work(app)
    b1.judge(1, 1)
    unit_key = JudgmentKind.unit_key

    def work() -> None:
        try:
            b1.judge(1, 2)
        finally:
            connections.close_all()

    def key_later(self: Any, event: Any) -> int:
        """Judge between the reading of the events and the reading of the labels."""
        monkeypatch.setattr(JudgmentKind, "unit_key", unit_key)
        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
        return unit_key(self, event)

    monkeypatch.setattr(JudgmentKind, "unit_key", key_later)
    assert faults() == {}
    assert b1.doc(1).value == 2


@pytest.mark.parametrize("is_same", [True, False], ids=["one operation", "several operations"])
def test_only_one_of_simultaneous_judgments_is_accepted(
    app: Any, at_work: Any, is_same: bool
) -> None:
    from qrelsmith.web.core.submissions import RefusedError

    b1 = at_work(app)
    together = threading.Barrier(8)
    outcomes: list[str] = []

    def work(number: int) -> None:
        op_id = "operation-one" if is_same else f"operation-{number:03}"
        try:
            together.wait()
            done = b1.judge(1, 1, op_id=op_id, base_revision=0)
            outcomes.append("repeated" if done.repeated else "new")
        except RefusedError as error:
            outcomes.append(error.reason)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["new"] + ["repeated" if is_same else "stale"] * 7
    assert Event.objects.count() == 1
    assert faults() == {}


def test_an_undo_after_a_newer_judgment_is_refused(
    app: Any, at_work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    b1 = at_work(app)
    b1.judge(1, 0)
    b1.judge(1, 1)
    label_at = JudgmentKind.label_at

    def overtaken(self: Any, doc: Any, revision: int) -> Any:
        """Judge the doc in another tab after the undo has found the judgment to undo."""
        monkeypatch.setattr(JudgmentKind, "label_at", label_at)
        b1.judge(1, 2)
        doc.refresh_from_db()
        return label_at(self, doc, revision)

    monkeypatch.setattr(JudgmentKind, "label_at", overtaken)
    assert refused(b1.undo).reason == "stale"
    assert b1.doc(1).value == 2
    assert faults() == {}
    assert b1.undo().unit.value == 1


def test_an_undo_after_another_undo_is_refused(
    app: Any, at_work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    b1 = at_work(app)
    b1.judge(1, 0)
    b1.judge(1, 1)
    label_at = JudgmentKind.label_at

    def overtaken(self: Any, doc: Any, revision: int) -> Any:
        """Undo the same judgment in another tab."""
        monkeypatch.setattr(JudgmentKind, "label_at", label_at)
        b1.undo()
        doc.refresh_from_db()
        return label_at(self, doc, revision)

    monkeypatch.setattr(JudgmentKind, "label_at", overtaken)
    assert refused(b1.undo).reason == "stale"
    assert b1.doc(1).value == 0
    assert faults() == {}


def test_verify_finds_a_digest_that_never_belonged_to_the_doc(lite_app: Any, at_work: Any) -> None:
    b1 = at_work(lite_app)
    b1.judge(1, 1)
    version = DocVersion.objects.filter(doc=b1.doc(1).doc_id)
    version.update(sha256="0" * 64)
    assert list(faults()) == ["shown docs are known versions"]
    version.delete()
    assert faults() == {}, "without the doc's content nothing can be said"


def test_a_clock_that_was_set_back_gives_no_judgment_without_duration(
    lite_app: Any, at_work: Any
) -> None:
    from datetime import timedelta

    from qrelsmith.web.core.submissions import Timing

    b1 = at_work(lite_app)
    b1.assignment.opened_at = timezone.now() + timedelta(days=3)
    b1.assignment.save()
    event = b1.judge(1, 2, timing=Timing(shown_for_ms=5000, active_ms=4000)).event
    assert (event.shown_at, event.active_ms) == (None, 4000)
    assert event.judged_at is not None


def test_a_clock_set_back_by_three_days_loses_only_one_interval(
    lite_app: Any, at_work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datetime import timedelta

    from qrelsmith.web.core import timing
    from qrelsmith.web.core.submissions import Timing

    start = timezone.now()

    class Clock:
        at = start

        @classmethod
        def now(cls) -> Any:
            return cls.at

    monkeypatch.setattr(timing, "timezone", Clock)
    b1 = at_work(lite_app)
    b1.assignment.opened_at = start - timedelta(days=10)
    b1.assignment.save()
    for position in range(1, 7):
        set_back = timedelta(days=3 * (position > 3))
        Clock.at = start + timedelta(seconds=10 * position) - set_back
        b1.judge(position, 1, timing=Timing(shown_for_ms=9000, active_ms=4000))
    judgments = judgments_of_round(1)
    assert judgments is not None
    # Time between judgments: 10 s while the clock went on, 4 s of them active; the gap is dropped.
    for clock, seconds, dropped in (("wall", 10, 1), ("active", 4, 0)):
        criteria = judging_efficiency(judgments, high=1, clock=clock).criteria
        place = CRITERIA.index("ATBJ")
        assert (criteria.values[0, place], criteria.dropped[0, place]) == (seconds, dropped)
