"""The table `[judging]` of campaign.toml: how assessors give grades, and what else they are asked.

Codes below 0 are no grades: they say why a doc could not be judged, and never count as grade 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.io.toml_settings import Settings
from qrelsmith.io.toml_tables import parse_table, write_table

CONTROLS = ("buttons", "slider", "number")
WISHES = ("none", "optional", "required")
ACTIVITY = ("none", "times")
OPENINGS = ("top", "main", "densest")
CARD_ROLES = ("title", "image", "price", "code", "text")


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """A code for docs that cannot be judged, and its label.

    Attributes
    ----------
    code : int
        Below −1; −1 is kept for unjudged.
    label : str
        As assessors see it.
    """

    code: int
    label: str

    def __post_init__(self) -> None:
        if self.code > -2:
            raise UsageError(f"code is {self.code}; expected a whole number below -1")
        if not self.label:
            raise UsageError("the label is missing; expected a text for assessors")


@dataclass(frozen=True, slots=True)
class CardField:
    """A field of docs in JSON that stands out on their card, in the order of the list.

    Attributes
    ----------
    field : str
        Its name.
    role : str
        How it is shown: one of `CARD_ROLES`.
    """

    field: str
    role: str = "text"

    def __post_init__(self) -> None:
        if self.role not in CARD_ROLES:
            raise UsageError(
                f"role is {quoted(self.role)}; expected one of {', '.join(CARD_ROLES)}"
            )


DEFAULT_ERRORS = (ErrorCode(-2, "could not be displayed"),)


@dataclass(frozen=True, slots=True)
class Judging:
    """Settings of judging by grades.

    Attributes
    ----------
    control : str
        `buttons` for a few levels, `slider` for many, `number` for any positive number (magnitude
        estimation).
    note, excerpt : str
        Whether assessors are asked for a note, and for a passage of the doc: one of `WISHES`. A
        level may say otherwise.
    activity : str
        How much of their activity is logged: `times` (how long they worked on each doc) or `none`.
    opening : str
        Where docs begin: at the `top`, at the `main` content of a page, or where they are `densest`
        in the topic's words. A group may say otherwise.
    errors : tuple of ErrorCode
        Why a doc may not be judged, the most usual reason first.
    instructions : str
        Instructions for assessors, as Markdown.
    card : tuple of CardField
        Fields that come first on the card of a doc in JSON; the others follow in their order.
    """

    control: str = "buttons"
    note: str = "optional"
    excerpt: str = "none"
    activity: str = "times"
    opening: str = "top"
    errors: tuple[ErrorCode, ...] = DEFAULT_ERRORS
    instructions: str = ""
    card: tuple[CardField, ...] = ()

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise UsageError(f"{name} is {quoted(value)}; expected one of {', '.join(choices)}")
        codes = [error.code for error in self.errors]
        if len(set(codes)) < len(codes):
            raise UsageError(f"the codes of errors are {codes}; expected different ones")


_CHOICES = {
    "control": CONTROLS, "note": WISHES, "excerpt": WISHES, "activity": ACTIVITY,
    "opening": OPENINGS,
}  # fmt: skip


def parsed_judging(settings: Settings) -> Judging:
    """Return the settings that a table of campaign.toml holds; what is missing has its default.

    Raises
    ------
    InputError
        If a key or a value is not known.
    """
    return parse_table(settings, Judging)


def judging_toml(judging: Judging) -> str:
    """Return the table as TOML, without what has its default; empty if everything has."""
    return write_table("judging", judging) if judging != Judging() else ""
