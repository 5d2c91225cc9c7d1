"""The table `[scale]` of campaign.toml: the levels that assessors choose from."""

from __future__ import annotations

from dataclasses import dataclass, fields

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.campaign.judging_settings import WISHES
from qrelsmith.io.toml_settings import Settings, toml_text

# From how many levels on a scale is written as a range where it can be.
_LONG = 12


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the campaign's scale.

    Attributes
    ----------
    grade : float
        Its value.
    label : str
        Its name, as assessors see it.
    text : str
        What it means, as assessors see it.
    gain : float or None
        What it is worth inside a measure; the grade itself if None.
    note, excerpt : str
        Whether a judgment of this level needs a note or a passage of the doc: one of `WISHES`, or
        empty for what the campaign says.
    """

    grade: float
    label: str = ""
    text: str = ""
    gain: float | None = None
    note: str = ""
    excerpt: str = ""


def parsed_levels(scale: Settings) -> tuple[Level, ...]:
    """The levels that the table names, lowest first; empty if it names none.

    Raises
    ------
    InputError
        If a key or a value is not known, or the levels do not ascend.
    """
    scale.check_keys(("range", "levels"))
    levels = []
    for level in scale.tables("levels", marked_by="grade"):
        level.check_keys([field.name for field in fields(Level)])
        grade = level.number("grade")
        if grade is None:
            raise level.fault("the grade is missing")
        gain = level.number("gain")
        if gain is not None and gain < 0:
            raise level.fault(f"the gain is {gain:g}; expected a number from 0 on", "gain")
        for name in ("note", "excerpt"):
            if level.text(name) not in ("", *WISHES):
                expected = f"expected one of {', '.join(WISHES)}"
                raise level.fault(f"{name} is {quoted(level.text(name))}; {expected}", name)
        texts = {name: level.text(name) for name in ("label", "text", "note", "excerpt")}
        levels.append(Level(grade, gain=gain, **texts))
    try:
        if levels:
            Scale(tuple(level.grade for level in levels))
        return _fill_levels(levels, scale.text("range"))
    except UsageError as error:
        raise scale.fault(str(error), "levels" if levels else "range") from None


def scale_toml(levels: tuple[Level, ...]) -> str:
    """The scale as TOML; of a long one whose levels are mostly bare only those that are not."""
    span = str(Scale(tuple(level.grade for level in levels)))
    described = [level for level in levels if level != Level(level.grade)]
    is_range = ".." in span and len(levels) > _LONG and len(described) < len(levels)
    shown = described if is_range else levels
    text = "[scale]\n" + (f"range = {toml_text(span)}\n" if is_range else "")
    rows = "".join(f"  {_level(level)},\n" for level in shown)
    return text + (f"levels = [\n{rows}]\n" if rows else "")


def _fill_levels(levels: list[Level], span: str) -> tuple[Level, ...]:
    """The levels together with those of a range such as `0..100` that are not described."""
    if not span:
        return tuple(levels)
    described = {level.grade: level for level in levels}
    grades = Scale.parse(span).levels
    for grade in described.keys() - set(grades):
        raise UsageError(f"the level {grade_text(grade)} is not in the range {quoted(span)}")
    return tuple(described.get(grade, Level(grade)) for grade in grades)


def _level(level: Level) -> str:
    parts = [f"grade = {grade_text(level.grade)}"]
    parts += [f"label = {toml_text(level.label)}"] if level.label else []
    parts += [f"text = {toml_text(level.text)}"] if level.text else []
    parts += [f"gain = {grade_text(level.gain)}"] if level.gain is not None else []
    parts += [f"note = {toml_text(level.note)}"] if level.note else []
    parts += [f"excerpt = {toml_text(level.excerpt)}"] if level.excerpt else []
    return "{ " + ", ".join(parts) + " }"
