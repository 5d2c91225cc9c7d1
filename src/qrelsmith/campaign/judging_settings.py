"""The table `[judging]` of campaign.toml: how assessors give grades, and what else they are asked.

Codes below 0 are no grades: they say why a doc could not be judged, and never count as grade 0.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.io.toml_settings import Settings, toml_text

CONTROLS = ("buttons", "slider", "number")
WISHES = ("none", "optional", "required")
ACTIVITY = ("none", "times")


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
    errors : tuple of ErrorCode
        Why a doc may not be judged, the most usual reason first.
    instructions : str
        What assessors are told; blank lines part its paragraphs.
    """

    control: str = "buttons"
    note: str = "optional"
    excerpt: str = "none"
    activity: str = "times"
    errors: tuple[ErrorCode, ...] = DEFAULT_ERRORS
    instructions: str = ""

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise UsageError(f"{name} is {quoted(value)}; expected one of {', '.join(choices)}")
        codes = [error.code for error in self.errors]
        if len(set(codes)) < len(codes) or any(code > -2 for code in codes):
            raise UsageError(f"the codes {codes} of errors; expected different ones, all below -1")


_CHOICES = {"control": CONTROLS, "note": WISHES, "excerpt": WISHES, "activity": ACTIVITY}


def parsed_judging(settings: Settings) -> Judging:
    """The settings that a table of campaign.toml holds; what is missing has its default.

    Raises
    ------
    InputError
        If a key or a value is not known.
    """
    settings.check_keys([field.name for field in fields(Judging)])
    chosen = {}
    for name, choices in _CHOICES.items():
        if name in settings.values:
            chosen[name] = settings.text(name)
            if chosen[name] not in choices:
                problem = f"{name} is {quoted(chosen[name])}; expected one of {', '.join(choices)}"
                raise settings.fault(problem, name)
    errors = _errors(settings) if "errors" in settings.values else DEFAULT_ERRORS
    try:
        return Judging(**chosen, errors=errors, instructions=settings.text("instructions"))
    except UsageError as error:
        raise settings.fault(str(error), "errors") from None


def judging_toml(judging: Judging) -> str:
    """The table as TOML, without what has its default; empty if everything has."""
    default = Judging()
    lines = [
        f"{name} = {toml_text(getattr(judging, name))}\n"
        for name in (*_CHOICES, "instructions")
        if getattr(judging, name) != getattr(default, name)
    ]
    if judging.errors != default.errors:
        codes = "".join(
            f"  {{ code = {error.code}, label = {toml_text(error.label)} }},\n"
            for error in judging.errors
        )
        lines.append(f"errors = [\n{codes}]\n" if codes else "errors = []\n")
    return "[judging]\n" + "".join(lines) if lines else ""


def _errors(settings: Settings) -> tuple[ErrorCode, ...]:
    errors = []
    for table in settings.tables("errors", marked_by="code"):
        table.check_keys([field.name for field in fields(ErrorCode)])
        code = table.get("code", int, "a whole number below -1")
        if code is None or code > -2:
            raise table.fault(f"code is {code}; expected a whole number below -1", "code")
        label = table.text("label")
        if not label:
            raise table.fault("the label is missing; assessors would see nothing", "label")
        errors.append(ErrorCode(code, label))
    return tuple(errors)
