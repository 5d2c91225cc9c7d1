"""Simulated groups of assessors, whose grades are distorted gold grades.

No person gave these grades, and no system's score affects them. Each group distorts the handwritten
list of relevant docs in a different way, so that the audit finds problems.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, IntArray
from qrelsmith.base.rng import rng_for
from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.planning.simulation import (
    AssessorDesign,
    JudgingTime,
    judging_seconds,
    perceive,
    slice_grades,
)
from qrelsmith.planning.simulation.assessors import Assessors

_LEVELS = 4
_MEMBERS = 2
_START_MS = 1_704_704_400_000  # 2024-01-08T09:00:00Z
_PAUSE_MS = 300_000
_COLUMNS = (
    "topic", "doc", "assessor", "grade", "group", "position", "ordering", "shown_at", "judged_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SimulatedGroup:
    """A group's distortion of relevance; each grade is a range of relevance within [0, 1].

    Attributes
    ----------
    name : str
        The name of the group; it shows that the group is simulated.
    noise : float
        Standard deviation of the perceived relevance of a doc.
    bias : float
        Constant added to the perceived relevance of every doc.
    inattention : float
        Probability that an assessor grades a doc without reading it.
    seconds : float
        The median time for the first doc of a topic.
    """

    name: str
    noise: float
    bias: float = 0.0
    inattention: float = 0.0
    seconds: float = 25.0


GROUPS = (
    SimulatedGroup("simulated-careful", noise=0.06, seconds=40.0),
    SimulatedGroup("simulated-liberal", noise=0.10, bias=0.14),
    SimulatedGroup("simulated-careless", noise=0.22, inattention=0.35, seconds=20.0),
)


def simulated_judgments(gold: Qrels, *, seed: int = 0) -> Judgments:
    """Simulate the groups' judgments of the docs of the gold qrels, with two assessors per group.

    Docs are judged topic by topic in the order of their ids. Each doc is shown as soon as the
    previous doc is judged, with a pause between topics. The times are also simulated.
    """
    columns: dict[str, list[object]] = {name: [] for name in _COLUMNS}
    for group in GROUPS:
        members = Assessors(
            design=AssessorDesign(count=_MEMBERS),
            noise=np.full(_MEMBERS, group.noise),
            bias=np.full(_MEMBERS, group.bias),
            drift=np.zeros(_MEMBERS),
            inattention=np.full(_MEMBERS, group.inattention),
        )
        for member in range(_MEMBERS):
            name = f"{group.name}-{member + 1}"
            before, now = 0, _START_MS
            for topic, docs in gold.to_dict().items():
                truth = (np.array(list(docs.values())) + 0.5) / _LEVELS
                rng = rng_for(seed, "demo", name, topic)
                seen, inattentive = perceive(
                    truth, before=before, assessors=members, who=member, rng=rng
                )
                judged = now + _milliseconds(inattentive, group, seed, name, topic)
                before += len(docs)
                columns["topic"] += [topic] * len(docs)
                columns["doc"] += docs
                columns["assessor"] += [name] * len(docs)
                columns["grade"] += slice_grades(seen, _LEVELS).tolist()
                columns["group"] += [group.name] * len(docs)
                columns["position"] += range(1, len(docs) + 1)
                columns["ordering"] += ["docno"] * len(docs)
                columns["shown_at"] += [now, *judged[:-1].tolist()]
                columns["judged_at"] += judged.tolist()
                now = int(judged[-1]) + _PAUSE_MS
    return Judgments.from_columns(columns)


def _milliseconds(
    inattentive: BoolArray, group: SimulatedGroup, seed: int, name: str, topic: str
) -> IntArray:
    """Draw the times from the display of a topic's first doc to each judgment [position]."""
    seconds = judging_seconds(
        inattentive,
        time=JudgingTime(seconds=group.seconds),
        levels=_LEVELS,
        rng=rng_for(seed, "demo", name, topic, "time"),
    )
    return np.cumsum(np.ceil(seconds * 1000)).astype(np.int64)
