"""Assignments into the database: every doc gets its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qrelsmith.errors import InputError, quoted
from qrelsmith.web.database import writing
from qrelsmith.web.importing.counts import Counts
from qrelsmith.web.importing.pool_files import PlannedAssignment, PoolSet
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, Doc, Topic

_BATCH = 2000


def import_assignments(planned: Iterable[PlannedAssignment], pools: PoolSet | None) -> Counts:
    """Record assignments; one that is there already is left as it is.

    Raises
    ------
    InputError
        If a topic or a doc is not in the database.
    """
    counts = Counts("assignments")
    topics = {topic.name: topic for topic in Topic.objects.all()}
    docs = dict(Doc.objects.values_list("name", "id"))
    assessors = {assessor.name: assessor for assessor in Assessor.objects.all()}
    there = set(Assignment.objects.values_list("assessor__name", "topic__name", "hit", "round"))
    for plan in planned:
        if (plan.assessor, plan.topic, plan.hit, 1) in there:
            counts.same += 1
            continue
        if plan.topic not in topics:
            raise InputError(f"the topic {quoted(plan.topic)} is assigned, but it is not known")
        names = plan.docs or _shown(plan, pools)
        with writing():
            assessor = assessors.get(plan.assessor)
            if assessor is None:
                assessor = Assessor.objects.create(name=plan.assessor, group=plan.group)
                assessors[plan.assessor] = assessor
            record_assignment(
                Assignment(
                    assessor=assessor,
                    topic=topics[plan.topic],
                    hit=plan.hit,
                    ordering=plan.ordering,
                    seed=plan.seed,
                ),
                _ids(names, docs, plan.topic),
            )
        counts.new += 1
    return counts


def record_assignment(assignment: Assignment, docs: list[int]) -> None:
    """Record an assignment with its docs, by their keys, in the order in which they are shown."""
    assignment.total = len(docs)
    assignment.save()
    AssignedDoc.objects.bulk_create(
        (
            AssignedDoc(assignment=assignment, doc_id=doc, position=position)
            for position, doc in enumerate(docs, start=1)
        ),
        batch_size=_BATCH,
    )


def _shown(plan: PlannedAssignment, pools: PoolSet | None) -> tuple[str, ...]:
    if pools is None:
        raise InputError(f"the topic {quoted(plan.topic)} is assigned, but there are no pools")
    return pools.shown(plan.topic, ordering=plan.ordering, seed=plan.seed)


def _ids(names: Iterable[str], docs: Mapping[str, int], topic: str) -> list[int]:
    found = []
    for name in names:
        if name not in docs:
            raise InputError(
                f"the pool of topic {quoted(topic)} holds the doc {quoted(name)}, which is not"
                " among the documents"
            )
        found.append(docs[name])
    return found
