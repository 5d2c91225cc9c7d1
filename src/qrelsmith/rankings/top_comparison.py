"""A reference's best systems: ranks and order under each label set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.tables import Table
from qrelsmith.evaluation.scored_sets import ScoredSets
from qrelsmith.stats.choice_loss import choice_losses
from qrelsmith.stats.places import Places, place_intervals
from qrelsmith.stats.population import PopulationInterval
from qrelsmith.stats.ranking_intervals import ranking_interval
from qrelsmith.stats.top_agreement import best_third, either_top_agreement, top_agreement

_COLUMNS = (
    "measure", "qrels", "system", "place", "place_low", "place_high", "systems", "kept", "low",
    "high", "over",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LiftedSystem:
    """A system in a label set's best third, but not in the reference's best third.

    Attributes
    ----------
    place, reference_place : int
        Its rank under the label set, and under the reference.
    """

    system: str
    place: int
    reference_place: int


@dataclass(frozen=True, slots=True, eq=False)
class TopComparison:
    """The reference's best systems under a label set.

    Attributes
    ----------
    measure, label_set : str
        Measure that ranks the systems.
    best : tuple of str
        The reference's best third of systems, best first, ties by name.
    places : Places
        Their ranks under the label set among all systems, with intervals over topics.
    tied : int
        Number of other systems tied with the best system.
    kept : PopulationInterval
        `top_agreement` with the reference, over topics.
    lifted : tuple of LiftedSystem
        Systems in the label set's best third but not in the reference's, best first.
    kept_of_either : PopulationInterval
        `either_top_agreement` with the reference: over both best thirds.
    loss : PopulationInterval
        `choice_losses`: the loss in the reference's mean score when choosing the best system by the
        label set.
    best_mean : float
        The reference's best mean score.
    systems, topics : int
        Number of systems, and of topics shared with the reference.
    is_reference : bool
        Whether the label set is the reference itself.
    """

    measure: str
    label_set: str
    best: tuple[str, ...]
    places: Places
    tied: int
    kept: PopulationInterval
    lifted: tuple[LiftedSystem, ...]
    kept_of_either: PopulationInterval
    loss: PopulationInterval
    best_mean: float
    systems: int
    topics: int
    is_reference: bool

    def place_text(self, place: int) -> str:
        """Return the rank of a best system with its interval, as text: `3 (1–7)`."""
        at = int(self.places.place[place])
        if self.places.reason:
            return str(at)
        return f"{at} ({self.places.low[place]}–{self.places.high[place]})"


def compare_tops(scored: ScoredSets, *, topic_set: str, seed: int) -> Iterator[TopComparison]:
    """Yield the reference's best systems under each label set with topics of the reference.

    Parameters
    ----------
    scored : ScoredSets
        Measure that ranks the systems.
    topic_set : str
        The topic set.
    seed : int
        Seed of the draws of topics.
    """
    reference = scored.names[0]
    for measure in scored.measures:
        for name in scored.names:
            if not scored.topics.of(reference, name, topic_set=topic_set):
                continue
            first, other = scored.pair(reference, name, measure, topic_set=topic_set)
            if not first.topics:
                continue
            base, scores, topics = first.scores.T, other.scores.T, first.topics
            under = place_intervals(base, topics, seed=seed)
            places = place_intervals(scores, topics, seed=seed)
            among = best_third(base.mean(axis=0))
            best = sorted(np.flatnonzero(among), key=lambda at: under.place[at])
            lifted = sorted(
                np.flatnonzero(best_third(scores.mean(axis=0)) & ~among),
                key=lambda at: places.place[at],
            )
            losses = choice_losses(base, scores[None], topics, seed=seed)
            agreements = ranking_interval(base, scores, topics, statistic=_of_tops, seed=seed)
            yield TopComparison(
                measure=measure,
                label_set=name,
                best=tuple(first.systems[at] for at in best),
                places=Places(
                    places.place[best], places.low[best], places.high[best], places.confidence,
                    places.reason,
                ),
                tied=int((places.place == places.place[best[0]]).sum()) - 1 if best else 0,
                kept=agreements.part(0),
                lifted=tuple(
                    LiftedSystem(first.systems[at], int(places.place[at]), int(under.place[at]))
                    for at in lifted
                ),
                kept_of_either=agreements.part(1),
                loss=losses.interval().part(0),
                best_mean=losses.best,
                systems=len(first.systems),
                topics=len(topics),
                is_reference=name == reference,
            )  # fmt: skip


def _of_tops(reference: FloatArray, other: FloatArray) -> FloatArray:
    return np.stack([of(reference, other) for of in (top_agreement, either_top_agreement)])


def tops_table(tops: Sequence[TopComparison], notes: tuple[str, ...]) -> Table:
    """Return a row for each measure, label set and best system of the reference."""
    rows = [
        (
            top.measure, top.label_set, system, int(top.places.place[at]),
            int(top.places.low[at]), int(top.places.high[at]), top.systems,
            *(
                (None, None, None)
                if top.is_reference
                else (float(top.kept.value), float(top.kept.low), float(top.kept.high))
            ),
            "topics",
        )
        for top in tops
        for at, system in enumerate(top.best)
    ]  # fmt: skip
    return Table.of(_COLUMNS, rows, notes=notes)
