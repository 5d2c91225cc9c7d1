"""HITs that are handed in or taken away while an answer to them is in flight.

`benchmarks/races.py` tries it 200 times.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest


def finished_hit(crowd: Any, number: int) -> tuple[Any, Any]:
    """The sitting of a new worker in which everything is answered well, and who that is."""
    from qrelsmith.topk.crowd.platforms import Arrival
    from qrelsmith.web.core.submissions import JudgmentSubmission, PairSubmission
    from qrelsmith.web.crowd.claims import take_hit
    from qrelsmith.web.crowd.progress import pairs_of
    from qrelsmith.web.crowd.sittings import account_of_worker, begin
    from qrelsmith.web.graded.assigned import docs_of_lists
    from qrelsmith.web.graded.events import judge
    from qrelsmith.web.models import DocVersion, Sitting
    from qrelsmith.web.pairs.events import judge_pair

    arrival = Arrival(f"A{number:023}", f"REFERENCE{number:06}")
    sitting = begin(crowd.batch, arrival, own=None)
    account_of_worker(sitting.worker)
    hit = take_hit(sitting)
    assert hit is not None
    assessor = sitting.worker.assessor
    docs = docs_of_lists().filter(assignment=hit.assignment_id) if hit.assignment_id else ()
    for doc in docs:
        given = JudgmentSubmission(f"answer-{number}-{doc.pk}", doc.pk, 0, doc.current_sha256, 0)
        judge(given, hit.assignment_id, assessor=assessor)
    digests = dict(DocVersion.objects.values_list("doc", "sha256"))
    for task in pairs_of(hit):
        outcome = {"left": -1, "right": 1, "": 1}[task.better]
        shown = (digests[task.left_id], digests[task.right_id])
        answer = PairSubmission(f"answer-{number}-{task.pk}", task.pk, outcome, *shown, 0)
        judge_pair(answer, task.contest_id, assessor=assessor)
    found = Sitting.objects.select_related("worker__assessor", "hit").get(pk=sitting.pk)
    return found, assessor


def answers_in_flight(sitting: Any, assessor: Any, what: str, number: int) -> Callable[[], Any]:
    """An answer to a HIT that is complete: the other way round, or an undo."""
    from qrelsmith.web.core.submissions import JudgmentSubmission, PairSubmission
    from qrelsmith.web.graded.events import judge, undo
    from qrelsmith.web.models import AssignedDoc, PairTask, PreferenceEvent
    from qrelsmith.web.pairs.events import judge_pair, undo_pair

    hit = sitting.hit
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
def test_a_hit_that_is_handed_in_or_taken_away_never_changes(
    app: Any, make_crowd: Any, race: Any, kind: str, how: str, what: str, tries: int
) -> None:
    from qrelsmith.web.crowd.finishing import exclude, hand_in
    from qrelsmith.web.verification.late_events import late_check
    from qrelsmith.web.verification.whole import verified

    crowd = make_crowd(app, kind, "mturk" if kind == "pairs" else "prolific", training=False)
    rng = random.Random(f"{kind} {how} {what}")
    for number in range(tries):
        sitting, assessor = finished_hit(crowd, number)
        answer = answers_in_flight(sitting, assessor, what, number)
        end = (
            (lambda at=sitting: hand_in(at))
            if how == "hand_in"
            else (lambda at=sitting: exclude(at.worker, "a script"))
        )
        race(answer, end, rng)
        assert late_check().wrong == 0
        # The work goes to the next worker again, so that one batch is enough.
        if how == "hand_in":
            exclude(sitting.worker, "a script")
    assert [(each.name, each.examples) for each in verified() if each.wrong] == []
