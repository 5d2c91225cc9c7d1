"""The table `[judging]` of campaign.toml: the grading of docs, and further input by assessors.

Codes below 0 are not grades: a code gives the reason why a doc could not be judged, and never
counts as grade 0.
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
EXPECTED = ("hidden", "folded")
CARD_ROLES = ("title", "image", "price", "code", "text")


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """A code for docs that cannot be judged, and the code's label for assessors.

    Attributes
    ----------
    code : int
        A number below −1; −1 is reserved for unjudged docs.
    label : str
        The label that assessors see.
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
    """A field of JSON docs that the doc's card highlights, in the order of the setting `card`.

    Attributes
    ----------
    field : str
        The name of the field.
    role : str
        The role of the field in the display: one of `CARD_ROLES`.
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
    """Settings for judging docs by grades.

    Attributes
    ----------
    control : str
        `buttons` for a few levels, `slider` for many, `number` for any positive number (magnitude
        estimation).
    note, excerpt : str
        Whether assessors are asked for a note, and for a passage of the doc: one of `WISHES`.
        Levels can override this.
    activity : str
        Logged activity of assessors: `times` (time worked on each doc) or `none`.
    opening : str
        Initial scroll position of docs: the `top`, the `main` content of a page, or the place that
        is `densest` in the topic's words. Groups can override this.
    expected_answer : str
        Whether the expected answer, if known, is `hidden` from assessors of answers, or shown
        `folded`.
    errors : tuple of ErrorCode
        Reasons why a doc cannot be judged, the most frequent first.
    instructions : str
        Instructions for assessors, as Markdown.
    card : tuple of CardField
        Fields that are first on the card of a JSON doc; the other fields follow in file order.
    """

    control: str = "buttons"
    note: str = "optional"
    excerpt: str = "none"
    activity: str = "times"
    opening: str = "top"
    expected_answer: str = "hidden"
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
            raise UsageError(f"the codes of errors are {codes}; expected different codes")


_CHOICES = {
    "control": CONTROLS, "note": WISHES, "excerpt": WISHES, "activity": ACTIVITY,
    "opening": OPENINGS, "expected_answer": EXPECTED,
}  # fmt: skip


def parsed_judging(settings: Settings) -> Judging:
    """Parse the settings of a table of campaign.toml; missing keys get the default values.

    Raises
    ------
    InputError
        If a key or a value is unknown.
    """
    return parse_table(settings, Judging)


def judging_toml(judging: Judging) -> str:
    """Format the table as TOML without default values; empty if all values are defaults."""
    return write_table("judging", judging) if judging != Judging() else ""
