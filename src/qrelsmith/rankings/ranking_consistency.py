"""Ranking consistency of label sets and measures: τ between random halves of topics.

The method is that of ordering-gold-bronze, section 7 (Tables 11 and 12), after Sakai 2021.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.content import Figure, Intervals
from qrelsmith.base.results import Result
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.letters import letter, letters
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.randomised_tukey import randomised_tukey
from qrelsmith.stats.split_halves import half_taus, random_halves


@dataclass(frozen=True, slots=True, order=True)
class RankedHalves:
    """A condition of the split-half test: label set, topic set and measure.

    Attributes
    ----------
    qrels, topic_set, measure : str
        Their names.
    topics, systems : int
        Number of topics and of systems.
    place : int
        Index of the condition in the request.
    """

    qrels: str
    topic_set: str
    measure: str
    topics: int = 0
    systems: int = 0
    place: int = 0

    @property
    def name(self) -> str:
        """The key of the condition."""
        return f"{self.qrels} {self.topic_set} {self.measure}"


@dataclass(frozen=True, slots=True)
class ConsistencyRow:
    """The consistency of one condition.

    Attributes
    ----------
    letter : str
        Letter in the table: a for the highest mean.
    condition : Condition
        The condition.
    splits : int
        Number of splits with a defined τ.
    tau, deviation : float
        Mean and sample standard deviation of τ-b over these splits; nan with too few splits.
    outperforms : str
        The letters of the conditions whose mean is significantly lower, over the splits.
    low, high : float
        The 95% interval of the mean over similar topics; nan where undefined.
    difference, difference_low, difference_high : float
        The mean minus the reference's mean on the same topics, with its interval over topics; nan
        where undefined.
    """

    letter: str
    condition: RankedHalves
    splits: int
    tau: float
    deviation: float
    outperforms: str
    low: float = math.nan
    high: float = math.nan
    difference: float = math.nan
    difference_low: float = math.nan
    difference_high: float = math.nan


@dataclass(frozen=True, eq=False, kw_only=True)
class Consistency(Result):
    """Ranking consistency of label sets and measures.

    Attributes
    ----------
    rows : tuple of ConsistencyRow
        Rows by descending mean, rows without τ last.
    test : PairwiseResult or None
        The randomised Tukey HSD test over the splits in which every row with a mean has a τ; its
        systems are these rows, in their order. None for fewer than two rows or splits.
    splits : int
        The number of splits.
    left_out : int
        Number of splits omitted from the test because a row has no τ.
    pairs : bool
        Whether the table shows the tests of row pairs.
    """

    rows: tuple[ConsistencyRow, ...]
    test: PairwiseResult | None
    splits: int
    left_out: int
    pairs: bool = False

    def table(self) -> Table:
        """Return one row per condition, or the tests of all pairs of conditions."""
        if self.pairs:
            return self._pairs_table()
        columns = (
            "letter", "qrels", "topic_set", "measure", "topics", "systems", "splits", "tau", "sd",
            "outperforms", "low", "high", "over",
        )  # fmt: skip
        rows = [
            (
                row.letter, row.condition.qrels, row.condition.topic_set, row.condition.measure,
                row.condition.topics, row.condition.systems, row.splits, row.tau, row.deviation,
                row.outperforms, row.low, row.high, "topics",
            )
            for row in self.rows
        ]  # fmt: skip
        return Table.of(columns, rows, notes=self.notes)

    def of_measure(self, measure: str) -> tuple[ConsistencyRow, ...]:
        """Return the rows of a measure, the highest mean first."""
        return tuple(row for row in self.rows if row.condition.measure == measure)

    def figure(self) -> Figure | None:
        """Return a chart of each label set's mean τ with its interval over topics."""
        measure = min((row.condition for row in self.rows), key=lambda one: one.place).measure
        rows = self.of_measure(measure)
        several = len({row.condition.topic_set for row in rows}) > 1
        return Figure(
            "consistency",
            f"τ between halves of the topics by {measure}",
            Intervals.of(
                (
                    (
                        row.condition.qrels + several * f" {row.condition.topic_set}",
                        row.tau,
                        row.low,
                        row.high,
                    )
                    for row in rows
                ),
                "mean τ-b between halves, 95% interval over topics",
            ),
            "The higher the value, the less the ranking depends on the choice of topics.",
        )

    def _pairs_table(self) -> Table:
        columns = (
            "letter_a", "letter_b", "condition_a", "condition_b", "difference", "p", "effect_size",
            "over",
        )  # fmt: skip
        test = self.test
        if test is None:
            return Table.of(columns, [], notes=self.notes)
        names = [row.condition.name for row in self.rows]
        rows = [
            (letter(a), letter(b), names[a], names[b], difference, p, size, "splits")
            for a, b, difference, p, size in zip(
                test.first.tolist(),
                test.second.tolist(),
                test.difference.tolist(),
                test.p.tolist(),
                test.effect_size.tolist(),
                strict=True,
            )
        ]
        return Table.of(columns, rows, notes=self.notes)


