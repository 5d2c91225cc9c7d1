"""The table `[scale]` of campaign.toml: the levels for assessors."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.campaign.judging_settings import WISHES
from qrelsmith.io.toml_settings import Settings, toml_text
from qrelsmith.io.toml_tables import parse_table, write_rows

# Minimum number of levels of a scale that is written as a range, if possible.
_LONG = 12


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the campaign's scale.

    Attributes
    ----------
    grade : float
        The grade of the level.
    label : str
        The name that assessors see.
    text : str
        The explanation that assessors see.
    gain : float or None
        The gain in measures; None: the grade itself.
    note, excerpt : str
        Whether a judgment of this level needs a note or a passage of the doc: one of `WISHES`, or
        empty for the campaign's setting.
    """

    grade: float
    label: str = ""
    text: str = ""
    gain: float | None = None
    note: str = ""
    excerpt: str = ""

    def __post_init__(self) -> None:
        if self.gain is not None and self.gain < 0:
            raise UsageError(f"the gain is {self.gain:g}; expected a number, 0 or more")
        for name in ("note", "excerpt"):
            value = getattr(self, name)
            if value not in ("", *WISHES):
                raise UsageError(f"{name} is {quoted(value)}; expected one of {', '.join(WISHES)}")


def parsed_levels(scale: Settings) -> tuple[Level, ...]:
    """Parse the levels of the table, lowest first; empty if there are none.

    Raises
    ------
    InputError
        If a key or a value is unknown, or the levels do not ascend.
    """
    scale.check_keys(("range", "levels"))
    rows = scale.tables("levels", marked_by="grade")
    levels = [parse_table(row, Level) for row in rows]
    with scale.placing("levels" if levels else "range"):
        if levels:
            Scale(tuple(level.grade for level in levels))
        return _fill_levels(levels, scale.text("range"))


def scale_toml(levels: tuple[Level, ...], *, table: str = "scale") -> str:
    """Format a scale as TOML: a long scale as a range with its described levels only."""
    span = str(Scale(tuple(level.grade for level in levels)))
    described = tuple(level for level in levels if level != Level(level.grade))
    is_range = ".." in span and len(levels) > _LONG and len(described) < len(levels)
    shown = described if is_range else levels
    text = f"[{table}]\n" + (f"range = {toml_text(span)}\n" if is_range else "")
    return text + (f"levels = {write_rows(shown, number=grade_text)}\n" if shown else "")


def _fill_levels(levels: list[Level], span: str) -> tuple[Level, ...]:
    """Add the undescribed levels of a range such as `0..100` to the described levels."""
    if not span:
        return tuple(levels)
    described = {level.grade: level for level in levels}
    grades = Scale.parse(span).levels
    for grade in described.keys() - set(grades):
        raise UsageError(f"the level {grade_text(grade)} is not in the range {quoted(span)}")
    return tuple(described.get(grade, Level(grade)) for grade in grades)
