"""How consistently label sets and measures rank the systems: τ between random halves of topics.

ordering-gold-bronze 7 (Tables 11 and 12), after Sakai 2021.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.arrays import BoolArray, FloatArray
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.rng import rng_for
from qrelsmith.stats.letters import letter, letters
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.randomised_tukey import randomised_tukey
from qrelsmith.stats.split_halves import half_taus, random_halves
from qrelsmith.tables import Table


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """What ranks the systems.

    Attributes
    ----------
    qrels, topic_set, measure : str
        Their names.
    topics, systems : int
        How many topics are halved, and how many systems ranked.
    """

    qrels: str
    topic_set: str
    measure: str
    topics: int = 0
    systems: int = 0


@dataclass(frozen=True, slots=True)
class ConsistencyRow:
    """The consistency of one condition.

    Attributes
    ----------
    letter : str
        Its letter in the table: a for the highest mean.
    condition : Condition
        What it is about.
    splits : int
        The splits in which τ is defined.
    tau, deviation : float
        Mean and sample standard deviation of τ-b over these splits; nan where there are too few.
    outperforms : str
        The letters of the conditions whose mean is significantly lower.
    """

    letter: str
    condition: Condition
    splits: int
    tau: float
    deviation: float
    outperforms: str


@dataclass(frozen=True, slots=True, eq=False)
class Consistency:
    """A table of consistencies.

    Attributes
    ----------
    rows : tuple of ConsistencyRow
        The highest mean first; those without a τ last.
    test : PairwiseResult or None
        The randomised Tukey HSD test over the splits in which every row with a mean has a τ; its
        systems are these rows, in their order. None for fewer than two rows or splits.
    left_out : int
        Splits that the test leaves out, because some row has no τ there.
    """

    rows: tuple[ConsistencyRow, ...]
    test: PairwiseResult | None
    left_out: int


def split_half_taus(
    named: Sequence[tuple[Condition, ScoreMatrix]],
    *,
    splits: int = 1000,
    seed: int = 0,
    advance: Callable[[], None] | None = None,
) -> FloatArray:
    """τ-b between the rankings over the two halves of the topics [split, condition].

    Conditions over the same topics share their splits.

    Parameters
    ----------
    named : sequence of (Condition, ScoreMatrix)
        The scores of each condition.
    splits : int
        The number B of splits.
    seed : int
        Seed of the splits.
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


def consistency(
    conditions: Sequence[Condition],
    taus: FloatArray,
    *,
    trials: int = 1000,
    alpha: float = 0.05,
    seed: int = 0,
) -> Consistency:
    """Mean τ of every condition, and who significantly outperforms whom.

    Parameters
    ----------
    conditions : sequence of Condition
        What the columns are.
    taus : float array [split, condition]
        τ of every split; nan where it is undefined.
    trials : int
        Trials of the randomised Tukey HSD test.
    alpha : float
        The level from which on p is not significant.
    seed : int
        Seed of the trials.
    """
    counts = (~np.isnan(taus)).sum(axis=0)
    means = [_mean(column) for column in taus.T]
    order = sorted(
        range(len(conditions)),
        key=lambda place: (math.isnan(means[place]), -_known(means[place]), conditions[place]),
    )
    ranked = [place for place in order if counts[place]]
    tested = taus[:, ranked]
    complete = ~np.isnan(tested).any(axis=1)
    test = None
    if len(ranked) > 1 and complete.sum() > 1:
        test = randomised_tukey(
            tested[complete],
            rng=rng_for(seed, "consistency", "tukey"),
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
    return Consistency(tuple(rows), test, int((~complete).sum()) if ranked else 0)


def consistency_table(found: Consistency) -> Table:
    """The rows as a table (Tables 11 and 12)."""
    columns = (
        "letter", "qrels", "topic_set", "measure", "topics", "systems", "splits", "tau", "sd",
        "outperforms",
    )  # fmt: skip
    return Table.of(
        columns,
        [
            (
                row.letter, row.condition.qrels, row.condition.topic_set, row.condition.measure,
                row.condition.topics, row.condition.systems, row.splits, row.tau, row.deviation,
                row.outperforms,
            )
            for row in found.rows
        ],
    )  # fmt: skip


def _mean(column: FloatArray) -> float:
    known = column[~np.isnan(column)]
    return float(known.mean()) if known.size else math.nan


def _deviation(column: FloatArray) -> float:
    known = column[~np.isnan(column)]
    return float(known.std(ddof=1)) if known.size > 1 else math.nan


def _known(value: float) -> float:
    return 0.0 if math.isnan(value) else value
