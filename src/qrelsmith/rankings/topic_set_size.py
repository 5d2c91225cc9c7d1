"""Required number of topics, given the variance of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.design.power import POWERS
from qrelsmith.stats.design.search import detectable_difference, topics_for_power, topics_for_width
from qrelsmith.stats.design.width import WIDTHS
from qrelsmith.stats.effects import residual_variance_two_way

_POINTS = 120  # of a curve


@dataclass(frozen=True, slots=True)
class Variance:
    """The variance of a measure's scores.

    Attributes
    ----------
    measure : str
        The measure; empty if only a number was given.
    value : float
        σ²: V_E2, the residual variance of the two-way analysis of variance.
    """

    measure: str
    value: float


@dataclass(frozen=True, slots=True)
class Aim:
    """The aim of a topic set: a power or an interval width.

    Attributes
    ----------
    test : str
        A name in `POWERS` or `WIDTHS`.
    target : float
        The difference to detect, or the maximum interval width.
    systems : int
        m, for the analysis of variance; the other tests compare two systems.
    alpha : float
        The level of significance; an interval has the level 1 − α.
    power : float
        The required power; not used for an interval.
    """

    test: str
    target: float
    systems: int = 2
    alpha: float = 0.05
    power: float = 0.8

    def __post_init__(self) -> None:
        if self.test not in kinds():
            raise UsageError(f"test={self.test!r}; expected one of {', '.join(kinds())}")
        if self.systems != 2 and (self.is_interval or POWERS.get(self.test).entry.about["pairs"]):
            raise UsageError(f"{self.test} compares 2 systems; found {self.systems}")

    @property
    def is_interval(self) -> bool:
        """Whether the aim is an interval width."""
        return self.test in WIDTHS.names()

    def smallest(self, variance: float) -> int:
        """Return the smallest sufficient number of topics."""
        if self.is_interval:
            return topics_for_width(
                self.test, width=self.target, variance=variance, level=1 - self.alpha
            )
        return topics_for_power(
            self.test,
            difference=self.target,
            variance=variance,
            alpha=self.alpha,
            power=self.power,
            systems=self.systems,
        )

    def powers(self, variance: float, topics: Sequence[int]) -> list[float]:
        """Return the power to detect the target for each number of topics; nan for an interval."""
        if self.is_interval:
            return [np.nan] * len(topics)
        values: list[float] = POWERS.get(self.test)(
            topics,
            difference=self.target,
            variance=variance,
            alpha=self.alpha,
            systems=self.systems,
        ).tolist()
        return values

    def detectable_differences(self, variance: float, topics: Sequence[int]) -> list[float]:
        """Return the smallest detectable difference, or the width, for each number of topics."""
        if self.is_interval:
            widths: list[float] = WIDTHS.get(self.test)(
                topics, variance=variance, level=1 - self.alpha
            ).tolist()
            return widths
        return [
            detectable_difference(
                self.test,
                count,
                variance=variance,
                alpha=self.alpha,
                power=self.power,
                systems=self.systems,
            )
            for count in topics
        ]


def kinds() -> tuple[str, ...]:
    """Return the names of the tests and intervals available for planning."""
    return (*POWERS.names(), *WIDTHS.names())


def variance_of(matrix: ScoreMatrix) -> Variance:
    """Return the residual variance of a measure's scores.

    Raises
    ------
    UndefinedError
        If there are fewer than two systems or topics, or a score is missing.
    """
    value = residual_variance_two_way(matrix.scores.T)
    if np.isnan(value):
        raise UndefinedError(
            f"the variance of {matrix.measure} needs two systems and two topics, not"
            f" {len(matrix.systems)} and {len(matrix.topics)}"
        )
    return Variance(matrix.measure, value)


@dataclass(frozen=True, slots=True)
class PlannedTopics:
    """A number of topics, and the power or difference that it reaches.

    Attributes
    ----------
    variance : Variance
        The measure.
    aim : Aim
        The aims.
    topics : int
        The number of topics, of each system.
    power : float
        The power to detect the aim's difference; nan for an interval.
    reached : float
        The smallest difference detected with the required power, or the expected width of the
        interval.
    """

    variance: Variance
    aim: Aim
    topics: int
    power: float
    reached: float


def planned_topics(
    variances: Sequence[Variance], aims: Sequence[Aim], *, topics: Sequence[int] = ()
) -> tuple[PlannedTopics, ...]:
    """Return numbers of topics, and the power or difference that each reaches.

    Parameters
    ----------
    variances : sequence of Variance
        Measures.
    aims : sequence of Aim
        The aims.
    topics : sequence of int
        Numbers of topics; by default the smallest sufficient number.
    """
    return tuple(
        PlannedTopics(variance, aim, count, power, reached)
        for variance in variances
        for aim in aims
        for counts in [list(topics) or [aim.smallest(variance.value)]]
        for count, power, reached in zip(
            counts,
            aim.powers(variance.value, counts),
            aim.detectable_differences(variance.value, counts),
            strict=True,
        )
    )


def topic_curves(variances: Sequence[Variance], aims: Sequence[Aim]) -> Figure:
    """Return a chart of power or width by number of topics.

    Parameters
    ----------
    variances : sequence of Variance
        Measures.
    aims : sequence of Aim
        Either all tests or all intervals, of one power and level.

    Raises
    ------
    UsageError
        If tests and intervals would share an axis.
    """
    interval = aims[0].is_interval
    if any(aim.is_interval is not interval or aim.power != aims[0].power for aim in aims):
        raise UsageError(
            "a chart cannot combine tests and intervals, or several powers; expected one kind"
        )
    enough = [(v, aim, aim.smallest(v.value)) for v in variances for aim in aims]
    most = max(count for _, _, count in enough)
    topics = np.unique(np.linspace(2, max(2.0 * most, 10), _POINTS).round().astype(np.int64))
    lines, marks = [], []
    for variance, aim, count in enough:
        value = aim.detectable_differences if interval else aim.powers
        counts = topics.tolist()
        name = f"{variance.measure or f'σ² {variance.value:g}'}, {aim.test} {aim.target:g}"
        lines.append(Line(name, counts, value(variance.value, counts)))
        marks.append((float(count), value(variance.value, [count])[0], str(count)))
    return Figure(
        key="topic-set-size",
        title="Width of the interval by topics" if interval else "Power by topics",
        drawing=Lines(
            lines=lines,
            x_label="topics",
            y_label="expected width" if interval else "power",
            marks=marks,
            reference=aims[0].power if not interval else None,
        ),
        caption="The point on each line is the smallest sufficient number of topics.",
    )
