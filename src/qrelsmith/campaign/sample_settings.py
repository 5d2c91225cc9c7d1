"""The table `[sample]` of campaign.toml: people judge a sample of docs, in waves, in the app."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.base.errors import UsageError


@dataclass(frozen=True, slots=True)
class SampleJudging:
    """Settings of a sample: who judges, how many docs, and when enough is known.

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
    focus : tuple of str
        The runs that the sample is to tell apart, of one run: from all others; empty: all.
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
    focus: tuple[str, ...] = ()
    share: float | None = None
    width: float | None = None

    def __post_init__(self) -> None:
        if self.budget < 1 or (self.wave is not None and self.wave < 1):
            raise UsageError(f"budget={self.budget}, wave={self.wave}; expected 1 or more")
        if self.decide and len(set(self.decide)) != 2:
            raise UsageError(f"decide names {len(set(self.decide))} runs; expected two")
        if self.share is not None and not 0 < self.share <= 1:
            raise UsageError(f"share={self.share:g}; expected above 0 and at most 1")
