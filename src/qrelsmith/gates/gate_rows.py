"""The rows of a gate: a figure with its margin or bound, verdict and number of labels needed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from qrelsmith.base.scipy_parts import special
from qrelsmith.gates.figures import PairedFigure
from qrelsmith.stats.population import PopulationInterval

Verdict = Literal["pass", "fail", "open"]


@dataclass(frozen=True, slots=True)
class GateRow:
    """One figure of a gate, and the verdict on it.

    Attributes
    ----------
    figure : str
        Its name; with `>=` for a bound of the new judge alone.
    baseline, new : float
        The figure for both judges.
    difference : float or None
        Improvement of the new judge; None for a bound.
    low, high : float
        The 95% interval of the difference or, for a bound, of the new judge's figure.
    margin : float
        The allowed deterioration, or the bound.
    verdict : str
        `pass`, `fail` or `open`.
    over : str
        The population of the interval: `topics` or `docs`.
    units : float
        Approximate number of units that would settle an open verdict; nan if unknown.
    labels : float
        The same as a number of human labels.
    reason : str
        Reason for a missing value or interval.
    """

    figure: str
    baseline: float
    new: float
    difference: float | None
    low: float
    high: float
    margin: float
    verdict: Verdict
    over: str
    units: float = math.nan
    labels: float = math.nan
    reason: str = ""

    def sentence(self) -> str:
        """Return a sentence on why a verdict is open; empty for other verdicts."""
        if self.verdict != "open":
            return ""
        if self.reason:
            return f"{self.figure} is open: {self.reason}"
        if math.isnan(self.labels):
            return f"{self.figure} is open because the figure is undefined"
        topics = f" on {self.units:,.0f} topics" if self.over == "topics" else ""
        return (
            f"{self.figure} is open; about {self.labels:,.0f} human labels{topics} in all would"
            " decide the verdict"
        )


def margin_row(
    name: str, figure: PairedFigure, margin: float, *, is_same: bool, labels: int
) -> GateRow:
    """Return the row that compares the difference between the judges with a margin.

    Parameters
    ----------
    name : str
        The figure.
    figure : PairedFigure
        The values and intervals.
    margin : float
        The allowed deterioration.
    is_same : bool
        Whether both judges gave identical labels.
    labels : int
        Number of human labels.
    """
    interval = figure.difference
    difference, low, high = float(interval.value), float(interval.low), float(interval.high)
    if is_same and difference == 0:  # not if undefined, or of the docs that are graded
        low = high = 0.0
    verdict = verdict_of(low, high, -margin)
    units = units_to_settle(interval, -margin, prior=margin) if verdict == "open" else math.nan
    return GateRow(
        name, figure.baseline, figure.new, difference, low, high, margin, verdict, interval.over,
        units, _round_up(units * labels / max(interval.size, 1)), figure.reason,
    )  # fmt: skip


def bound_row(name: str, figure: PairedFigure, bound: float, *, labels: int) -> GateRow:
    """Return the row that compares the new judge's figure with a bound."""
    interval = figure.alone
    low, high = float(interval.low), float(interval.high)
    if figure.new == 1 and math.isnan(low):
        low = high = 1.0  # as people graded
    verdict = verdict_of(low, high, bound)
    units = units_to_settle(interval, bound) if verdict == "open" else math.nan
    return GateRow(
        f"{name}>=", figure.baseline, figure.new, None, low, high, bound, verdict, interval.over,
        units, _round_up(units * labels / max(interval.size, 1)), figure.reason,
    )  # fmt: skip


def verdict_of(low: float, high: float, bound: float) -> Verdict:
    """Return `pass` for an interval above a bound, `fail` for one below the bound, else `open`.

    >>> verdict_of(0.0, 0.1, -0.05), verdict_of(-0.2, -0.1, -0.05), verdict_of(-0.2, 0.1, -0.05)
    ('pass', 'fail', 'open')
    """
    if low >= bound:
        return "pass"
    return "fail" if high < bound else "open"


def units_to_settle(interval: PopulationInterval, bound: float, *, prior: float = 0.0) -> float:
    """Return the number of units that settles an open verdict with probability ½.

    Parameters
    ----------
    interval : PopulationInterval
        The value with its interval, which contains the bound.
    prior : float
        Standard deviation, around 0, of differences between successive judges; 0: flat prior.

    Returns
    -------
    float
        nan where there is no interval.

    Notes
    -----
    The true value is assumed to be normal, with the posterior mean and variance. Further units are
    assumed to resemble the present units, so the standard error shrinks with the square root of the
    number of units.
    """
    value, error, size = float(interval.value), float(interval.se), interval.size
    if not error > 0:
        return math.nan
    weight = prior**2 / (prior**2 + error**2) if prior > 0 else 1.0
    quantile = (1 + interval.confidence) / 2

    def chance_to_settle(share: float) -> float:
        """Return the probability of a settled verdict if `share` of all units are present."""
        mean = share * value + (1 - share) * weight * value
        spread = error * math.sqrt((1 - share) ** 2 * weight + share * (1 - share))
        half = float(special.stdtrit(size / share - 1, quantile)) * error * math.sqrt(share)
        above, below = (mean - bound - half) / spread, (bound - half - mean) / spread
        return float(special.ndtr(above) + special.ndtr(below))

    least, most = 0.0, 1.0
    for _ in range(60):
        share = (least + most) / 2
        least, most = (share, most) if chance_to_settle(share) > 0.5 else (least, share)
    return math.ceil(size / most)


def _round_up(labels: float) -> float:
    """Round a number of labels up to two significant digits."""
    if math.isnan(labels) or labels <= 0:
        return math.nan
    step = 10.0 ** (math.floor(math.log10(labels)) - 1)
    return float(math.ceil(labels / step) * step)