def split_half_taus(
    named: Sequence[tuple[RankedHalves, ScoreMatrix]],
    *,
    splits: int = 1000,
    seed: int = 0,
    advance: Callable[[], None] | None = None,
) -> FloatArray:
    """Return τ-b between the rankings over the two halves of the topics [split, condition].

    Conditions over the same topics share their splits.

    Parameters
    ----------
    named : sequence of (Condition, ScoreMatrix)
        The scores of each condition.
    splits : int
        The number B of splits.
    advance : callable, optional
        Called after each condition, to show progress.

    Raises
    ------
    UndefinedError
        If a condition has fewer than two topics.
    """
    halves: dict[tuple[str, ...], BoolArray] = {}
    taus = np.empty((splits, len(named)))
    for column, (_, matrix) in enumerate(named):
        sorted_matrix = matrix.sorted()
        topics = sorted_matrix.topics
        if topics not in halves:
            halves[topics] = random_halves(topics, splits=splits, seed=seed)
        taus[:, column] = half_taus(sorted_matrix.scores.T, halves[topics])
        if advance is not None:
            advance()
    return taus


def compare_consistencies(
    conditions: Sequence[RankedHalves],
    taus: FloatArray,
    *,
    trials: int = 1000,
    alpha: float = 0.05,
    seed: int = 0,
) -> Consistency:
    """Return the mean τ of every condition, and significant differences.

    Parameters
    ----------
    conditions : sequence of Condition
        The conditions of the columns.
    taus : float array [split, condition]
        τ of every split; nan where it is undefined.
    trials : int
        Number of trials of the randomised Tukey HSD test.
    alpha : float
        The significance level.
    seed : int
        Seed of the trials.
    """
    counts = (~np.isnan(taus)).sum(axis=0)
    means = [_mean(column) for column in taus.T]
    order = sorted(
        range(len(conditions)),
        key=lambda place: (
            math.isnan(means[place]),
            -_zero_for_nan(means[place]),
            conditions[place],
        ),
    )
    ranked = [place for place in order if counts[place]]
    tested = taus[:, ranked]
    complete = ~np.isnan(tested).any(axis=1)
    test = None
    if len(ranked) > 1 and complete.sum() > 1:
        test = randomised_tukey(
            tested[complete],
            rng=rng_for(seed, "permutations", "splits"),
            trials=trials,
            alpha=alpha,
        )
    better = letters(test) if test is not None else ()
    rows = [
        ConsistencyRow(
            letter=letter(row),
            condition=conditions[place],
            splits=int(counts[place]),
            tau=means[place],
            deviation=_deviation(taus[:, place]),
            outperforms=better[row] if row < len(better) else "",
        )
        for row, place in enumerate(order)
    ]
    return Consistency(
        rows=tuple(rows),
        test=test,
        splits=len(taus),
        left_out=int((~complete).sum()) if ranked else 0,
    )


def _mean(column: FloatArray) -> float:
    known = column[~np.isnan(column)]
    return float(known.mean()) if known.size else math.nan


def _deviation(column: FloatArray) -> float:
    known = column[~np.isnan(column)]
    return float(known.std(ddof=1)) if known.size > 1 else math.nan


def _zero_for_nan(value: float) -> float:
    return 0.0 if math.isnan(value) else value
