"""The scores of one measure by system and topic."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.tables import Table
from qrelsmith.io.content_digest import content_digest
from qrelsmith.stats.ties import tied_ranks

ALL_TOPICS = "all"
"""Topic value in the rows of means."""


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """The scores of one measure.

    Attributes
    ----------
    measure : str
        Label of the measure.
    systems, topics : tuple of str
        Names of the rows and columns.
    scores : float array [system, topic]
        nan where the topic is ignored for the system (`missing_topics="drop"`).
    """

    measure: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    scores: FloatArray

    def restricted_to(self, topics: Collection[str]) -> ScoreMatrix:
        """Return the scores of the given topics only."""
        kept = np.array([topic in topics for topic in self.topics], dtype=bool)
        return ScoreMatrix(
            measure=self.measure,
            systems=self.systems,
            topics=tuple(topic for topic in self.topics if topic in topics),
            scores=self.scores[:, kept],
        )

    def sorted(self) -> ScoreMatrix:
        """Return the scores with systems and topics sorted by name."""
        rows = sorted(range(len(self.systems)), key=self.systems.__getitem__)
        columns = sorted(range(len(self.topics)), key=self.topics.__getitem__)
        return ScoreMatrix(
            measure=self.measure,
            systems=tuple(self.systems[row] for row in rows),
            topics=tuple(self.topics[column] for column in columns),
            scores=self.scores[np.ix_(rows, columns)],
        )

    def means(self) -> FloatArray:
        """Return each system's mean over the topics with a score [system]; nan without scores."""
        counted = ~np.isnan(self.scores)
        total = np.where(counted, self.scores, 0.0).sum(axis=1)
        count = counted.sum(axis=1)
        means: FloatArray = np.full(total.shape, np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return means

    def digest(self) -> str:
        """Return the SHA-256 of the measure, the systems, the topics and the scores."""
        one = self.sorted()
        names = {"measure": [one.measure], "systems": one.systems, "topics": one.topics}
        return content_digest({**names, "scores": one.scores})

    def table(self) -> Table:
        """Return a table with topics in the first column and one column per system."""
        rows = zip(self.topics, *self.scores.tolist(), strict=True)
        return Table.of(("topic", *self.systems), rows)

    def to_pandas(self) -> Any:
        """Return the table as a pandas data frame.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        return self.table().to_pandas()

    def to_polars(self) -> Any:
        """Return the table as a polars data frame; see `to_pandas`."""
        return self.table().to_polars()

    def __repr__(self) -> str:
        return (
            f"<ScoreMatrix of {self.measure}: {len(self.systems)} systems, "
            f"{len(self.topics)} topics>"
        )

    def _repr_html_(self) -> str:
        title = f"{self.measure} over {len(self.topics)} topics"
        return best_first(self.systems, [self.measure], [self.means()])._repr_html_(title=title)


def best_first(
    systems: Sequence[str],
    measures: Sequence[str],
    means: Sequence[Sequence[float] | FloatArray],
    *,
    notes: Sequence[str] = (),
) -> Table:
    """Return the systems' means, sorted by the first measure (best first), then by name."""
    first = np.asarray(means[0], dtype=np.float64)
    known = ~np.isnan(first)
    ranks = np.full(len(systems), -1)
    ranks[known] = tied_ranks(first[known], name="means")
    order = sorted(range(len(systems)), key=lambda row: (-ranks[row], systems[row]))
    columns = [each.tolist() if isinstance(each, np.ndarray) else each for each in means]
    rows = [(systems[row], *(column[row] for column in columns)) for row in order]
    return Table.of(("run", *measures), rows, notes=notes)
