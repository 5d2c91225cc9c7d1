"""HITs that are submitted or taken back while an answer to them is being sent.

`benchmarks/races.py` tries this 200 times.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.web.crowd.finished_hits import finished_sitting

from qrelsmith.web.crowd.finishing import exclude, hand_in
from qrelsmith.web.graded.kind import JudgmentSubmission, judge, undo
from qrelsmith.web.models import AssignedDoc, PairTask, PreferenceEvent
from qrelsmith.web.pairs.kind import PairSubmission, judge_pair, undo_pair
from qrelsmith.web.verification.late_events import late_check
from qrelsmith.web.verification.whole import verified


def answer_in_flight(sitting: Any, what: str, number: int) -> Callable[[], Any]:
    """Return an answer to a complete HIT: the opposite outcome, or an undo."""
    hit, assessor = sitting.hit, sitting.worker.assessor
    op_id = f"in-flight-{number:06}"
    if hit.assignment_id is not None:
        if what == "undo":
            return lambda: undo(op_id, hit.assignment_id, assessor=assessor)
        doc = AssignedDoc.objects.filter(assignment=hit.assignment_id).order_by("-position")[0]
        given = JudgmentSubmission(op_id, doc.pk, 2, doc.sha256, doc.revision)
        return lambda: judge(given, hit.assignment_id, assessor=assessor)
    if what == "undo":
        newest = PreferenceEvent.objects.filter(pair__hit=hit.key).latest("pk")
        return lambda: undo_pair(op_id, newest.contest_id, assessor=assessor)
    task = PairTask.objects.filter(
        hit=hit.key, withdrawn=False, better="", purpose="search"
    ).first()
    assert task is not None
    assert task.outcome is not None
    digests = (task.left_sha256, task.right_sha256)
    answer = PairSubmission(op_id, task.pk, -task.outcome, *digests, task.revision)
    return lambda: judge_pair(answer, task.contest_id, assessor=assessor)


@pytest.mark.parametrize("what", ["change", "undo"])
@pytest.mark.parametrize("how", ["hand_in", "exclude"])
@pytest.mark.parametrize("kind", ["pairs", "docs"])
def test_a_hit_that_is_submitted_or_taken_back_never_changes(
    app: Any, make_crowd: Any, race: Any, kind: str, how: str, what: str, tries: int
) -> None:
    crowd = make_crowd(app, kind, "mturk" if kind == "pairs" else "prolific", training=False)
    rng = random.Random(f"{kind} {how} {what}")
    for number in range(tries):
        sitting = finished_sitting(crowd, number)
        answer = answer_in_flight(sitting, what, number)
        end = (
            (lambda at=sitting: hand_in(at))
            if how == "hand_in"
            else (lambda at=sitting: exclude(at.worker, "a script"))
        )
        race(answer, end, rng)
        assert late_check().wrong == 0
        # The work goes to the next worker, so that one batch is enough.
        if how == "hand_in":
            exclude(sitting.worker, "a script")
    assert [(each.name, each.examples) for each in verified() if each.wrong] == []
