"""Comparison of the fitted simulator with topics that were not used for the fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.rng import digest_key, rng_for
from qrelsmith.base.tables import Table
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.evaluation.scorer import rank_cutoff
from qrelsmith.planning.campaign_plan.fit import FittedCampaign, fit_campaign
from qrelsmith.planning.campaign_plan.judged_runs import JudgedRuns
from qrelsmith.planning.campaign_plan.observed import ObservedCampaign
from qrelsmith.planning.simulation.sketch import sketch_campaign
from qrelsmith.stats.kendall import kendall_tau_b
from qrelsmith.stats.paired_t import paired_t

CAMPAIGNS = 100  # simulated campaigns, which give the predictions
_QUANTILES = (0.05, 0.5, 0.95)
_SPLITS = 20
_FEWEST = 9  # topics: five for the fit, four for the predictions
ALPHA, TAU = "agreement (ordinal α)", "τ between label sets"


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Predictions of the simulator for topics that were not used for the fit.

    Attributes
    ----------
    fitted : FittedCampaign
        The simulator, fitted to half of the topics.
    topics : int
        The number of topics in the other half.
    names : tuple of str [quantity]
        The predicted quantities.
    seen : float array [quantity]
        The values on the topics used for the fit.
    observed : float array [quantity]
        The values on the other topics.
    low, median, high : float array [quantity]
        5%, 50% and 95% quantiles over simulations of the same number of topics.
    """

    fitted: FittedCampaign
    topics: int
    names: tuple[str, ...]
    seen: FloatArray
    observed: FloatArray
    low: FloatArray
    median: FloatArray
    high: FloatArray

    @property
    def inside(self) -> BoolArray:
        """Whether each observed value is between the outer quantiles of the predictions."""
        return np.asarray((self.low <= self.observed) & (self.observed <= self.high))

    @property
    def holds(self) -> bool:
        """Whether agreement and τ, on which a recommendation depends, are predicted correctly."""
        inside = dict(zip(self.names, self.inside.tolist(), strict=True))
        return bool(inside[ALPHA] and inside[TAU])

    def table(self) -> Table:
        """Return observed and predicted values, a row for each quantity."""
        columns = ("quantity", "fitted_half", "observed", "low", "predicted", "high", "inside")
        values = (self.seen, self.observed, self.low, self.median, self.high)
        rows = zip(
            self.names,
            *(of.tolist() for of in values),
            ["yes" if inside else "no" for inside in self.inside.tolist()],
            strict=True,
        )
        return Table.of(columns, rows)

    def moments(self) -> Table:
        """Return the moments of the collection and of the fitted simulator."""
        fit = self.fitted
        columns = ("moment", "observed", "fitted", "error", "errors_apart")
        apart = (fit.fitted - fit.observed) / fit.error
        of = (fit.observed, fit.fitted, fit.error, apart)
        rows = zip(fit.names, *(values.tolist() for values in of), strict=True)
        return Table.of(columns, rows)


def calibrate(
    campaign: ObservedCampaign,
    *,
    measure: str,
    seed: int,
    advance: Callable[[], None] = lambda: None,
) -> Calibration:
    """Fit the simulator to half of the topics and predict the other half.

    Parameters
    ----------
    campaign : ObservedCampaign
        The collection.
    measure : str
        The measure that ranks the systems.
    seed : int
        Seed of the halves and of the simulation.
    advance : callable
        Called after each simulated collection.

    Raises
    ------
    UndefinedError
        If there are too few topics, or no doc has two labels.
    """
    if len(campaign.topics) < _FEWEST:
        raise UndefinedError(
            f"found {len(campaign.topics)} judged topics; expected {_FEWEST} or more, "
            "because half of the topics are predicted"
        )
    fit_half, check_half = campaign.halves(seed=seed)
    fitted = fit_campaign(
        fit_half, depth=campaign.depth, measure=measure, seed=seed, advance=advance
    )
    ranks = rank_cutoff(MEASURES.get(measure)) or fit_half.ranked.shape[2]
    rng = rng_for(seed, "plan", "what is not known")
    drawn = []
    for number in range(CAMPAIGNS):
        own = int.from_bytes(digest_key(seed, "plan", "check", number)[:7], "big")
        design, assessors = fitted.draw(rng)
        design = replace(design, topics=check_half.topics)
        sketch = sketch_campaign(design, assessors, ranks=ranks, seed=own)
        judged = _missing_as(JudgedRuns.of_sketch(sketch, levels=design.levels), check_half, own)
        drawn.append(list(_figures(judged, campaign.names, measure, seed).values()))
        advance()
    low, median, high = np.quantile(np.array(drawn), _QUANTILES, axis=0)
    observed = _figures(check_half, campaign.names, measure, seed)
    seen = _figures(fit_half, campaign.names, measure, seed)
    return Calibration(
        fitted=fitted,
        topics=check_half.topics,
        names=tuple(observed),
        seen=np.array(list(seen.values())),
        observed=np.array(list(observed.values())),
        low=low,
        median=median,
        high=high,
    )


def _missing_as(drawn: JudgedRuns, like: JudgedRuns, seed: int) -> JudgedRuns:
    """Remove labels so that each assessor's share of missing labels is as in the collection."""
    missing = np.isnan(like.ratings).mean(axis=1, keepdims=True)
    if not missing.any():
        return drawn
    rng = rng_for(seed, "plan", "missing")
    # An assessor who has not judged a topic has judged none of its docs.
    by_topic = rng.random((len(missing), drawn.topics)) < missing
    return replace(drawn, ratings=np.where(by_topic[:, drawn.topic], np.nan, drawn.ratings))


def _figures(
    judged: JudgedRuns, names: tuple[str, ...], measure: str, seed: int
) -> dict[str, float]:
    """Return the predicted statistics, by name."""
    scores = [judged.scores(grades, measure) for grades in judged.ratings]
    means = [scores_of_set.mean(axis=0) for scores_of_set in scores]
    pairs = list(combinations(range(len(names)), 2))
    taus = [float(kendall_tau_b(means[first], means[second])) for first, second in pairs]
    figures = {
        ALPHA: krippendorff_alpha(judged.ratings).value,
        TAU: float(np.nanmean(taus)) if np.isfinite(taus).any() else float("nan"),
        "τ between halves of the topics": _between_halves(scores, seed),
        "share of pairs of systems told apart": float(
            np.mean([paired_t(scores_of_set).significant.mean() for scores_of_set in scores])
        ),
        "judged docs of a topic": float(np.bincount(judged.topic).mean()),
    }
    for (first, second), tau in zip(pairs, taus, strict=True):
        both = f"{names[first]} and {names[second]}"
        figures[f"α of {both}"] = krippendorff_alpha(judged.ratings[[first, second]]).value
        figures[f"τ of {both}"] = tau
    return figures


def _between_halves(scores: list[FloatArray], seed: int) -> float:
    """Return the mean τ between rankings on halves of the topics, over splits and label sets."""
    topics = scores[0].shape[0]
    rng = rng_for(seed, "plan", "splits", topics)
    taus = []
    for _ in range(_SPLITS):
        mixed = rng.permutation(topics)
        one, other = mixed[: topics // 2], mixed[topics // 2 :]
        taus += [kendall_tau_b(of[one].mean(axis=0), of[other].mean(axis=0)) for of in scores]
    return float(np.nanmean(taus))
