"""Scores of systems by topic, with the options used for scoring."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UnknownNameError, UsageError, quoted
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.evaluation.measures import MEASURES, is_of_answers

if TYPE_CHECKING:
    from qrelsmith.base.content import Figure

from qrelsmith.evaluation.score_matrix import ALL_TOPICS, ScoreMatrix, best_first

_NOT_WIDE = ("per_topic", "intervals")


@dataclass(frozen=True, eq=False)
class Evaluation(Result):
    """Scores of runs by several measures, with the options used for scoring.

    Attributes
    ----------
    measures : tuple of str
        Labels.
    systems, topics : tuple of str
        Names of systems and topics.
    scores : float array [measure, system, topic]
        nan where the topic is ignored for the system (`missing_topics="drop"`).
    cutoffs : tuple of int
        The cutoffs of the measures.
    ties : int array [cutoff, system]
        Number of topics with a score tie across the cutoff, where the run order decides.
    label_set : str
        The label set used for scoring.
    per_topic, intervals : bool
        Whether the table includes rows per topic, and 95% t intervals of means.
    wide : Table or None
        The table of systems × measures, if requested.
    notes : tuple of str
        Notes for readers of the scores: missing topics, topics without relevant docs, ….
    """

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    scores: FloatArray
    cutoffs: tuple[int, ...]
    ties: IntArray
    label_set: str = ""
    per_topic: bool = False
    intervals: bool = False
    wide: Table | None = None

    def table(self, *, per_topic: bool | None = None) -> Table:
        """Return the means (run, topic, measure, score) or the table of systems × measures.

        Parameters
        ----------
        per_topic : bool, optional
            Whether to add a row per topic to the means, whose topic is `all`. Topics ignored for a
            system have no row. By default as requested.
        """
        if self.wide is not None and per_topic is None:
            return self.wide
        rows: list[tuple[Cell, ...]] = []
        if per_topic is None:
            per_topic = self.per_topic
        for measure in self.measures:
            matrix = self.matrix(measure)
            means = zip(matrix.systems, matrix.means().tolist(), strict=True)
            rows += [(system, ALL_TOPICS, measure, mean) for system, mean in means]
            if per_topic:
                rows += [
                    (system, topic, measure, score)
                    for system, scores in zip(matrix.systems, matrix.scores.tolist(), strict=True)
                    for topic, score in zip(matrix.topics, scores, strict=True)
                    if not math.isnan(score) or is_of_answers(MEASURES.get(measure))
                ]
        columns = ("run", "topic", "measure", "score")
        table = Table.of(columns, rows, notes=self.notes).sorted()
        return self._with_intervals(table) if self.intervals else table

    def terminal_table(self) -> Table | None:
        """Return the means by run, if only means were requested."""
        return None if self.per_topic or self.intervals or self.wide else self.by_run()

    def to_wide(self, *, against: str | None = None) -> Evaluation:
        """Return the evaluation with a table of systems × measures for a paper.

        Parameters
        ----------
        against : str, optional
            The baseline run for tests; by default the best run by each measure.

        Raises
        ------
        UnknownNameError
            If there is no such run.
        """
        from qrelsmith.evaluation.wide_tables import marked_means, wide_notes

        if against is not None and against not in self.systems:
            raise UnknownNameError("run", against, self.systems)
        place = None if against is None else self.systems.index(against)
        columns, is_tested = [], False
        for measure in self.measures:
            matrix = self.matrix(measure)
            marked = marked_means(matrix.scores, matrix.means(), place)
            columns.append(marked.means)
            is_tested |= marked.is_tested
        notes = (*self.notes, *wide_notes(against or "the best", is_tested=is_tested))
        table = best_first(self.systems, self.measures, columns, notes=notes)
        asked = self.asked
        if asked is not None:
            options = {"wide": True} if against is None else {"wide": True, "against": against}
            means = {key: of for key, of in asked.options.items() if key not in _NOT_WIDE}
            asked = replace(asked, options=means | options)
        return replace(self, wide=table, notes=notes, asked=asked)

    def by_run(self) -> Table:
        """Return the means with one row per run, sorted by the first measure."""
        means = [self.matrix(measure).means() for measure in self.measures]
        return best_first(self.systems, self.measures, means, notes=self.notes)

    def figure(self) -> Figure | None:
        """Return a chart of the first measure's means with intervals, best first."""
        from qrelsmith.base.content import Figure, Intervals

        measure = self.measures[0]
        means = self.matrix(measure).means().tolist()
        rows = zip(self.systems, means, *self.bounds(measure), strict=True)
        return Figure(
            "means",
            f"Mean {measure} of the runs",
            Intervals.of(
                sorted(rows, key=lambda row: (-row[1], row[0])), f"{measure}, 95% interval"
            ),
            f"Means over {len(self.topics)} topics; t intervals.",
        )

    def to_pandas(self) -> Any:
        """Return the table of every topic as a pandas data frame.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        return self.table(per_topic=True).to_pandas()

    def to_polars(self) -> Any:
        """Return the table of every topic as a polars data frame; see `to_pandas`."""
        return self.table(per_topic=True).to_polars()

    def __repr__(self) -> str:
        return (
            f"<Evaluation: {len(self.systems)} systems, {len(self.topics)} topics, "
            f"{', '.join(self.measures)}>"
        )

    def _repr_html_(self) -> str:
        return self.by_run()._repr_html_(title=f"Means over {len(self.topics)} topics")

    def tie_notes(self) -> tuple[str, ...]:
        """Return notes on score ties across a cutoff, one sentence each."""
        return tuple(
            f"run {quoted(system)}: the docs on both sides of rank {cutoff} are tied in {count} "
            "topics"
            for cutoff, counts in zip(self.cutoffs, self.ties.tolist(), strict=True)
            for system, count in zip(self.systems, counts, strict=True)
            if count
        )

    def matrix(self, measure: object) -> ScoreMatrix:
        """Return the scores of one measure, by its label or an equivalent name.

        Raises
        ------
        UsageError
            If the measure was not evaluated.
        """
        label = MEASURES.label(str(measure))
        if label not in self.measures:
            raise UsageError(f"{label} was not evaluated (evaluated: {', '.join(self.measures)})")
        return ScoreMatrix(
            measure=label,
            systems=self.systems,
            topics=self.topics,
            scores=self.scores[self.measures.index(label)],
        )

    def bounds(self, measure: object) -> tuple[list[float], list[float]]:
        """Return the limits of the 95% t intervals of the systems' means by a measure [system]."""
        from qrelsmith.stats.intervals import t_interval

        scores = self.matrix(measure).scores
        ends = [t_interval(of[~np.isnan(of)]) for of in scores]
        return [float(low) for low, _ in ends], [float(high) for _, high in ends]

    def _with_intervals(self, table: Table) -> Table:
        """Return the table with columns low and high, which are empty except in rows of means."""
        ends: dict[tuple[Cell, Cell], tuple[Cell, ...]] = {
            (system, measure): tuple(bounds)
            for measure in self.measures
            for system, *bounds in zip(self.systems, *self.bounds(measure), strict=True)
        }
        empty: tuple[Cell, ...] = (None, None)
        rows = [
            (*row, *(ends[row[0], row[2]] if row[1] == ALL_TOPICS else empty)) for row in table.rows
        ]
        return Table.of((*table.columns, "low", "high"), rows, notes=table.notes)
