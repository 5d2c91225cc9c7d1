"""Summaries of the campaigns of each design, and the designs on the Pareto front of cost and τ."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Cell, Table
from qrelsmith.planning.campaign_plan.outcome import OUTCOMES
from qrelsmith.planning.campaign_plan.trials import Trials
from qrelsmith.planning.simulation import CampaignDesign

_QUANTILES = (0.05, 0.5, 0.95)
_RESAMPLES = 200
_SHOWN = ("cost", "hours", "alpha", "pdp", "tau", "tau_topics", "power")
_AROUND = ("judgments", "pairs", "wrong")
_LARGE = ("cost", "hours")


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """A comparison of the designs.

    Attributes
    ----------
    trials : Trials
        The simulated campaigns.
    low, median, high : mapping of str to float array [design]
        5%, 50% and 95% quantiles over the campaigns, for each of `OUTCOMES`.
    mean : mapping of str to float array [design]
        Means over the campaigns.
    front : bool array [design]
        Whether no other design is as cheap and ranks as well, and is better in one of the two (mean
        cost, mean τ).
    front_share : float array [design]
        The share of resamples of the campaigns in which the design is on the front.
    """

    trials: Trials
    low: dict[str, FloatArray]
    median: dict[str, FloatArray]
    high: dict[str, FloatArray]
    mean: dict[str, FloatArray]
    front: BoolArray
    front_share: FloatArray

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the designs."""
        return tuple(design.name for design in self.trials.designs)


def summarise(trials: Trials, *, seed: int) -> Summary:
    """Summarise the designs; an outcome is nan if no campaign of the design has a value."""
    quantiles = {}
    mean = {}
    for name in OUTCOMES:
        values = trials.values[name]
        with warnings.catch_warnings():
            # No campaign may have an outcome, such as agreement with one assessor per doc.
            warnings.simplefilter("ignore", RuntimeWarning)
            quantiles[name] = np.nanquantile(values, _QUANTILES, axis=1)
            mean[name] = np.nanmean(values, axis=1)
    rng = rng_for(seed, "plan", "front")
    drawn = rng.integers(trials.campaigns, size=(_RESAMPLES, trials.campaigns))
    cost, tau = trials.values["cost"], trials.values["tau"]
    again = pareto_front(cost[:, drawn].mean(axis=-1).T, tau[:, drawn].mean(axis=-1).T)
    return Summary(
        trials=trials,
        low={name: found[0] for name, found in quantiles.items()},
        median={name: found[1] for name, found in quantiles.items()},
        high={name: found[2] for name, found in quantiles.items()},
        mean=mean,
        front=pareto_front(mean["cost"], mean["tau"]),
        front_share=again.mean(axis=0),
    )


def pareto_front(cost: FloatArray, worth: FloatArray) -> BoolArray:
    """Find the Pareto-optimal designs: no other is as good in both cost and τ, and better in one.

    Parameters
    ----------
    cost, worth : float array [..., design]
        A nan is never on the front.
    """
    cheaper = cost[..., :, None] <= cost[..., None, :]
    better = worth[..., :, None] >= worth[..., None, :]
    strictly = (cost[..., :, None] < cost[..., None, :]) | (
        worth[..., :, None] > worth[..., None, :]
    )
    beaten = (cheaper & better & strictly).any(axis=-2)
    return np.asarray(~beaten & ~np.isnan(cost + worth))


def summary_table(summary: Summary) -> Table:
    """Return a row for each design, the cheapest first."""
    columns = [
        "design", "topics", "depth", "systems", "levels", "labels_per_doc", "k", "finalists",
        "pairings", "campaigns", *_AROUND,
    ]  # fmt: skip
    for name in _SHOWN:
        columns += [f"{name}_low", name, f"{name}_high"]
    columns += ["cost_mean", "tau_mean", "front", "front_share"]
    order = np.argsort(summary.mean["cost"], kind="stable").tolist()
    rows = []
    for place in order:
        design = summary.trials.designs[place]
        campaign, preferences = design.campaign, design.preferences
        asked = (preferences.finalists, preferences.pairings) if preferences.k else (None, None)
        cells = [
            design.name, campaign.topics, campaign.depth, campaign.systems.count, campaign.levels,
            _per_doc(campaign), preferences.k, *asked,
            summary.trials.campaigns,
        ]  # fmt: skip
        cells += [float(summary.median[name][place]) for name in _AROUND]
        for name in _SHOWN:
            of = (summary.low, summary.median, summary.high)
            cells += [float(values[name][place]) for values in of]
        cells += [float(summary.mean["cost"][place]), float(summary.mean["tau"][place])]
        cells += ["yes" if summary.front[place] else "no", float(summary.front_share[place])]
        rows.append(cells)
    return Table.of(columns, rows)


def digest_table(summary: Summary) -> Table:
    """Return `summary_table` for a terminal, with low, median and high in one cell."""
    rows = []
    full = summary_table(summary)
    for row in full.rows:
        cells = dict(zip(full.columns, row, strict=True))
        shown = [str(cells["design"]), _figure(cells["judgments"], 0)]
        for name in _SHOWN:
            digits = 0 if name in _LARGE else 2
            three = (cells[f"{name}_{end}" if end else name] for end in ("low", "", "high"))
            shown.append(" – ".join(_figure(value, digits) for value in three))
        rows.append([*shown, cells["front"]])
    return Table.of(("design", "judgments", *_SHOWN, "front"), rows)


def _figure(value: Cell, digits: int) -> str:
    number = float(value or 0)
    return "nan" if np.isnan(number) else f"{number:,.{digits}f}"


def _per_doc(campaign: CampaignDesign) -> int:
    """Return the number of judgments per doc; all groups of topic creators together give one."""
    creators = any(group.creators for group in campaign.groups)
    return creators + sum(group.per_doc for group in campaign.groups if not group.creators)
