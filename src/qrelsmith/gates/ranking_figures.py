"""Ranking figures: τ, order of the best systems, and loss when choosing a system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UndefinedError
from qrelsmith.gates.figures import FIGURES, PairedFigure, jackknife_figure, paired_figure
from qrelsmith.gates.paired_judges import PairedJudges
from qrelsmith.stats.choice_loss import choice_losses
from qrelsmith.stats.kendall_stack import kendall_tau_b_stack
from qrelsmith.stats.population import UNBOUNDED
from qrelsmith.stats.ranking_intervals import FEWEST_SYSTEMS, OfTwoMeans, means_interval
from qrelsmith.stats.top_agreement import top_agreement


@FIGURES.add("tau", margin=0.03, place=40, of_runs=True, formula="Kendall's τ-b of the systems")
def tau(judges: PairedJudges) -> PairedFigure:
    """Return Kendall's τ-b between the ranking by each judge and the ranking by people."""
    return _rank_figure(judges, kendall_tau_b_stack)


@FIGURES.add(
    "top", margin=0.05, place=50, of_runs=True, formula="order of the best systems kept"
)  # fmt: skip
def top(judges: PairedJudges) -> PairedFigure:
    """Return how well each judge keeps the order of the best third of systems by human labels."""
    return _rank_figure(judges, top_agreement)


@FIGURES.add(
    "loss", margin=0.01, place=60, of_runs=True, more_is_better=False,
    formula="loss in the mean human score if the system is chosen by the judge",
)  # fmt: skip
def loss(judges: PairedJudges) -> PairedFigure:
    """Return the loss in the mean human score if the system is chosen by each judge."""
    scores = _scores(judges)
    losses = choice_losses(scores[0], scores[1:], judges.scored_topics, seed=judges.seed)
    return jackknife_figure(losses.value, losses.without, better=lambda old, new: old - new)


def _rank_figure(judges: PairedJudges, statistic: OfTwoMeans) -> PairedFigure:
    """Return a ranking statistic for both judges on the same halves of the topics."""

    def of_means(means: FloatArray, _: FloatArray) -> FloatArray:
        old, new = statistic(means[0], means[1]), statistic(means[0], means[2])
        return np.stack([new - old, new, old])

    scores = _scores(judges)
    intervals = means_interval(
        scores, judges.scored_topics, statistic=of_means, seed=judges.seed, bounds=UNBOUNDED
    )
    if scores.shape[2] < FEWEST_SYSTEMS:
        nothing = np.full(intervals.value.shape, np.nan)
        reason = f"{scores.shape[2]} systems; expected {FEWEST_SYSTEMS} or more"
        intervals = replace(intervals, se=nothing, low=nothing, high=nothing, reason=reason)
    return paired_figure(intervals.value[[2, 1]], intervals, bounds=(-1.0, 1.0))


def _scores(judges: PairedJudges) -> FloatArray:
    if judges.scores is None:
        raise UndefinedError("no runs given; expected runs to rank")
    return judges.scores
