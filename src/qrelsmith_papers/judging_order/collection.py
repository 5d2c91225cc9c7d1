"""A collection that Gold and two groups of Bronze assessors judged, as the tables need it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from qrelsmith.agreement.disagreement.gold_bronze import GoldBronze, gold_and_bronze
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation import Evaluation, ScoreMatrix, score_runs
from qrelsmith.evaluation.common_topics import without_relevant
from qrelsmith.judgments.group_labels import label_set_of, topics_by_ordering
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.studies.claims import ClaimKind, Held
from qrelsmith_papers.judging_order.groups import (
    CAREFUL,
    GOLD,
    GROUPS,
    HASTY,
    MEASURES,
    ORDERINGS,
    PRI,
)

E = TypeVar("E")


@dataclass(frozen=True, eq=False)
class JudgedCollection:
    """A judged collection that the tables are made from.

    Attributes
    ----------
    key : str
        Part of the names of its tables' files.
    name : str
        What it is called in sentences.
    kind : ClaimKind
        The kind of its numbers.
    judgments : Judgments
        Of the groups `GROUPS`, or of some of them.
    scale : Scale
        The levels of the grades.
    relevant : float
        The grade from which on a doc is relevant; the top is highly relevant.
    runs : sequence of Run
        The systems, as deep as the pools.
    teams : mapping of str to str
        The team of each run.
    depth : int
        The depth of the pools.
    seed : int
        Seed of splits and trials.
    """

    key: str
    name: str
    kind: ClaimKind
    judgments: Judgments
    scale: Scale
    relevant: float
    runs: Sequence[Run]
    teams: Mapping[str, str]
    depth: int
    seed: int

    @property
    def short(self) -> str:
        """The name in the heads of tables."""
        return (
            self.kind.value
            if self.kind in (ClaimKind.SIMULATED, ClaimKind.RECOMPUTED)
            else self.name
        )

    def hold(self, evidence: E, of: str = "") -> Held[E]:
        """Return evidence from this collection."""
        return Held(self.name, self.kind, evidence, of)

    @cached_property
    def label_sets(self) -> Mapping[str, Qrels]:
        """The label set of each group."""
        found = self.judgments.by_group()
        return {name: label_set_of(found[name], name) for name in GROUPS if name in found}

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics with relevant docs under every label set: those that rankings are over."""
        every = self.label_sets[GOLD].topics
        empty = without_relevant(self.label_sets, every)
        dropped = {topic for topics in empty.values() for topic in topics}
        return tuple(topic for topic in every if topic not in dropped)

    @cached_property
    def topic_sets(self) -> Mapping[str, tuple[str, ...]]:
        """Of these topics, those that Gold was shown in each ordering, under the paper's names."""
        found = topics_by_ordering(self.judgments, GOLD)
        return {
            ORDERINGS.get(ordering, ordering): tuple(t for t in topics if t in set(self.topics))
            for ordering, topics in found.items()
        }

    @cached_property
    def first_topics(self) -> tuple[str, tuple[str, ...]]:
        """The topics on which Gold and Bronze are compared: PRI, or all where no ordering is said.

        Bronze was always shown the docs prioritised.
        """
        return (PRI, self.topic_sets[PRI]) if PRI in self.topic_sets else ("all", self.topics)

    @cached_property
    def gold_and_bronze(self) -> GoldBronze:
        """The docs that all three groups judged."""
        return gold_and_bronze(self.judgments, GOLD, (HASTY, CAREFUL))

    @cached_property
    def _evaluations(self) -> Mapping[str, Evaluation]:
        names = list(MEASURES.values())
        return {
            name: score_runs(qrels, self.runs, names, gmax=self.scale.top, jobs=1)
            for name, qrels in self.label_sets.items()
        }

    def scores(self, group: str, measure: str, topics: Sequence[str]) -> ScoreMatrix:
        """Return the scores of the runs under a label set, by one of `MEASURES`, on some topics."""
        return self._evaluations[group].matrix(MEASURES[measure]).restricted_to(set(topics))
