"""The scale as assessors see it, in its versions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.web.judging.versions import Versions
from qrelsmith.web.models import Event, ScaleVersion
from qrelsmith.web.openapi.schemas import name_list


@dataclass(frozen=True)
class ShownScale:
    """One version of the scale and of what assessors are asked.

    Attributes
    ----------
    version : int
        Counted from 1.
    content : mapping
        `control`, `note`, `excerpt`, `instructions`, `levels` and `errors`, as JSON knows them.
    """

    version: int
    content: Mapping[str, Any]

    @property
    def control(self) -> str:
        """`buttons`, `slider` or `number`."""
        return str(self.content["control"])

    @cached_property
    def levels(self) -> dict[float, dict[str, Any]]:
        """The levels by grade."""
        return {float(level["grade"]): level for level in self.content["levels"]}

    @cached_property
    def errors(self) -> dict[float, dict[str, Any]]:
        """The error codes by code."""
        return {float(error["code"]): error for error in self.content["errors"]}

    @property
    def expected(self) -> str:
        """The values that a label can have, for errors."""
        codes = ", ".join(grade_text(code) for code in sorted(self.errors))
        more = f", or a code of {codes}" if codes else ""
        if self.control == "number":
            return f"a positive number{more}"
        return f"a level of {name_list([grade_text(level) for level in sorted(self.levels)])}{more}"

    def has(self, value: float) -> bool:
        """Whether a value is a level, an error code or, where any number is a grade, positive."""
        if value in self.errors:
            return True
        if self.control == "number":
            return math.isfinite(value) and value > 0
        return value in self.levels

    def off(self, value: float) -> str:
        """Return a sentence for a value that is not on the scale."""
        if self.control == "number":
            return gettext("{value} is not a positive number.").format(value=f"{value:g}")
        return gettext("{value} is not a level of the scale.").format(value=f"{value:g}")

    def wish(self, name: str, value: float) -> str:
        """Whether a label with this value comes with a note or an excerpt: one of `WISHES`."""
        level = self.levels.get(value, {})
        return str(level.get(name) or self.content[name])

    def asks(self, name: str) -> bool:
        """Whether any label may come with a note or an excerpt."""
        wishes = [level.get(name) or self.content[name] for level in self.content["levels"]]
        return any(wish != "none" for wish in [*wishes, self.content[name]])

    def label(self, value: float) -> str:
        """A value as a person reads it."""
        if value in self.errors:
            return str(self.errors[value]["label"])
        return str(self.levels.get(value, {}).get("label") or grade_text(value))


_VERSIONS = Versions(
    ScaleVersion, ShownScale, is_used=Event.objects.exists, missing="no scale was imported yet"
)
current_scale = _VERSIONS.current
scale_versions = _VERSIONS.all


def record_scale(campaign: Campaign) -> None:
    """Make the campaign's scale the newest version, unless it is already.

    Raises
    ------
    InputError
        If the scale does not fit how assessors are to answer.
    """
    check_scale(campaign)
    judging = campaign.judging
    _VERSIONS.record(
        {
            "control": judging.control,
            "note": judging.note,
            "excerpt": judging.excerpt,
            "instructions": judging.instructions,
            "levels": [asdict(level) for level in campaign.levels],
            "errors": [asdict(error) for error in judging.errors],
        }
    )


def check_scale(campaign: Campaign) -> None:
    """Raise `InputError` if the scale does not fit how assessors are to answer."""
    control = campaign.judging.control
    if control == "number" and campaign.levels:
        problem = (
            f"control is {quoted(control)}, any positive number; expected no levels in [scale]"
        )
    elif control != "number" and not campaign.levels:
        problem = f"control is {quoted(control)}; expected levels in [scale], or control = 'number'"
    else:
        return
    raise InputError(problem, path=campaign.settings)
