"""Concurrent operations on graded docs, through all interleavings of their statements.

`simulator` stops one operation before its n-th statement, for every n; another operation runs
meanwhile. `worlds` defines the operations and the checks.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from itertools import permutations
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from tests.web.crowd.simulator import World, interleaved
from tests.web.crowd.worlds import schedules_of_three, schedules_of_two, sweeps

from qrelsmith.web.graded.kind import GradedDocKind
from qrelsmith.web.judging import writing_events
from qrelsmith.web.models import Assignment

# Operations on the same data.
GRADED = ("change", "change-too", "judge", "undo", "close", "shut-out", "rebuild", "import")


@pytest.mark.parametrize(("database", "step"), sweeps(often=6, seldom=40))
def test_two_operations_in_every_order_leave_the_acknowledged_state(
    world: World, step: int
) -> None:
    pairs = permutations(GRADED, 2)
    assert schedules_of_two(world, pairs, step, what="schedules of two", at_least=14) == []


@pytest.mark.full
def test_three_operations_one_within_the_other_leave_the_acknowledged_state(world: World) -> None:
    assert schedules_of_three(world, GRADED) == []


def check_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bug of 0.1.0: whether the topic is open is checked before the transaction."""
    look, label = GradedDocKind.lock_head, GradedDocKind.label

    def early(self: Any, submission: Any, doc: Any, scale: Any) -> Any:
        with transaction.atomic():
            look(self, doc, has_account=True)
        return label(self, submission, doc, scale)

    def head(_: Any, doc: Any, **__: Any) -> str:
        return Assignment.objects.values_list("head", flat=True).get(pk=doc.assignment_id)

    monkeypatch.setattr(GradedDocKind, "label", early)
    monkeypatch.setattr(GradedDocKind, "lock_head", head)


def no_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judgment without locks: no transaction on SQLite, no row lock on PostgreSQL."""
    if connection.vendor == "sqlite":
        monkeypatch.setattr(writing_events, "writing", nullcontext)
    else:
        monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_: self.all())


@pytest.mark.parametrize("plant", [check_before, no_lock])
def test_a_planted_bug_is_found(
    world: World, plant: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    faults = (
        fault for at in range(16) for fault in interleaved(world, ("change", "close"), (at,))[1]
    )
    assert any("came after topic q1 of b1 was closed" in fault for fault in faults)
