"""Events that 0.1.0 accepted after the close are found, named, and undone without a loss."""

from __future__ import annotations

from typing import Any

import pytest

from qrelsmith.cli import run
from qrelsmith.web.graded.kind import JudgmentSubmission, judge, undo
from qrelsmith.web.models import AssignedDoc, Assignment, Event, Hit, PairTask, PreferenceEvent
from qrelsmith.web.pairs.kind import PairSubmission, judge_pair, undo_pair


@pytest.fixture(params=["pairs", "docs"])
def handed_in(request: pytest.FixtureRequest, app: Any, make_crowd: Any) -> Any:
    """Return a submitted HIT, closed by a version that did not count its events."""
    kind = request.param
    crowd = make_crowd(app, kind, "mturk" if kind == "pairs" else "prolific", training=False)
    worker = crowd.worker()
    worker.begin()
    worker.answer_all()
    hit = Hit.objects.get(state="finished")
    hit.events_at_close = None
    hit.save()
    Assignment.objects.filter(pk=hit.assignment_id).update(events_at_close=None)
    return hit


def accept_late(hit: Any, what: str) -> None:
    """Accept an answer as in the race: with the checks from before the close."""
    assert hit.worker is not None
    assessor = hit.worker.assessor
    Hit.objects.filter(pk=hit.pk).update(state="taken")
    if hit.assignment_id is None:
        task = PairTask.objects.filter(hit=hit.key).exclude(better="").first()
        assert task is not None
        assert task.outcome is not None
        if what == "undo":
            undo_pair("late-000001", task.contest_id, assessor=assessor)
        else:
            digests = (task.left_sha256, task.right_sha256)
            answer = PairSubmission("late-000001", task.pk, -task.outcome, *digests, task.revision)
            judge_pair(answer, task.contest_id, assessor=assessor)
    else:
        Assignment.objects.filter(pk=hit.assignment_id).update(is_open=True)
        doc = AssignedDoc.objects.get(
            assignment=hit.assignment_id, doc__name__in=list(hit.challenges)
        )
        if what == "undo":
            undo("late-000001", hit.assignment_id, assessor=assessor)
        else:
            given = JudgmentSubmission("late-000001", doc.pk, 2, doc.sha256, doc.revision)
            judge(given, hit.assignment_id, assessor=assessor)
        Assignment.objects.filter(pk=hit.assignment_id).update(is_open=False)
        assert Event.objects.filter(op_id="late-000001").exists()
    Hit.objects.filter(pk=hit.pk).update(state="finished")


def answers(hit: Any) -> list[Any]:
    if hit.assignment_id is None:
        return list(PairTask.objects.filter(hit=hit.key).order_by("pk").values_list("outcome"))
    return list(
        AssignedDoc.objects.filter(assignment=hit.assignment_id).order_by("pk").values_list("value")
    )


@pytest.mark.parametrize("what", ["change", "undo"])
@pytest.mark.parametrize("told_by", ["time", "completeness"])
def test_a_hit_changed_by_the_old_race_is_named_and_corrected(
    app: Any, handed_in: Any, what: str, told_by: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from datetime import timedelta

    before = answers(handed_in)
    accept_late(handed_in, what)
    if told_by == "completeness":
        # The late answer was checked and dated before the HIT was submitted.
        handed_in.finished_at += timedelta(hours=1)
        handed_in.save(update_fields=["finished_at"])
    assert answers(handed_in) != before
    events = Event.objects.count() + PreferenceEvent.objects.count()
    capsys.readouterr()
    assert run(["verify", str(app.folder)]) == 2
    assert "event late-000001 came after HIT" in capsys.readouterr().err
    assert run(["verify", str(app.folder), "--rebuild"]) == 0
    told = capsys.readouterr().err
    assert f"HIT {handed_in.key} of" in told
    assert "again as at closing" in told
    assert answers(handed_in) == before
    assert Event.objects.count() + PreferenceEvent.objects.count() == events + 1
    assert run(["verify", str(app.folder), "--rebuild"]) == 0
    assert Event.objects.count() + PreferenceEvent.objects.count() == events + 1


def test_work_closed_correctly_by_an_older_version_is_unchanged(
    app: Any, handed_in: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    before = answers(handed_in)
    assert run(["verify", str(app.folder), "--rebuild"]) == 0
    assert "at the close" not in capsys.readouterr().err
    assert answers(handed_in) == before


def test_a_label_changed_after_its_topic_was_closed_is_found(
    lite_app: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    b1 = at_work(lite_app)
    b1.judge(1, 2)
    client = lite_app.client("olga", role="organiser")
    address = f"/organiser/assignments/{b1.assignment.pk}"
    assert client.post(address, {"deed": "close"}).status_code == 302
    mine = Assignment.objects.filter(pk=b1.assignment.pk)
    assert mine.get().events_at_close == 1
    mine.update(is_open=True)
    b1.judge(1, 0)
    b1.judge(2, 1)
    mine.update(is_open=False)
    assert run(["verify", str(lite_app.folder)]) == 2
    assert "came after topic q1 of b1 was closed" in capsys.readouterr().err
    assert run(["verify", str(lite_app.folder), "--rebuild"]) == 0
    assert b1.values()[:2] == [2, None]
    # A reopened assignment is open; closed again, its new state counts.
    assert client.post(address, {"deed": "open"}).status_code == 302
    b1.judge(2, 1)
    assert client.post(address, {"deed": "close"}).status_code == 302
    assert run(["verify", str(lite_app.folder), "--quiet"]) == 0
    assert b1.values()[:2] == [2, 1]
