"""The group of a simulated campaign whose labels are damaged, and the registry of damages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.registry import REQUIRED, Registry
from qrelsmith.collection.pools import order_docs
from qrelsmith.planning.simulation import SimulatedCampaign
from qrelsmith.planning.simulation.events import Events


@dataclass(frozen=True, eq=False, slots=True)
class GroupEvents:
    """The events of a campaign, and the group whose labels are to be damaged.

    Attributes
    ----------
    campaign : SimulatedCampaign
        The campaign with all events.
    assessors : range
        The numbers of the group's assessors.
    """

    campaign: SimulatedCampaign
    assessors: range

    @property
    def top(self) -> float:
        """The highest grade."""
        return self.campaign.design.levels - 1.0

    def rows(self, assessors: Sequence[int] | None = None) -> BoolArray:
        """Return, for each event, whether it is by a given assessor (default: by the group)."""
        return np.isin(self.campaign.events.assessor, assessors or self.assessors)

    def names(self, assessors: Sequence[int]) -> tuple[str, ...]:
        """Return the names of some assessors, sorted."""
        return tuple(sorted(self.campaign.assessors[who] for who in assessors))

    def topics(self) -> IntArray:
        """Return the topics that the group judged."""
        return np.unique(self.campaign.events.topic[self.rows()])

    def grades(self, who: int) -> FloatArray:
        """Return the current grades of an assessor [topic, doc]; nan if there is none."""
        return self._laid_out(who, self.campaign.events.grade)

    def judging_places(self, who: int) -> IntArray:
        """Return each doc's position in an assessor's order [topic, doc]; −1 for an unseen doc."""
        places = self._laid_out(who, self.campaign.events.position) - 1
        return np.nan_to_num(places, nan=-1).astype(np.int64)

    def pool_places(self) -> IntArray:
        """Return each doc's position in the pool file [topic, doc]; −1 for an unpooled doc."""
        places = np.full(self.campaign.truth.shape, -1, dtype=np.int64)
        for number, (topic, pool) in enumerate(
            zip(self.campaign.topics, self.campaign.pools, strict=True)
        ):
            listed = order_docs(pool, "prioritised", topic=topic, seed=self.campaign.seed)
            places[number, [int(doc.rpartition("-d")[2]) for doc in listed]] = range(len(listed))
        return places

    def random_assessor(self, rng: np.random.Generator) -> int:
        """Draw one of the assessors with the most topics; all damages use the same assessor."""
        topics = [len(set(self.campaign.events.topic[self.rows([who])])) for who in self.assessors]
        return self.assessors[int(np.argmax(np.array(topics) + rng.random(len(topics)) / 2))]

    def with_grades(
        self, change: Callable[[FloatArray, int], FloatArray], assessors: Sequence[int] = ()
    ) -> Events:
        """Change the grades of some assessors, by default of the whole group; return all events."""
        events = self.campaign.events
        grades = events.grade.copy()
        for who in assessors or self.assessors:
            before = self.grades(who)
            after = change(before, who)
            changed = ~np.isnan(before) & (before != after)
            rows = self.rows([who]) & changed[events.topic, events.doc]
            grades[rows] = after[events.topic[rows], events.doc[rows]]
        return replace(events, grade=grades)

    def _laid_out(self, who: int, values: FloatArray | IntArray) -> FloatArray:
        events = self.campaign.events
        table = np.full(self.campaign.truth.shape, np.nan)
        rows = np.flatnonzero(self.rows([who]))
        rows = rows[np.argsort(events.revision[rows], kind="stable")]
        table[events.topic[rows], events.doc[rows]] = values[rows]
        return table


Planted = tuple[Events, tuple[str, ...]]
Plant = Callable[[GroupEvents, float, "np.random.Generator"], Planted]

PLANTS: Registry[Plant] = Registry(
    "damage",
    arguments=("work", "size", "rng"),
    facts={
        # The default size, the largest size, and its unit.
        "size": REQUIRED,
        "most": np.inf,
        "unit": REQUIRED,
        # Whether the size is a whole number, and whether the damage shows only in random orders.
        "whole": False,
        "random": False,
    },
)
