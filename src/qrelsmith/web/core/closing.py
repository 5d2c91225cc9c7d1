"""Closing and reopening of work; accepting judgments and closing take the same lock.

The number of events at closing is stored with the closed item, so that `verify` finds judgments
that were accepted afterwards.
"""

from __future__ import annotations

from qrelsmith.web.models import AnswerAssignment, Assignment

Table = type[Assignment] | type[AnswerAssignment]


def close_assignment(pk: int, table: Table = Assignment) -> None:
    """Close an assignment to judgments; requires a write transaction."""
    locked = table.objects.select_for_update(no_key=True).get(pk=pk)
    table.objects.filter(pk=pk).update(is_open=False, events_at_close=locked.events.count())


def reopen_assignment(pk: int, table: Table = Assignment) -> None:
    """Reopen an assignment to judgments; requires a write transaction."""
    table.objects.filter(pk=pk).update(is_open=True, events_at_close=None)
