"""Batches of judgments before they are logged: sender, changes, refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.models import Assessor

Kind = JudgmentKind
Fault = tuple[int, RefusedError]


class BatchRefusedError(Exception):
    """A refused batch; none of its judgments is accepted.

    Parameters
    ----------
    faults : sequence of (int, RefusedError)
        All errors, each with the index of its judgment in the batch.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: fault[0]))
        super().__init__(f"{len(self.faults)} faults")


@dataclass(frozen=True)
class Sender:
    """The sender of judgments, with functions that find the items and complete the events.

    Attributes
    ----------
    assessor : Assessor or None
        The assessor; None is refused.
    find : callable
        Returns, for each judgment, its item, or a list of refusals if the item is not the sender's.
    has_account : bool
        Whether the sender is a person, whose account must be active.
    prepare : callable
        Called inside the transaction, before anything is locked; returns further columns of the
        events.
    times : sequence of datetime or None
        The times of judgment, by operation id, if the client's measurements do not contain them.
    """

    assessor: Assessor | None
    find: Callable[[Kind, Sequence[Any]], list[Any]]
    has_account: bool = True
    prepare: Callable[[], Mapping[str, Any]] = dict
    times: Mapping[str, datetime | None] = field(default_factory=dict)


@dataclass(slots=True)
class Change:
    """A new event, with its item and the item's new label."""

    item: int
    unit: Any
    event: Any
    label: Any
