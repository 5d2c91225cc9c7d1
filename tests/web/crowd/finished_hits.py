"""HITs in which everything is answered, and that are not handed in."""

from __future__ import annotations

from typing import Any

from qrelsmith.topk.crowd.platforms import Arrival
from qrelsmith.web.crowd.claims import take_hit
from qrelsmith.web.crowd.progress import pairs_of
from qrelsmith.web.crowd.sittings import account_of_worker, begin
from qrelsmith.web.graded.assigned import docs_of_lists
from qrelsmith.web.graded.kind import JudgmentSubmission, judge
from qrelsmith.web.models import DocVersion, Sitting
from qrelsmith.web.pairs.kind import PairSubmission, judge_pair


def finished_sitting(crowd: Any, number: int) -> Any:
    """The sitting of a new worker in which everything is answered well, not handed in."""
    sitting = begin(crowd.batch, Arrival(f"A{number:023}", f"REFERENCE{number:06}"), own=None)
    account_of_worker(sitting.worker)
    hit = take_hit(sitting)
    assert hit is not None
    assessor = sitting.worker.assessor
    for doc in docs_of_lists().filter(assignment=hit.assignment_id) if hit.assignment_id else ():
        given = JudgmentSubmission(f"answer-{number}-{doc.pk}", doc.pk, 0, doc.current_sha256, 0)
        judge(given, hit.assignment_id, assessor=assessor)
    digests = dict(DocVersion.objects.values_list("doc", "sha256"))
    for task in pairs_of(hit):
        outcome = {"left": -1, "right": 1, "": 1}[task.better]
        shown = (digests[task.left_id], digests[task.right_id])
        answer = PairSubmission(f"answer-{number}-{task.pk}", task.pk, outcome, *shown, 0)
        judge_pair(answer, task.contest_id, assessor=assessor)
    return Sitting.objects.select_related("worker__assessor", "hit").get(pk=sitting.pk)
