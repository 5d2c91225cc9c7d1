"""The contents of pools: their sizes, and each team's contribution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.teams import team_numbers
from qrelsmith.pooling.contributions import contributions
from qrelsmith.pooling.run_pools import RunPools


@dataclass(frozen=True, slots=True)
class PoolSize:
    """The size of the pool of a topic.

    Attributes
    ----------
    runs : int
        Number of runs with the topic.
    docs, one_run, found : int
        Number of all docs, of docs from a single run, and of docs from no run.
    """

    topic: str
    runs: int
    docs: int
    one_run: int
    found: int


@dataclass(frozen=True, slots=True)
class TeamContribution:
    """The contribution of a team to the pools of all topics.

    Attributes
    ----------
    docs : int
        Number of docs that a run of the team returned.
    unique : int
        Number of these docs that no other team returned and that were not found otherwise.
    unique_relevant : int or None
        Number of the unique docs with a grade above 0; None without grades.
    """

    team: str
    runs: int
    docs: int
    unique: int
    unique_relevant: int | None = None


def pool_sizes(pooled: RunPools) -> tuple[PoolSize, ...]:
    """Return the size of the pool of each topic, sorted by topic."""
    return tuple(
        PoolSize(
            topic=topic,
            runs=int(np.unique(pool.run).size),
            docs=len(pool),
            one_run=int((pool.runs_of == 1).sum()),
            found=int((pool.runs_of == 0).sum()),
        )
        for topic, pool in pooled.pools.items()
    )


def team_contributions(
    pooled: RunPools, *, teams: Mapping[str, str], qrels: Qrels | None = None
) -> tuple[TeamContribution, ...]:
    """Return the contribution of each team to the pools of all topics, sorted by team.

    Parameters
    ----------
    pooled : RunPools
        The pools.
    teams : mapping of str to str
        The team of each run; a run without a team counts as a separate team.
    qrels : Qrels, optional
        Grades of docs.
    """
    names, team_of = team_numbers(pooled.runs, teams)
    docs, unique, relevant = np.zeros((3, len(names)), dtype=np.int64)
    grades = {} if qrels is None else qrels.restricted_to(pooled.pools).to_dict()
    for topic, pool in pooled.pools.items():
        brought = contributions(pool, team_of=team_of, teams=len(names))
        docs += brought.docs
        unique += brought.unique
        graded = grades.get(topic, {})
        worth = np.fromiter((graded.get(doc, 0.0) > 0 for doc in pool.docs), np.bool_, len(pool))
        own = brought.sole[worth & (brought.sole >= 0)]
        relevant += np.bincount(own, minlength=len(names))
    runs = np.bincount(team_of, minlength=len(names))
    return tuple(
        TeamContribution(
            team=name,
            runs=int(runs[place]),
            docs=int(docs[place]),
            unique=int(unique[place]),
            unique_relevant=None if qrels is None else int(relevant[place]),
        )
        for place, name in enumerate(names)
    )
