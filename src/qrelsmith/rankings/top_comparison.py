"""Whether a label set keeps the order of a reference's best systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.places import places
from qrelsmith.stats.population import PopulationInterval
from qrelsmith.stats.ranking_intervals import ranking_interval
from qrelsmith.stats.top_agreement import top_agreement, top_size


@dataclass(frozen=True, slots=True, eq=False)
class TopComparison:
    """The reference's best systems under another label set.

    Attributes
    ----------
    agreement : PopulationInterval
        `top_agreement` with its interval over topics.
    systems, topics : int
        How many systems count as the best, and over how many topics.
    best : str
        The system that is best under the reference; of several, the first by name.
    place : int
        Its place under the label set.
    """

    agreement: PopulationInterval
    systems: int
    topics: int
    best: str
    place: int


def compare_tops(reference: ScoreMatrix, other: ScoreMatrix, *, seed: int = 0) -> TopComparison:
    """Compare two rankings of the same systems over the same topics at the reference's top."""
    first, second = reference.sorted(), other.sorted()
    found = ranking_interval(
        first.scores.T, second.scores.T, first.topics, statistic=top_agreement, seed=seed
    )
    best = int(np.argmin(places(first.means())))
    return TopComparison(
        agreement=found,
        systems=top_size(len(first.systems)),
        topics=len(first.topics),
        best=first.systems[best],
        place=int(places(second.means())[best]),
    )
