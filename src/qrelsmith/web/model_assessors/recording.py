"""Recording of many judgments of a model at once, with the same checks as human judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from qrelsmith.web.accounts.tokens import check_unrevoked
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.judging.accepting import accept
from qrelsmith.web.judging.batches import BatchRefusedError
from qrelsmith.web.model_assessors.labels import GivenLabel, model_sender
from qrelsmith.web.model_assessors.settings import GivenSetting, recorded_setting
from qrelsmith.web.models import ApiToken, Assessor, ModelSetting
from qrelsmith.web.openapi.schemas import Fault

# Names of label columns in the API.
_NAMES = {"value": "grade", "base_revision": "revision"}


@dataclass(frozen=True, slots=True)
class Recorded:
    """The result of recording a batch.

    Attributes
    ----------
    setting : ModelSetting
        The version of the setting that the new judgments name.
    revisions : tuple of int
        The revision of each judgment's label, in the order of the batch.
    repeated : frozenset of int
        The judgments that were recorded before.
    """

    setting: ModelSetting
    revisions: tuple[int, ...]
    repeated: frozenset[int]


def record(
    labels: Sequence[GivenLabel],
    setting: GivenSetting,
    *,
    assessor: Assessor,
    token: ApiToken | None = None,
    judged_at: Sequence[datetime | None] | None = None,
    input_kind: str = "api",
) -> Recorded:
    """Record judgments of a model: all of them or none.

    Parameters
    ----------
    labels : sequence of GivenLabel
        The judgments.
    setting : GivenSetting
        The model, its prompt and its parameters.
    assessor : Assessor
        The model.
    token : ApiToken, optional
        The model's token, which must not be revoked before the judgments are recorded.
    judged_at : sequence of datetime or None, optional
        The time of each judgment, if known; now if omitted.
    input_kind : str
        How the judgments were made.

    Raises
    ------
    BatchRefusedError
        If any judgment cannot be recorded.
    TokenError
        If the token was revoked meanwhile.
    """

    def prepare() -> Mapping[str, Any]:
        if token is not None:
            check_unrevoked(token)
        return {"setting": recorded_setting(setting, assessor), "input_kind": input_kind}

    times = {label.op_id: when for label, when in zip(labels, judged_at or (), strict=False)}
    accepted = accept(DOCS, labels, model_sender(assessor, prepare, times))
    new = [label.event for label in accepted if not label.repeated]
    return Recorded(
        (new or [accepted[0].event])[0].setting,
        tuple(label.event.revision for label in accepted),
        frozenset(place for place, label in enumerate(accepted) if label.repeated),
    )


def faults_of(error: BatchRefusedError) -> tuple[Fault, ...]:
    """Return all errors of the judgments in a batch, as the API reports them."""
    return tuple(
        Fault(
            ("judgments", item, _NAMES.get(each.field, each.field)),
            each.found,
            each.expected,
            each.reason,
        )
        for item, each in error.faults
    )
