"""HITs with all items answered that are not submitted."""

from __future__ import annotations

from math import inf
from typing import Any

from qrelsmith.topk.crowd.platforms import Arrival
from qrelsmith.web.crowd.claims import take_hit
from qrelsmith.web.crowd.hit_kinds import hit_kind
from qrelsmith.web.crowd.sittings import account_of_worker, begin
from qrelsmith.web.judging.accepting import judge, person
from qrelsmith.web.models import AnswerAspect, AssignedDoc, DocVersion, Sitting
from qrelsmith.web.site.parameters import submission_of


def finished_sitting(crowd: Any, number: int) -> Any:
    """Return the session of a new worker with good answers to all items, not submitted."""
    sitting = begin(crowd.batch, Arrival(f"A{number:023}", f"REFERENCE{number:06}"), own=None)
    account_of_worker(sitting.worker)
    hit = take_hit(sitting)
    assert hit is not None
    assessor = sitting.worker.assessor
    digests = dict(DocVersion.objects.values_list("doc", "sha256"))
    kind = hit_kind(hit)
    known = kind.check_ranges(hit)
    for unit in kind.items(hit):
        shown = {column: digests[getattr(unit, f"{doc}_id")]
                 for column, doc in kind.judged.shown.items()}  # fmt: skip
        # One grade of each family's scale; for pairs, the right side.
        value = {-inf: -1, 1e-9: 1}.get(known.get(unit.pk, (0,))[0], 1)
        if isinstance(unit, AnswerAspect):
            value, shown = 2, {**shown, "wording": unit.text}
        elif isinstance(unit, AssignedDoc):
            value = 0
        given = {kind.judged.name: unit.pk, kind.judged.value: value, "base_revision": 0, **shown}
        op_id = f"answer-{number}-{unit.pk}"
        submission = submission_of(kind.judged.submission, given | {"op_id": op_id})
        judge(kind.judged, submission, person(assessor, kind.judged.stream_key(unit)))
    return Sitting.objects.select_related("worker__assessor", "hit__batch").get(pk=sitting.pk)
