"""The design of a simulated campaign."""

from __future__ import annotations

from dataclasses import dataclass, field

from qrelsmith.assigning.assignment import GroupPlan
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.planning.simulation.assessors import AssessorDesign
from qrelsmith.planning.simulation.design import at_least, check_count, check_range
from qrelsmith.planning.simulation.habits import Habits
from qrelsmith.planning.simulation.judging_time import JudgingTime
from qrelsmith.planning.simulation.systems import Systems


@dataclass(frozen=True, slots=True)
class GroupDesign:
    """A group of assessors.

    Attributes
    ----------
    name : str
        The group's name, from which the names of its members are formed.
    assessors : AssessorDesign
        The number of assessors, and how they perceive relevance.
    time : JudgingTime
        The time that judgments take.
    habits : Habits
        The habits of the assessors.
    creators : bool
        Whether the assessors created the topics, so that each assessor judges his or her own
        topics.
    ordering : str
        The order in which docs are shown to the assessors: an ordering, or `balanced`.
    per_doc : int
        The number of assessors per doc, who are the same for all docs of a topic.
    wage : float
        The wage per hour.
    fee : float
        The additional cost per judged doc, including corrections.
    """

    name: str = "assessors"
    assessors: AssessorDesign = field(default_factory=AssessorDesign)
    time: JudgingTime = field(default_factory=JudgingTime)
    habits: Habits = field(default_factory=Habits)
    creators: bool = False
    ordering: str = "randomised"
    per_doc: int = 2
    wage: float = 12.0
    fee: float = 0.0

    def __post_init__(self) -> None:
        check_count("per_doc", self.per_doc)
        at_least("wage", self.wage, 0.0)
        at_least("fee", self.fee, 0.0)
        if self.creators and self.per_doc != 1:
            raise UsageError(f"per_doc={self.per_doc}; expected 1, because a topic has one creator")
        if self.per_doc > self.assessors.count:
            raise UsageError(
                f"per_doc={self.per_doc}; expected at most {self.assessors.count} (assessors)"
            )
        self.plan()

    def members(self) -> tuple[str, ...]:
        """Return the names of the assessors."""
        width = len(str(self.assessors.count))
        return tuple(
            f"{self.name}-{number + 1:0{width}d}" for number in range(self.assessors.count)
        )

    def plan(self) -> GroupPlan:
        """Return the plan that assigns topics to the assessors."""
        return GroupPlan(self.name, self.members(), self.ordering, self.per_doc)


@dataclass(frozen=True, slots=True)
class CampaignDesign:
    """The design of a campaign.

    Attributes
    ----------
    topics : int
        The number of topics.
    docs : int
        The number of docs per topic that systems can find.
    alpha, beta : (float, float)
        The ranges of a topic's α_q and β_q; a doc's relevance is Beta(α_q, β_q). With the defaults
        most docs are not relevant, and about 1 in 40 has a relevance of ½ or more.
    run_depth : int
        The number of docs that a run returns.
    depth : int
        The depth of the pools.
    found : int
        The maximum number of relevant docs that a creator finds while writing a topic.
    levels : int
        G, the number of grades, which are equal slices of relevance.
    groups : tuple of GroupDesign
        The groups of assessors. Two groups of creators share the topics.
    """

    topics: int = 50
    docs: int = 500
    alpha: tuple[float, float] = (0.1, 0.5)
    beta: tuple[float, float] = (2.0, 5.0)
    systems: Systems = field(default_factory=Systems)
    run_depth: int = 100
    depth: int = 20
    found: int = 0
    levels: int = 4
    groups: tuple[GroupDesign, ...] = (GroupDesign(),)

    def __post_init__(self) -> None:
        for name in ("topics", "docs", "run_depth", "depth", "levels"):
            check_count(name, getattr(self, name))
        check_count("found", self.found, least=0)
        check_range("alpha", self.alpha, above=0.0)
        check_range("beta", self.beta, above=0.0)
        if self.depth > self.run_depth:
            raise UsageError(f"depth={self.depth}; expected at most {self.run_depth} (run_depth)")
        names = [group.name for group in self.groups]
        if not names or len(set(names)) < len(names):
            raise UsageError(
                f"the groups are {quoted(names)}; expected one or more, each with its own name"
            )
