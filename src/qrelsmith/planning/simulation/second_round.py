"""A second round of judging: some docs are judged again by their first assessors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.planning.simulation.campaign import (
    SimulatedCampaign,
    assessors_on_topic,
    group_assessors,
)
from qrelsmith.planning.simulation.design import at_least
from qrelsmith.planning.simulation.events import Events, join_events
from qrelsmith.planning.simulation.habits import NO_HABITS, session_log
from qrelsmith.planning.simulation.judging_time import judging_seconds
from qrelsmith.planning.simulation.slices import slice_grades


def second_round(
    campaign: SimulatedCampaign, docs: Mapping[int, Sequence[int]], *, group: str, care: float = 0.5
) -> Events:
    """Return the grades of a group that judges some docs again.

    perceived = r + b + care·s·ε with the assessor's own bias b and noise s. There are no
    inattentive answers, and no assessor goes back to an earlier doc.

    Parameters
    ----------
    campaign : SimulatedCampaign
        The first round, which does not change.
    docs : mapping of int to sequence of int
        For each topic (by number) the docs in the order shown; each must be in the pool.
    group : str
        The group; each topic goes to its assessor of the first round.
    care : float
        The noise of a second look relative to a first look; 0: only the bias remains.

    Returns
    -------
    Events
        The events of the second round only; revisions are 1.

    Raises
    ------
    UnknownNameError
        If there is no such group.
    UsageError
        If there are no docs, or a doc is not in the pool of its topic.
    """
    at_least("care", care, 0.0)
    names = [one.name for one in campaign.design.groups]
    if group not in names:
        raise UnknownNameError("group", group, names)
    design = campaign.design.groups[names.index(group)]
    assessors = group_assessors(design, seed=campaign.seed)
    first = sum(one.assessors.count for one in campaign.design.groups[: names.index(group)])
    number = {topic: place for place, topic in enumerate(campaign.topics)}
    sessions = []
    for work in campaign.assignments:
        topic = number[work.topic]
        if work.group != group or not docs.get(topic):
            continue
        shown = np.array(docs[topic], dtype=np.int64)
        pooled = set(campaign.pools[topic].docs)
        for doc in shown.tolist():
            if campaign.docno(topic, doc) not in pooled:
                raise UsageError(f"doc {doc} is not in the pool of topic {work.topic}")
        who = design.members().index(work.assessor)
        keys = (group, work.topic, work.assessor)
        rng = rng_for(campaign.seed, "campaign", "second", *keys)
        there = assessors_on_topic(assessors, campaign.seed, *keys)
        noise = there.noise[who] * rng.standard_normal(shown.size)
        awake = np.zeros(shown.size, dtype=bool)
        seconds = judging_seconds(awake, time=design.time, levels=campaign.design.levels, rng=rng)
        log = session_log(seconds, NO_HABITS, rng=rng)
        sessions.append(
            Events(
                topic=np.full(shown.size, topic),
                doc=shown,
                assessor=np.full(shown.size, first + who),
                position=np.arange(1, shown.size + 1),
                revision=log.revision,
                grade=slice_grades(
                    campaign.truth[topic, shown] + there.bias[who] + care * noise,
                    campaign.design.levels,
                ),
                shown=log.shown,
                judged=log.judged,
                idle=log.idle,
                inattentive=awake,
            )
        )
    if not sessions:
        raise UsageError(f"the group {group} has no docs to judge again; expected at least one")
    return join_events(sessions)
