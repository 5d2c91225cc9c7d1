"""A collection judged by Gold and two groups of Bronze assessors, as input of the tables."""

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
    """A judged collection from which the tables are computed.

    Attributes
    ----------
    key : str
        Part of the names of its tables' files.
    name : str
        Its name in sentences.
    kind : ClaimKind
        The kind of its numbers.
    judgments : Judgments
        The judgments of all or some of `GROUPS`.
    scale : Scale
        The levels of the grades.
    relevant : float
        The lowest relevant grade; the top grade is highly relevant.
    runs : sequence of Run
        The systems, cut at the pool depth.
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
        """The short name for table headers."""
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
        """The topics with relevant docs under every label set, which are used for rankings."""
        every = self.label_sets[GOLD].topics
        empty = without_relevant(self.label_sets, every)
        dropped = {topic for topics in empty.values() for topic in topics}
        return tuple(topic for topic in every if topic not in dropped)

    @cached_property
    def topic_sets(self) -> Mapping[str, tuple[str, ...]]:
        """The topics used for rankings, by Gold's ordering (with the paper's names)."""
        found = topics_by_ordering(self.judgments, GOLD)
        return {
            ORDERINGS.get(ordering, ordering): tuple(t for t in topics if t in set(self.topics))
            for ordering, topics in found.items()
        }

    @cached_property
    def first_topics(self) -> tuple[str, tuple[str, ...]]:
        """The topics for comparing Gold and Bronze: PRI topics, or all topics if there are none.

        Bronze always saw the docs in prioritised order.
        """
        return (PRI, self.topic_sets[PRI]) if PRI in self.topic_sets else ("all", self.topics)

    @cached_property
    def gold_and_bronze(self) -> GoldBronze:
        """The docs judged by all three groups."""
        return gold_and_bronze(self.judgments, GOLD, (HASTY, CAREFUL))

    @cached_property
    def _evaluations(self) -> Mapping[str, Evaluation]:
        names = list(MEASURES.values())
        return {
            name: score_runs(qrels, self.runs, names, gmax=self.scale.top, jobs=1)
            for name, qrels in self.label_sets.items()
        }

    def scores(self, group: str, measure: str, topics: Sequence[str]) -> ScoreMatrix:
        """Return the scores of the runs under a label set, by a measure, on the given topics."""
        return self._evaluations[group].matrix(MEASURES[measure]).restricted_to(set(topics))
