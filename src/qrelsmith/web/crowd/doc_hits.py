"""HITs of docs, with docs of known grade as attention checks."""

from __future__ import annotations

from qrelsmith.assigning.answer_plan import AnswerPlan
from qrelsmith.assigning.assignment import Assignment as Place
from qrelsmith.base.errors import InputError, quoted
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.topk.crowd.known_answers import CHALLENGE_DOCS, TRAINING_DOCS, read_known_docs
from qrelsmith.web.core.assignments import record_assignment
from qrelsmith.web.crowd.assigned_hits import (
    TABLE,
    AssignedHits,
    Filler,
    checks_by_topic,
    docs_with_checks,
    drawn_checks,
)
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.models import Assessor, Assignment, Batch, Doc, Hit


class DocHits(AssignedHits):
    """HITs of docs of one topic."""

    name, judged = Batch.Kind.DOCS.value, DOCS
    column, page = "assignment", "resume"
    seconds, checks = "doc_seconds", "challenge_docs"
    training = TRAINING_DOCS

    def takes(self, place: Place, answers: AnswerPlan | None) -> bool:
        """Return whether an open HIT lists docs, not runs with answers."""
        return answers is None or not answers.has(place.topic, place.docs)

    def filler(self, batch: Batch, campaign: Campaign, answers: AnswerPlan | None) -> Filler:
        """Return a function that returns the docs of an open HIT, with attention checks."""
        ranges = checks_by_topic(batch, campaign, CHALLENGE_DOCS, self.checks, read_known_docs)
        checks = {check.doc for own in ranges.values() for check in own}
        docs = dict(Doc.objects.values_list("name", "version"))
        for name in sorted(doc for doc in checks if not docs.get(doc)):
            path = campaign.folder / CHALLENGE_DOCS
            raise InputError(f"the doc {quoted(name)} is not in the app", path=path)

        def fill(place: Place) -> dict[str, object]:
            for name in place.docs:
                if name not in docs:
                    path = campaign.folder / TABLE
                    raise InputError(f"the doc {quoted(name)} is not in the app", path=path)
            free = [check for check in ranges.get(place.topic, ()) if check.doc not in place.docs]
            drawn = drawn_checks(place, free, batch, CHALLENGE_DOCS, self.checks)
            return {
                "docs": docs_with_checks(place, [check.doc for check in drawn]),
                "challenges": {check.doc: [check.lowest, check.highest] for check in drawn},
            }

        return fill

    def size(self, batch: Batch, terms: HitTerms) -> int:
        """Return the maximum number of docs."""
        return max((len(docs) for docs in batch.hits.values_list("docs", flat=True)), default=0)

    def give(self, hit: Hit, assessor: Assessor) -> None:
        """Record the assignment of the worker."""
        hit.assignment = Assignment(
            assessor=assessor, topic=hit.topic, hit=hit.name, ordering=hit.ordering, seed=hit.seed
        )
        docs = dict(Doc.objects.filter(name__in=hit.docs).values_list("name", "id"))
        record_assignment(hit.assignment, [docs[name] for name in hit.docs])
        hit.save(update_fields=["assignment"])

    def check_ranges(self, hit: Hit) -> dict[int, tuple[float, float]]:
        """Return the range of correct grades of each doc with a known grade."""
        docs = self.items(hit).filter(doc__name__in=hit.challenges)
        return {pk: hit.challenges[name] for pk, name in docs.values_list("pk", "doc__name")}
