"""Import of assignments into the database, with a position for each doc."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db import connection

from qrelsmith.assigning import assignment as pooling
from qrelsmith.base.errors import InputError, InputWarning, quoted
from qrelsmith.collection.pools.pool_sets import PoolSet
from qrelsmith.io.text import FilePath, data_lines, read_bytes
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.names import check_assessor
from qrelsmith.web.models import Assessor, Assignment, Doc, Topic

# Raw rows: with model objects, a topic of 10,000 docs takes as long as the rest of an import.
_INSERT = """
INSERT INTO qrelsmith_web_assigneddoc
(assignment_id, doc_id, position, is_judged, revision, note, excerpt, passages, sha256,
topic_version, scale_version) VALUES (%s, %s, %s, %s, 0, '', '', '[]', '', 0, 0)
"""


def import_assignments(
    planned: Iterable[pooling.Assignment],
    pools: PoolSet | None,
    *,
    files: Sequence[FilePath] = (),
    is_dry: bool = False,
    coming: Mapping[str, Collection[str]] | None = None,
) -> Counts:
    """Record assignments; existing assignments do not change.

    Parameters
    ----------
    planned : iterable of Assignment
        The assignments.
    pools : PoolSet or None
        The docs of whole topics, in order.
    files : sequence of path
        The files of the pools, for error messages.
    is_dry : bool
        Whether to record nothing.
    coming : mapping of str to collection of str, optional
        The `topics` and `docs` that this import, if it were not dry, would have recorded before.

    Raises
    ------
    InputError
        If a topic or a doc is not in the database, or an assessor is in two groups.
    """
    counts = Counts("assignments")
    coming = coming or {}
    topics: dict[str, int] = dict.fromkeys(coming.get("topics", ()), 0)
    topics |= dict(Topic.objects.values_list("name", "id"))
    docs: dict[str, int] = dict.fromkeys(coming.get("docs", ()), 0)
    docs |= dict(Doc.objects.values_list("name", "id"))
    there = set(Assignment.objects.values_list("assessor__name", "topic__name", "hit", "round"))
    groups = dict(Assessor.objects.values_list("name", "group"))
    open_hits = 0
    for plan in planned:
        if not plan.assessor:
            open_hits += 1
            continue
        if plan.assessor not in groups:
            check_assessor(plan.assessor, group=plan.group)
        group = groups.setdefault(plan.assessor, plan.group)
        if group != plan.group:
            raise InputError(
                f"the assessor {quoted(plan.assessor)} is in the groups {quoted(group)} and"
                f" {quoted(plan.group)}; expected one group"
            )
        if (plan.assessor, plan.topic, plan.hit, plan.round) in there:
            counts.same += 1
            continue
        if plan.topic not in topics:
            raise InputError(
                f"the topic {quoted(plan.topic)} is assigned, but is not in the campaign; "
                "expected one of its topics"
            )
        shown = _ids(plan.docs or _docs_in_order(plan, pools), docs, plan, files)
        counts.new += 1
        if not is_dry:
            _record(plan, topics[plan.topic], shown)
    if open_hits:
        warnings.warn(
            f"{open_hits} HITs without an assessor are ignored", InputWarning,
            stacklevel=2,
        )  # fmt: skip
    return counts


def record_assignment(assignment: Assignment, docs: Sequence[int]) -> None:
    """Record an assignment with its docs, given by their keys in display order."""
    assignment.total = len(docs)
    assignment.save()
    rows = [(assignment.pk, doc, place, False) for place, doc in enumerate(docs, start=1)]
    with connection.cursor() as cursor:
        cursor.executemany(_INSERT, rows)


def _record(plan: pooling.Assignment, topic: int, docs: Sequence[int]) -> None:
    with writing():
        assessor, _ = Assessor.objects.get_or_create(
            name=plan.assessor, defaults={"group": plan.group}
        )
        assignment = Assignment(
            assessor=assessor,
            topic_id=topic,
            hit=plan.hit,
            round=plan.round,
            ordering=plan.ordering,
            seed=plan.seed,
        )
        record_assignment(assignment, docs)


def _docs_in_order(plan: pooling.Assignment, pools: PoolSet | None) -> tuple[str, ...]:
    if pools is None:
        raise InputError(
            f"the topic {quoted(plan.topic)} is assigned but has no pool; expected a pool"
        )
    return pools.order_docs(plan.topic, ordering=plan.ordering, seed=plan.seed)


def _ids(
    names: Iterable[str],
    docs: Mapping[str, int],
    plan: pooling.Assignment,
    files: Sequence[FilePath],
) -> list[int]:
    ids = []
    for name in names:
        if name not in docs:
            problem = f"the doc {quoted(name)} of topic {quoted(plan.topic)}"
            if plan.docs:
                where = "a HIT" if plan.hit else f"round {plan.round}"
                raise InputError(f"{problem} is in {where} but not among the documents")
            path, line = _place(plan.topic, name, files)
            raise InputError(
                f"{problem} is in its pool but not among the documents", path=path, line=line
            )
        ids.append(docs[name])
    return ids


def _place(topic: str, doc: str, files: Sequence[FilePath]) -> tuple[FilePath | None, int | None]:
    """Return the file and line of a doc in the pool of a topic."""
    wanted = [topic.encode(), doc.encode()]
    for path in files:
        for number, line in zip(*data_lines(read_bytes(path), path=path), strict=True):
            if line.split()[:2] == wanted:
                return path, number
    return None, None
