"""The versions of the choices for answers, with their instructions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.preference_settings import OUTCOMES
from qrelsmith.web.judging.versions import Versions
from qrelsmith.web.models import PreferenceEvent, PreferenceVersion
from qrelsmith.web.openapi.schemas import name_list

LABELS = {
    -2: gettext_lazy("Left is much better"),
    -1: gettext_lazy("Left is better"),
    0: gettext_lazy("Equally good"),
    1: gettext_lazy("Right is better"),
    2: gettext_lazy("Right is much better"),
}


@dataclass(frozen=True, slots=True)
class Choices:
    """One version of the choices.

    Attributes
    ----------
    version : int
        The version number, from 1.
    content : mapping
        `choices` and `instructions`, as JSON values.
    """

    version: int
    content: Mapping[str, Any]

    @property
    def outcomes(self) -> tuple[int, ...]:
        """The outcomes, from left to right."""
        return OUTCOMES[int(self.content["choices"])]

    @property
    def instructions(self) -> str:
        """The instructions for assessors."""
        return str(self.content["instructions"])

    @property
    def expected(self) -> str:
        """The possible values of an answer, for error messages."""
        return f"one of {name_list(self.outcomes)}"

    def has(self, value: float) -> bool:
        """Return whether an outcome is among the choices."""
        return value in self.outcomes

    def off(self, value: float) -> str:
        """Return the error for an outcome that is not among the choices."""
        return gettext("%(outcome)s is not one of the choices.") % {"outcome": f"{value:g}"}

    def buttons(self) -> list[dict[str, Any]]:
        """Return the outcomes with the labels of their buttons."""
        return [{"outcome": each, "label": str(LABELS[each])} for each in self.outcomes]


_VERSIONS = Versions(
    PreferenceVersion,
    Choices,
    is_used=PreferenceEvent.objects.exists,
    missing="this campaign has no preference tasks",
)
current_choices = _VERSIONS.current
choices_versions = _VERSIONS.all


def record_choices(campaign: Campaign) -> None:
    """Record the campaign's choices as a new version, if they differ from the latest version."""
    preferring = campaign.preference_judging
    if preferring is not None:
        content = {"choices": preferring.choices, "instructions": preferring.instructions}
        _VERSIONS.record(content)
