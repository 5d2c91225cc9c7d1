"""The table `[sample]` of campaign.toml: human judging of a sample of docs in waves, in the app."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.base.errors import UsageError


@dataclass(frozen=True, slots=True)
class SampleJudging:
    """Settings of a sample: assessors, number of docs, and stopping rules.

    Attributes
    ----------
    group : str
        The group of assessors who judge; their labels are the human labels.
    budget : int
        Maximum expected number of judged docs.
    wave : int or None
        Number of docs per wave after the pilot; None: all the remaining docs.
    measure : str
        Measure for comparing systems; empty: the campaign's first measure.
    decide : tuple of str
        Two runs: judging ends when the better one is known.
    focus : tuple of str
        The runs that the sample must distinguish. One run is distinguished from all others; empty:
        all runs.
    share : float or None
        Share of the pairs of runs that must be decided before judging ends.
    width : float or None
        Mean width of the intervals of differences at which judging ends.
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
            raise UsageError(f"decide names {len(set(self.decide))} different runs; expected two")
        if self.share is not None and not 0 < self.share <= 1:
            raise UsageError(f"share={self.share:g}; expected a number above 0 and at most 1")
