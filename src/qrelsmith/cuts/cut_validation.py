"""Optimism of α: cuts are chosen on half of the topics and evaluated on the other half."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.cuts import best_cuts
from qrelsmith.cuts.cut_rankings import CutRankings
from qrelsmith.cuts.label_cuts import LabelCuts
from qrelsmith.judgments.scale_operations import Cuts
from qrelsmith.stats.split_halves import random_halves

_MOST_CELLS = 100_000_000  # maximum of topics × sets of cuts, whose α is in memory


@dataclass(frozen=True, slots=True)
class Halving:
    """One set of cuts for all topics, chosen on a random half of the topics.

    Attributes
    ----------
    repeat : int
        Number of the random half, from 1.
    cuts : Cuts or None
        The cuts; None if no set has a value on that half.
    alpha_chosen, alpha_held_out : float
        Mean α over the half used for the choice, and over the other half.
    optimism : float
        `alpha_chosen` minus `alpha_held_out`.
    alpha_best : float
        The best mean α of any cuts on the other half.
    tau_chosen, tau_held_out : float
        τ of the ranking of the systems to the reference on either half; nan without runs.
    """

    repeat: int
    cuts: Cuts | None
    alpha_chosen: float
    alpha_held_out: float
    optimism: float
    alpha_best: float
    tau_chosen: float = float("nan")
    tau_held_out: float = float("nan")


def halvings(
    cuts: LabelCuts, *, repeats: int = 100, seed: int = 0, rankings: CutRankings | None = None
) -> Iterator[Halving]:
    """Choose cuts on random halves of the topics, and evaluate them on the other halves.

    The halves are the same as in `consistency`. With an odd number of topics, the larger half is
    used for the choice.

    Parameters
    ----------
    cuts : LabelCuts
        The data set, and how cuts are chosen.
    repeats : int
        Number of halves.
    seed : int
        Random seed of the halves.
    rankings : CutRankings, optional
        Computes τ.

    Raises
    ------
    UndefinedError
        If there are fewer than two topics.
    UsageError
        If there are too many topics and sets of cuts for memory.
    """
    topics = len(cuts.topics.topics)
    if topics < 2:
        raise UndefinedError("found one topic; expected at least two for validation")
    if topics * len(cuts.sets) > _MOST_CELLS:
        raise UsageError(
            f"{topics} topics × {len(cuts.sets):,} sets of cuts are too many; expected at most "
            f"{_MOST_CELLS:,}. Use fewer candidates"
        )
    alpha = np.stack([cuts.alphas(place).alpha for place in range(topics)])
    halves = random_halves(cuts.topics.topics, splits=repeats, seed=seed)
    for repeat, half in enumerate(halves, start=1):
        chosen_on = np.flatnonzero(half).tolist()
        held_out = np.flatnonzero(~half).tolist()
        here, there = _mean(alpha[chosen_on]), _mean(alpha[held_out])
        best = best_cuts(cuts.objective(chosen_on, here), cuts.sets, ties=cuts.options.ties).place
        if best < 0:
            yield Halving(repeat, None, *[float("nan")] * 4)
            continue
        yield Halving(
            repeat=repeat,
            cuts=cuts.sets.cuts(best),
            alpha_chosen=float(here[best]),
            alpha_held_out=float(there[best]),
            optimism=float(here[best] - there[best]),
            alpha_best=float(np.nanmax(there)) if not np.isnan(there).all() else float("nan"),
            tau_chosen=_tau(rankings, dict.fromkeys(chosen_on, best)),
            tau_held_out=_tau(rankings, dict.fromkeys(held_out, best)),
        )


def means_of(halvings: Sequence[Halving]) -> dict[str, float]:
    """Return the mean of each column of `halving_table`; missing values are ignored."""
    names = (
        "alpha_chosen",
        "alpha_held_out",
        "optimism",
        "alpha_best",
        "tau_chosen",
        "tau_held_out",
    )
    means = {}
    for name in names:
        values = np.array([getattr(one, name) for one in halvings])
        known = values[~np.isnan(values)]
        means[name] = float(known.mean()) if known.size else float("nan")
    return means


def _mean(alpha: FloatArray) -> FloatArray:
    """Return the mean of α over the topics with a value [set], given α [topic, set]."""
    known = ~np.isnan(alpha)
    count = known.sum(axis=0)
    total = np.where(known, alpha, 0.0).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(count > 0, total / count, np.nan)


def _tau(rankings: CutRankings | None, chosen: Mapping[int, int]) -> float:
    return float("nan") if rankings is None else rankings.tau_of(chosen)
