"""Scores of systems on topics, and what was decided on the way to them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from qrelsmith.arrays import FloatArray, IntArray
from qrelsmith.errors import UsageError, quoted
from qrelsmith.measures import MEASURES


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """The scores of one measure.

    Attributes
    ----------
    measure : str
        Its label.
    systems, topics : tuple of str
        Names of the rows and columns.
    scores : float array [system, topic]
        nan where the topic does not count for the system (rule `intersection`).
    """

    measure: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    scores: FloatArray

    def restricted_to(self, topics: Collection[str]) -> ScoreMatrix:
        """The scores of some topics only."""
        kept = np.array([topic in topics for topic in self.topics], dtype=bool)
        return ScoreMatrix(
            measure=self.measure,
            systems=self.systems,
            topics=tuple(topic for topic in self.topics if topic in topics),
            scores=self.scores[:, kept],
        )

    def sorted(self) -> ScoreMatrix:
        """The same scores, with systems and topics in the order of their names."""
        rows = sorted(range(len(self.systems)), key=self.systems.__getitem__)
        columns = sorted(range(len(self.topics)), key=self.topics.__getitem__)
        return ScoreMatrix(
            measure=self.measure,
            systems=tuple(self.systems[row] for row in rows),
            topics=tuple(self.topics[column] for column in columns),
            scores=self.scores[np.ix_(rows, columns)],
        )

    def means(self) -> FloatArray:
        """The mean over the topics that count [system]; nan where none does."""
        counted = ~np.isnan(self.scores)
        total = np.where(counted, self.scores, 0.0).sum(axis=1)
        count = counted.sum(axis=1)
        means: FloatArray = np.full(total.shape, np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return means


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of several measures, and what was decided on the way to them.

    Attributes
    ----------
    measures : tuple of str
        Labels.
    systems, topics : tuple of str
        Names of systems and topics.
    scores : float array [measure, system, topic]
        nan where the topic does not count for the system (rule `intersection`).
    cutoffs : tuple of int
        The cutoffs of the measures.
    ties : int array [cutoff, system]
        In how many topics a score tie reaches over the cutoff, so that the run order decides.
    notes : tuple of str
        What a reader of the scores must know: missing topics, topics without relevant docs, ….
    """

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    scores: FloatArray
    cutoffs: tuple[int, ...]
    ties: IntArray
    notes: tuple[str, ...]

    def tie_notes(self) -> tuple[str, ...]:
        """Where a score tie reaches over a cutoff, a sentence each."""
        return tuple(
            f"run {quoted(system)}: a score tie reaches over rank {cutoff} in {count} topics"
            for cutoff, counts in zip(self.cutoffs, self.ties.tolist(), strict=True)
            for system, count in zip(self.systems, counts, strict=True)
            if count
        )

    def matrix(self, measure: str) -> ScoreMatrix:
        """The scores of one measure, by its label or any name that means it.

        Raises
        ------
        UsageError
            If it was not evaluated.
        """
        label = MEASURES.label(measure)
        if label not in self.measures:
            raise UsageError(f"{label} was not evaluated (evaluated: {', '.join(self.measures)})")
        return ScoreMatrix(
            measure=label,
            systems=self.systems,
            topics=self.topics,
            scores=self.scores[self.measures.index(label)],
        )
