"""HITs of answers, which are judged aspect by aspect; some aspects have a known grade.

A HIT contains its answers and their aspects as they were when its batch was opened.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Max, QuerySet

from qrelsmith.answers.judged_aspects import DROPPED, answer_doc
from qrelsmith.assigning.answer_plan import AnswerPlan
from qrelsmith.assigning.assignment import Assignment as Place
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.topk.crowd.known_answers import CHALLENGE_ASPECTS, read_known_aspects
from qrelsmith.web.answers.kind import ASPECTS
from qrelsmith.web.crowd.assigned_hits import (
    TABLE,
    AssignedHits,
    Filler,
    checks_by_topic,
    docs_with_checks,
    drawn_checks,
)
from qrelsmith.web.judging.own_streams import record_stream
from qrelsmith.web.models import Assessor, Batch, Doc, Hit


class AnswerHits(AssignedHits):
    """HITs of answers to one topic."""

    name, judged = Batch.Kind.ANSWERS.value, ASPECTS
    column, page = "answers", "answers"
    seconds, checks = "aspect_seconds", "challenge_aspects"

    def takes(self, place: Place, answers: AnswerPlan | None) -> bool:
        """Return whether an open HIT lists runs with answers in place of docs."""
        return answers is not None and answers.has(place.topic, place.docs)

    def filler(self, batch: Batch, campaign: Campaign, answers: AnswerPlan | None) -> Filler:
        """Return a function that returns the answers of an open HIT, with attention checks."""
        if answers is None:
            raise UsageError("the campaign has no answers; expected answers.*")
        checks = checks_by_topic(
            batch, campaign, CHALLENGE_ASPECTS, self.checks, read_known_aspects
        )
        docs = set(Doc.objects.exclude(version=0).values_list("name", flat=True))

        def content(topic: str, run: str) -> dict[str, Any]:
            answer, items = answers.content(topic, run)
            # An import has warned of missing docs.
            shown = [item for item in items if item["doc"] in docs]
            if answer_doc(topic, run) not in docs or not shown:
                raise InputError(
                    f"the answer of {quoted(run)} to topic {quoted(topic)} is not in the app, or"
                    " has no aspects; expected both. Run qrelsmith app import",
                    path=campaign.folder / TABLE,
                )
            return {**answer, "items": shown}

        for check in (check for own in checks.values() for check in own):
            is_there = answers.has(check.topic, [check.run])
            items = content(check.topic, check.run)["items"] if is_there else ()
            if check.aspect not in {item["aspect"] for item in items}:
                raise InputError(
                    f"the answer of {quoted(check.run)} to topic {quoted(check.topic)} has no"
                    f" aspect {quoted(check.aspect)} in the app; expected one of its aspects",
                    path=campaign.folder / CHALLENGE_ASPECTS,
                )

        def fill(place: Place) -> dict[str, Any]:
            free = [check for check in checks.get(place.topic, ()) if check.run not in place.docs]
            drawn = drawn_checks(place, free, batch, CHALLENGE_ASPECTS, self.checks)
            ranges: dict[str, dict[str, list[float]]] = {}
            for check in drawn:
                ranges.setdefault(check.run, {})[check.aspect] = [check.lowest, check.highest]
            shown = [content(place.topic, run) for run in docs_with_checks(place, ranges)]
            aspects = sum(len(answer["items"]) for answer in shown)
            return {"docs": shown, "challenges": ranges, "aspects": aspects}

        return fill

    def size(self, batch: Batch, terms: HitTerms) -> int:
        """Return the maximum number of aspects."""
        return int(batch.hits.aggregate(most=Max("aspects"))["most"] or 0)

    def give(self, hit: Hit, assessor: Assessor) -> None:
        """Record the assignment of the worker, with all aspects."""
        items = [
            {"place": place, **item}
            for place, answer in enumerate(hit.docs, start=1)
            for item in answer["items"]
        ]
        names = {item["doc"] for item in items}
        hit.answers = record_stream(
            ASPECTS,
            items,
            dict(Doc.objects.filter(name__in=names).values_list("name", "pk")),
            assessor=assessor,
            topic_id=hit.topic_id,
            hit=hit.name,
            answers=[
                {name: part for name, part in answer.items() if name != "items"}
                for answer in hit.docs
            ],
        )
        hit.save(update_fields=["answers"])

    def items(self, hit: Hit) -> QuerySet[Any]:
        """Return the aspects, without dropped nuggets."""
        return super().items(hit).exclude(importance=DROPPED)

    def check_ranges(self, hit: Hit) -> dict[int, tuple[float, float]]:
        """Return the range of correct grades of each aspect with a known grade."""
        runs = [answer["run"] for answer in hit.docs]
        return {
            pk: hit.challenges[runs[place - 1]][aspect]
            for pk, place, aspect in self.items(hit).values_list("pk", "place", "aspect")
            if aspect in hit.challenges.get(runs[place - 1], ())
        }
