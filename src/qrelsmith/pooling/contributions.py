"""Contributions of teams to a pool, and the docs that only one team contributed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.collection.pools.pools import Pool


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """Contributions of teams to the pool of one topic.

    Attributes
    ----------
    docs : int array [team]
        Number of the pool's docs that a run of the team returned.
    sole : int array [doc]
        The only team that contributed a doc; −1 for several teams or docs found otherwise.
    """

    docs: IntArray
    sole: IntArray

    @property
    def unique(self) -> IntArray:
        """Number of docs that only this team contributed [team]."""
        return np.bincount(self.sole[self.sole >= 0], minlength=self.docs.size)


def contributions(pool: Pool, *, team_of: ArrayLike, teams: int) -> Contributions:
    """Compute the contribution of each team to a pool.

    Parameters
    ----------
    pool : Pool
        The pool of a topic.
    team_of : array_like of int, [run]
        The index of each run's team, from 0.
    teams : int
        Number of teams; teams without a doc contribute 0.

    Raises
    ------
    ShapeError
        If a run of the pool has no team, or a team's index is not below `teams`.
    """
    owner = np.asarray(team_of, dtype=np.int64)
    if owner.ndim != 1 or owner.size <= pool.run.max(initial=-1):
        raise ShapeError(f"team_of has shape {owner.shape}; expected a team for every run")
    if owner.size and not (owner.min() >= 0 and owner.max() < teams):
        raise ShapeError(f"team_of: expected numbers from 0 to {teams - 1}")
    # A doc from two runs of one team counts once.
    doc, team = np.divmod(np.unique(pool.doc * teams + owner[pool.run]), max(teams, 1))
    alone = (np.bincount(doc, minlength=len(pool)) == 1)[doc] & ~pool.found[doc]
    sole = np.full(len(pool), -1, dtype=np.int64)
    sole[doc[alone]] = team[alone]
    return Contributions(docs=np.bincount(team, minlength=teams), sole=sole)
