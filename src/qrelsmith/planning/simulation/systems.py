"""Systems that rank by true relevance plus noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.planning.simulation.design import at_least, check_count, check_range

# The ratio of docs to ranks from which a partial sort is faster.
_FEW = 4


@dataclass(frozen=True, slots=True)
class Systems:
    """Systems that differ in the noise with which they see relevance.

    Attributes
    ----------
    count : int
        The number of systems.
    noise : (float, float)
        Standard deviation of the noise of the best and of the worst system, on the scale of
        relevance (0 to 1); `spacing` places the others between them. System 0 is the best.
    shared : float
        The correlation of two systems' noise on one doc, from 0 to 1. If it is high, systems miss
        the same docs, which are then not pooled.
    teams : int
        The number of teams, assigned in turn: system 0 to team 0, system 1 to team 1, ….
    team_shared : float
        The extra correlation of the noise within a team; the sum with `shared` is at most 1.
    spacing : float
        The spacing between the best and the worst of n systems: system i has the noise best +
        (worst − best)·(i/(n − 1))^spacing. 1: even; above 1: more systems are good.
    topic_spread : float
        Standard deviation over topics of the logarithm of the factor of all systems' noise: some
        topics are hard.
    taste : float
        The same for each system and topic separately: a system is good at some topics.
    """

    count: int = 20
    noise: tuple[float, float] = (0.15, 0.3)
    shared: float = 0.3
    teams: int = 1
    team_shared: float = 0.0
    spacing: float = 1.0
    topic_spread: float = 0.0
    taste: float = 0.0

    def __post_init__(self) -> None:
        check_count("count", self.count)
        check_range("noise", self.noise, least=0.0)
        if not 0 <= self.shared <= 1:
            raise UsageError(f"shared={self.shared!r}; expected a number from 0 to 1")
        check_count("teams", self.teams)
        if not 0 <= self.team_shared <= 1 - self.shared:
            raise UsageError(
                f"team_shared={self.team_shared!r}; expected a number from 0 to 1 − shared"
            )
        at_least("spacing", self.spacing, 0.0)
        at_least("topic_spread", self.topic_spread, 0.0)
        at_least("taste", self.taste, 0.0)

    def team_of(self) -> IntArray:
        """Return the team of each system, [system]."""
        return np.arange(self.count) % self.teams

    def deviations(self) -> FloatArray:
        """Return the standard deviation of each system's noise, [system]."""
        low, high = self.noise
        place: FloatArray = np.linspace(0.0, 1.0, self.count)
        return np.asarray(low + (high - low) * place**self.spacing)


def system_scores(truth: ArrayLike, systems: Systems, *, rng: np.random.Generator) -> FloatArray:
    """Return each system's score of each doc: r + s_iq·(√ρ·ε_d + √τ·ε_dt + √(1−ρ−τ)·ε_di).

    On topic q, s_iq = s_i·exp(h·z_q + t·z_iq) with the spread h of hard topics and the taste t of
    systems; all z and ε are N(0, 1).

    Parameters
    ----------
    truth : array_like, [..., doc]
        The true relevance.
    systems : Systems
        Their noise (s_i), and the shares of it that they have in common with all (ρ) or only with
        their team t (τ).
    rng : Generator
        The random numbers.
    """
    relevance = float_array(truth, name="truth")
    common = rng.standard_normal(relevance.shape)
    own = rng.standard_normal((systems.count, *relevance.shape))
    alone = 1 - systems.shared - systems.team_shared
    mixed = np.sqrt(systems.shared) * common + np.sqrt(max(alone, 0.0)) * own
    if systems.team_shared:
        of_team = rng.standard_normal((systems.teams, *relevance.shape))
        mixed += np.sqrt(systems.team_shared) * of_team[systems.team_of()]
    width = systems.deviations().reshape(-1, *[1] * (relevance.ndim - 1))
    # Drawn last, and only if used: campaigns without them do not change.
    if systems.topic_spread or systems.taste:
        topics = relevance.shape[:-1]
        hard = systems.topic_spread * rng.standard_normal(topics)
        liked = systems.taste * rng.standard_normal((systems.count, *topics))
        width = width * np.exp(hard + liked)
    return np.asarray(relevance + width[..., None] * mixed)


def rank_docs(scores: ArrayLike, *, depth: int) -> IntArray:
    """Return the docs with the highest scores, best first; tied docs are sorted by number.

    Parameters
    ----------
    scores : array_like, [..., doc]
        Scores.
    depth : int
        The number of ranks to return, at most the number of docs.

    Returns
    -------
    ndarray of int, [..., rank]
        Numbers of docs.
    """
    at_least("depth", depth, 1)
    behind = -float_array(scores, name="scores")
    if depth * _FEW < behind.shape[-1]:
        top = np.argpartition(behind, depth - 1, axis=-1)[..., :depth]
        top.sort(axis=-1)
        chosen = np.take_along_axis(behind, top, axis=-1)
        # With a tie at the last rank, the partition may have chosen the wrong doc.
        if ((behind <= chosen.max(axis=-1, keepdims=True)).sum(axis=-1) == depth).all():
            order = np.argsort(chosen, axis=-1, kind="stable")
            return np.asarray(np.take_along_axis(top, order, axis=-1), dtype=np.int64)
    order = np.argsort(behind, axis=-1, kind="stable")[..., :depth]
    return np.asarray(order, dtype=np.int64)
