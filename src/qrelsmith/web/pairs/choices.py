"""The answers that assessors may choose from, and their instructions, in their versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.preference_settings import OUTCOMES
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.models import PreferenceEvent, PreferenceVersion
from qrelsmith.web.openapi.schemas import listed

LABELS = {
    -2: gettext_lazy("Left is much better"),
    -1: gettext_lazy("Left is better"),
    0: gettext_lazy("Equally good"),
    1: gettext_lazy("Right is better"),
    2: gettext_lazy("Right is much better"),
}


@dataclass(frozen=True, slots=True)
class Choices:
    """One version of what may be answered.

    Attributes
    ----------
    version : int
        Counted from 1.
    content : mapping
        `choices` and `instructions`, as JSON knows them.
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
        """What an answer can be, for errors."""
        return f"one of {listed(self.outcomes)}"

    def has(self, value: float) -> bool:
        """Return whether an outcome is among the choices."""
        return value in self.outcomes

    def off(self, value: float) -> str:
        """Return a sentence for an outcome that is none of the choices."""
        return gettext("%(outcome)s is none of the choices.") % {"outcome": f"{value:g}"}

    def buttons(self) -> list[dict[str, Any]]:
        """The outcomes as buttons show them."""
        return [{"outcome": each, "label": str(LABELS[each])} for each in self.outcomes]


_LATEST = Prepared[PreferenceVersion](lambda: PreferenceVersion.objects.order_by("-version")[:1])


def current_choices() -> Choices:
    """The newest version.

    Raises
    ------
    LookupError
        If there is none yet.
    """
    latest = _LATEST.first()
    if latest is None:
        raise LookupError("no preferences are judged in this campaign")
    return Choices(latest.version, latest.content)


def choices_versions() -> dict[int, Choices]:
    """All versions by their numbers."""
    versions = PreferenceVersion.objects.order_by("version")
    return {each.version: Choices(each.version, each.content) for each in versions}


def record_choices(campaign: Campaign) -> None:
    """Make what the campaign says the newest version, unless it is already.

    As long as nothing was answered, the only version is rewritten instead.
    """
    preferring = campaign.preference_judging
    if preferring is None:
        return
    content = {"choices": preferring.choices, "instructions": preferring.instructions}
    latest = PreferenceVersion.objects.order_by("-version").first()
    if latest is not None and latest.content == content:
        return
    if latest is not None and not PreferenceEvent.objects.exists():
        latest.content = content
        latest.save(update_fields=["content"])
        return
    version = 1 if latest is None else latest.version + 1
    PreferenceVersion.objects.create(version=version, content=content)
