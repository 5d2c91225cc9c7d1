"""Kinds of judgment whose assignments are one assessor's each: what follows from that."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext

from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.models import Assessor, DocVersion


class OwnStreamKind(JudgmentKind):
    """A kind of judgment whose assignments have the columns `assessor`, `is_open` and `head`."""

    def items(self) -> QuerySet[Any]:
        """Return items with their docs and their assignment."""
        own = (f"{self.stream}__topic", f"{self.stream}__assessor")
        found: QuerySet[Any] = self.units.objects.select_related(*self.shown.values(), *own)
        return found

    def owner(self, unit: Any) -> int:
        """Return the assessor of the assignment."""
        return int(getattr(unit, self.stream).assessor_id)

    def is_mine(self, stream: int, assessor: Assessor | None) -> bool:
        """Return whether the assignment is the assessor's."""
        own = self.streams.objects.filter(pk=stream, assessor=assessor)
        return assessor is not None and bool(own.exists())

    def lock_head(self, unit: Any, *, has_account: bool) -> str:
        """Return the head of the assignment, if it is open and its assessor may judge.

        On PostgreSQL assignment and account are locked until the transaction is over; on SQLite
        nobody else writes.
        """
        key = self.stream_key(unit)
        head = (self._open_with_account if has_account else self._open).first(key)
        if head is not None:
            return head
        if has_account and self.streams.objects.filter(pk=key, is_open=True).exists():
            raise RefusedError("account", gettext("Your account is disabled."))
        raise self.closed_refusal(unit)

    def start_time(self, unit: Any) -> datetime:
        """Return when the assignment was opened."""
        stream = getattr(unit, self.stream)
        start: datetime = getattr(stream, "opened_at", None) or stream.created_at
        return start

    def current_digest(self, unit: Any, column: str) -> str:
        """Return the digest of the doc's current version; empty without content."""
        doc = getattr(unit, self.shown[column])
        now = DocVersion.objects.filter(doc=doc, version=doc.version)
        return now.values_list("sha256", flat=True).first() or ""

    def row_json(self, unit: Any) -> dict[str, Any]:
        """Return an item with its label and with the digests that a judgment of it names."""
        digests = {column: self.current_digest(unit, column) for column in self.shown}
        return {
            self.name: unit.pk,
            "position": unit.position,
            "revision": unit.revision,
            **self.label_columns(self.label_of(unit)),
            **digests,
        }

    def progress_json(self, unit: Any, assessor: Assessor) -> dict[str, Any]:
        """Return how many items of the assignment are judged."""
        stream = self.streams.objects.only("judged", "total").get(pk=self.stream_key(unit))
        return {"judged": stream.judged, "total": stream.total}

    @cached_property
    def _open(self) -> Prepared[str]:
        """The head of an open assignment, which is locked."""
        return Prepared(
            lambda pk: (
                self.streams.objects.select_for_update(no_key=True)
                .filter(pk=pk, is_open=True)
                .values_list("head", flat=True)
            )
        )

    @cached_property
    def _open_with_account(self) -> Prepared[str]:
        """The same, of an assessor whose account is active."""
        return Prepared(
            lambda pk: (
                self.streams.objects.select_for_update(no_key=True)
                .filter(pk=pk, is_open=True, assessor__account__is_active=True)
                .values_list("head", flat=True)
            )
        )
