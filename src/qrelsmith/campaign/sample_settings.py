"""The table `[sample]` of campaign.toml: people judge a sample of docs, in waves, in the app."""

from __future__ import annotations

from dataclasses import dataclass, fields

from qrelsmith.base.errors import UsageError
from qrelsmith.io.toml_settings import Settings, toml_array, toml_text


@dataclass(frozen=True, slots=True)
class SampleJudging:
    """Who judges a sample, how many docs, and when enough is known.

    Attributes
    ----------
    group : str
        The group whose assessors judge; their labels are the people's.
    budget : int
        How many docs they judge at most, in the mean.
    wave : int or None
        How many docs a wave after the pilot draws; None: all the rest.
    measure : str
        What the systems are compared by; empty: the campaign's first measure.
    decide : tuple of str
        Two runs: judging ends when it is decided which is better.
    share : float or None
        Judging ends when this share of the pairs of runs is decided.
    width : float or None
        Judging ends when the intervals of differences are no wider in the mean.
    """

    group: str
    budget: int
    wave: int | None = None
    measure: str = ""
    decide: tuple[str, ...] = ()
    share: float | None = None
    width: float | None = None

    def __post_init__(self) -> None:
        if self.budget < 1 or (self.wave is not None and self.wave < 1):
            raise UsageError(f"budget={self.budget}, wave={self.wave}; expected 1 or more")
        if self.decide and len(set(self.decide)) != 2:
            raise UsageError(f"decide names {len(set(self.decide))} runs; expected two")
        if self.share is not None and not 0 < self.share <= 1:
            raise UsageError(f"share={self.share:g}; expected above 0 and at most 1")


def parsed_sample_judging(table: Settings) -> SampleJudging:
    """The settings of a table.

    Raises
    ------
    InputError
        If a key or value is not known, or group or budget are missing.
    """
    table.check_keys([field.name for field in fields(SampleJudging)])
    group, budget = table.text("group"), table.get("budget", int, "a whole number")
    if not group or budget is None:
        raise table.fault("group or budget is missing; expected who judges, and how many docs")
    try:
        return SampleJudging(
            group,
            budget,
            wave=table.get("wave", int, "a whole number"),
            measure=table.text("measure"),
            decide=table.texts("decide"),
            share=table.number("share"),
            width=table.number("width"),
        )
    except UsageError as error:
        raise table.fault(str(error)) from None


def sample_judging_toml(settings: SampleJudging) -> str:
    """The settings as a table of TOML; what is not set is left out."""
    lines = []
    for field in fields(SampleJudging):
        value = getattr(settings, field.name)
        if value in (None, "", ()):
            continue
        if isinstance(value, tuple):
            text = toml_array(value)
        else:
            text = toml_text(value) if isinstance(value, str) else f"{value}"
        lines.append(f"{field.name} = {text}\n")
    return "[sample]\n" + "".join(lines)
