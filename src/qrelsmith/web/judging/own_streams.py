"""Kinds of judgment in which each assignment has one assessor."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext

from qrelsmith.base.errors import InputError, InputWarning, quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.names import check_assessor
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.models import Assessor, Doc, Topic


class OwnStreamKind(JudgmentKind):
    """A kind of judgment whose assignments have the columns `assessor`, `is_open` and `head`."""

    def items(self) -> QuerySet[Any]:
        """Return the items with their assessor."""
        return super().items().select_related(f"{self.stream}__assessor")

    def owner(self, unit: Any) -> int:
        """Return the assessor of the item's assignment."""
        return int(getattr(unit, self.stream).assessor_id)

    def is_mine(self, stream: int, assessor: Assessor | None) -> bool:
        """Return whether the assignment is the assessor's."""
        own = self.streams.objects.filter(pk=stream, assessor=assessor)
        return assessor is not None and bool(own.exists())

    def lock_head(self, unit: Any, *, has_account: bool) -> str:
        """Return the head of the assignment, if it is open and its assessor may judge.

        On PostgreSQL, assignment and account are locked until the end of the transaction; on SQLite
        there are no other writers.
        """
        key = self.stream_key(unit)
        head = (self._open_with_account if has_account else self._open).first(key)
        if head is not None:
            return head
        if has_account and self.streams.objects.filter(pk=key, is_open=True).exists():
            raise RefusedError("account", gettext("Your account is disabled."))
        raise self.closed_refusal(unit)

    def start_time(self, unit: Any) -> datetime:
        """Return the time at which the assignment was opened."""
        stream = getattr(unit, self.stream)
        start: datetime = getattr(stream, "opened_at", None) or stream.created_at
        return start

    def row_json(self, unit: Any) -> dict[str, Any]:
        """Return an item with its label and the digests that a judgment must name."""
        digests = {column: self.current_digest(unit, column) for column in self.shown}
        return {
            self.name: unit.pk,
            "position": unit.position,
            "revision": unit.revision,
            **self.label_columns(self.label_of(unit)),
            **digests,
        }

    def progress_json(self, unit: Any, assessor: Assessor) -> dict[str, Any]:
        """Return the number of judged items of the assignment."""
        (judged, total), *_ = self._counts.rows(self.stream_key(unit))
        return {"judged": judged, "total": total}

    @cached_property
    def _counts(self) -> Prepared[tuple[int, int]]:
        """The numbers of judged items and of all items of an assignment."""
        return Prepared(
            lambda pk: self.streams.objects.filter(pk=pk).values_list("judged", "total")
        )

    @cached_property
    def _open(self) -> Prepared[str]:
        """A query that locks an open assignment and returns its head."""
        return Prepared(
            lambda pk: (
                self.streams.objects.select_for_update(no_key=True)
                .filter(pk=pk, is_open=True)
                .values_list("head", flat=True)
            )
        )

    @cached_property
    def _open_with_account(self) -> Prepared[str]:
        """Like `_open`, but only if the assessor's account is active."""
        return Prepared(
            lambda pk: (
                self.streams.objects.select_for_update(no_key=True)
                .filter(pk=pk, is_open=True, assessor__account__is_active=True)
                .values_list("head", flat=True)
            )
        )


def record_planned(
    kind: OwnStreamKind, planned: Any, *, is_dry: bool, coming: Collection[str] = ()
) -> Counts:
    """Record assignments with their items; existing assignments do not change.

    Parameters
    ----------
    kind : OwnStreamKind
        The kind of judgment.
    planned : iterable
        The assignments, with the attributes `assessor`, `group`, `topic`, `columns` (further
        columns), and `items` with their columns, where `doc` is the name of a doc. Items with
        unknown docs are left out.
    is_dry : bool
        Whether to record nothing.
    coming : collection of str
        The topics that this import, if it were not dry, would have recorded before.

    Raises
    ------
    InputError
        If a topic is not in the database, or an assessor is in two groups.
    """
    counts = Counts(f"assignments of {kind.api}")
    topics = dict.fromkeys(coming, 0) | dict(Topic.objects.values_list("name", "id"))
    docs = dict(Doc.objects.exclude(version=0).values_list("name", "id"))
    there = set(kind.streams.objects.values_list(*kind.stream_names.values()))
    groups = dict(Assessor.objects.values_list("name", "group"))
    missing = 0
    for plan in planned:
        if plan.topic not in topics:
            raise InputError(
                f"the topic {quoted(plan.topic)} has {kind.api}, but is not in the campaign; "
                "expected one of its topics"
            )
        if plan.assessor not in groups:
            check_assessor(plan.assessor, group=plan.group)
        if groups.setdefault(plan.assessor, plan.group) != plan.group:
            raise InputError(
                f"the assessor {quoted(plan.assessor)} is in the groups"
                f" {quoted(groups[plan.assessor])} and {quoted(plan.group)}; expected one group"
            )
        names = {"assessor": plan.assessor, "topic": plan.topic, "hit": "", **plan.columns}
        if tuple(names[name] for name in kind.stream_names) in there:
            counts.same += 1
            continue
        counts.new += 1
        if is_dry:
            continue
        items = [row for row in plan.items if row["doc"] in docs]
        missing += len(plan.items) - len(items)
        with writing():
            assessor, _ = Assessor.objects.get_or_create(
                name=plan.assessor, defaults={"group": plan.group}
            )
            record_stream(
                kind, items, docs, assessor=assessor, topic_id=topics[plan.topic], **plan.columns
            )
    if missing:
        warnings.warn(
            f"{missing:,} item{'s' * (missing > 1)} cannot be judged, because the docs are missing",
            InputWarning,
            stacklevel=2,
        )
    return counts


def record_stream(
    kind: OwnStreamKind, items: Sequence[Mapping[str, Any]], docs: Mapping[str, int], **columns: Any
) -> Any:
    """Record an assignment with its items, whose `doc` is a name, and return the assignment."""
    stream = kind.streams.objects.create(total=len(items), **columns)
    kind.units.objects.bulk_create(
        kind.units(
            **{kind.stream: stream},
            position=position,
            **{name: value for name, value in row.items() if name != "doc"},
            doc_id=docs[row["doc"]],
        )
        for position, row in enumerate(items, start=1)
    )
    return stream
