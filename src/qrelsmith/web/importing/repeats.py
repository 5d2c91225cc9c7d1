"""Rounds of repeats that an assignments table requests."""

from __future__ import annotations

from collections.abc import Iterable

from qrelsmith.assigning.assignment import Assignment
from qrelsmith.base.errors import InputError
from qrelsmith.io.text import FilePath
from qrelsmith.web.accounts.actions import note_command
from qrelsmith.web.models import RejudgingRound

_REPEAT = RejudgingRound.Reason.REPEAT


def open_repeats(
    planned: Iterable[Assignment], *, path: FilePath | None, is_dry: bool = False
) -> None:
    """Open the rounds of repeated assignments; existing rounds do not change.

    Raises
    ------
    InputError
        If the round was opened for another reason.
    """
    reasons = dict(RejudgingRound.objects.values_list("number", "reason"))
    for number in sorted({plan.round for plan in planned if plan.round > 1}):
        if reasons.get(number, _REPEAT) != _REPEAT:
            raise InputError(
                f"round {number} has repeats, but was opened here for "
                f"{reasons[number]}; expected round {max(reasons) + 1} or later",
                path=path,
            )
        if number not in reasons and not is_dry:
            RejudgingRound.objects.create(number=number, reason=_REPEAT, rule="assign")
            note_command("open-round", f"{number} {_REPEAT}")
