"""The versions of the scale, as assessors see them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext

from qrelsmith.answers.judged_aspects import EDIT, WEIGHTS
from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.campaign.aspect_settings import CONTRADICTS, DEFAULTS, SUPPORTED
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.judging.versions import Versions
from qrelsmith.web.models import ScaleVersion
from qrelsmith.web.openapi.schemas import name_list

# The importance levels of a nugget.
_EDITS = [{"grade": weight, "label": name, "text": ""} for name, weight in WEIGHTS.items()]


@dataclass(frozen=True)
class ShownScale:
    """One version of the scale and of the judging settings.

    Attributes
    ----------
    version : int
        The version number, from 1.
    content : mapping
        `control`, `note`, `excerpt`, `instructions`, `levels` and `errors`, as JSON values.
    """

    version: int
    content: Mapping[str, Any]

    @property
    def control(self) -> str:
        """The input control: `buttons`, `slider` or `number`."""
        return str(self.content["control"])

    @cached_property
    def levels(self) -> dict[float, dict[str, Any]]:
        """The levels by grade."""
        return {float(level["grade"]): level for level in self.content["levels"]}

    @cached_property
    def errors(self) -> dict[float, dict[str, Any]]:
        """The error codes with their labels."""
        return {float(error["code"]): error for error in self.content["errors"]}

    @property
    def expected(self) -> str:
        """The possible values of a label, for error messages."""
        codes = ", ".join(grade_text(code) for code in sorted(self.errors))
        more = f", or a code of {codes}" if codes else ""
        if self.control == "number":
            return f"a positive number{more}"
        return f"a level of {name_list([grade_text(level) for level in sorted(self.levels)])}{more}"

    def has(self, value: float) -> bool:
        """Return whether a value is an error code or a grade: a level, or any positive number."""
        if value in self.errors:
            return True
        if self.control == "number":
            return math.isfinite(value) and value > 0
        return value in self.levels

    def off(self, value: float) -> str:
        """Return the error message for a value that is not on the scale."""
        if self.control == "number":
            return gettext("{value} is not a positive number.").format(value=f"{value:g}")
        return gettext("{value} is not a level of the scale.").format(value=f"{value:g}")

    def family(self, name: str) -> ShownScale:
        """Return the scale of a family of aspects; for an empty name, the scale of all families."""
        families = {**self.content.get("aspects", {}), EDIT: _EDITS}
        every = {each["grade"]: each for levels in families.values() for each in levels}
        errors = list(self.content["errors"]) if name != EDIT else []
        if name in ("", *SUPPORTED):
            others = (each for each in errors if each["code"] != CONTRADICTS)
            errors = [{"code": int(CONTRADICTS), "label": gettext("contradicts")}, *others]
        levels = families.get(name, []) if name else list(every.values())
        content = {**self.content, "control": "buttons", "levels": levels, "errors": errors}
        return ShownScale(self.version, content)

    def wish(self, name: str, value: float) -> str:
        """Return one of `WISHES`: whether a label needs a note (or excerpt) or may have one."""
        level = self.levels.get(value, {})
        return str(level.get(name) or self.content[name])

    def asks(self, name: str) -> bool:
        """Return whether any label needs or may have a note (or excerpt)."""
        wishes = [level.get(name) or self.content[name] for level in self.content["levels"]]
        return any(wish != "none" for wish in [*wishes, self.content[name]])

    def label(self, value: float) -> str:
        """Return a value in the words of the scale."""
        return str(self.levels.get(value, {}).get("label") or self.label_of_code(value))

    def label_of_code(self, value: float) -> str:
        """Return a code in words, and a grade as a number."""
        return str(self.errors[value]["label"]) if value in self.errors else grade_text(value)


def _is_used() -> bool:
    return any(kind.events.objects.exists() for kind in KINDS if kind.scale == "scale_version")


_VERSIONS = Versions(
    ScaleVersion, ShownScale, is_used=_is_used, missing="no scale has been imported yet"
)
current_scale = _VERSIONS.current
scale_versions = _VERSIONS.all


def record_scale(campaign: Campaign) -> None:
    """Record the campaign's scale as a new version, unless it equals the latest version.

    Raises
    ------
    InputError
        If the scale does not fit the input control.
    """
    check_scale(campaign)
    judging = campaign.judging
    aspects = {**DEFAULTS, **campaign.aspect_levels} if campaign.answers else {}
    families = {name: [asdict(level) for level in levels] for name, levels in aspects.items()}
    _VERSIONS.record(
        ({"aspects": families} if families else {})
        | {
            "control": judging.control,
            "note": judging.note,
            "excerpt": judging.excerpt,
            "instructions": judging.instructions,
            "levels": [asdict(level) for level in campaign.levels],
            "errors": [asdict(error) for error in judging.errors],
        }
    )


def check_scale(campaign: Campaign) -> None:
    """Raise `InputError` if the scale does not fit the input control."""
    control = campaign.judging.control
    if control == "number" and campaign.levels:
        problem = (
            f"control is {quoted(control)}, any positive number; expected no levels in [scale]"
        )
    elif control != "number" and not campaign.levels and not campaign.answers:
        problem = f"control is {quoted(control)}; expected levels in [scale], or control = 'number'"
    else:
        return
    raise InputError(problem, path=campaign.settings)
