"""Batches of judgments on their way into the log: who sends them, what changes, what is refused."""

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
    """A batch of which nothing is accepted.

    Parameters
    ----------
    faults : sequence of (int, RefusedError)
        All that is wrong, each with the place of its judgment in the batch.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: fault[0]))
        super().__init__(f"{len(self.faults)} faults")


@dataclass(frozen=True)
class Sender:
    """The assessor who sends judgments, and how they are found and recorded.

    Attributes
    ----------
    assessor : Assessor or None
        Who sends; None is refused.
    find : callable
        The items that some judgments are of; instead of an item that is not the sender's, a list of
        refusals.
    has_account : bool
        Whether it is a person, whose account must be active.
    prepare : callable
        Called inside the transaction, before anything is locked; returns further columns of the
        events.
    times : sequence of datetime or None
        When each judgment was made, where the client's measurements do not say so.
    """

    assessor: Assessor | None
    find: Callable[[Kind, Sequence[Any]], list[Any]]
    has_account: bool = True
    prepare: Callable[[], Mapping[str, Any]] = dict
    times: Mapping[str, datetime | None] = field(default_factory=dict)


@dataclass(slots=True)
class Change:
    """An event that is to be recorded: its item, and the label that the item gets."""

    item: int
    unit: Any
    event: Any
    label: Any
