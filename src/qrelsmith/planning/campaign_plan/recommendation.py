"""Recommendation of a design in plain words, with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.planning.campaign_plan.summary import Summary

_Z = 1.96


@dataclass(frozen=True, slots=True, eq=False)
class Recommendation:
    """The recommended design.

    Attributes
    ----------
    design : int or None
        The number of the design; None if no design can be recommended.
    reason : str
        The reason, in a sentence or two.
    doubt : str
        The uncertainty; empty if there is no other design to compare with.
    wins : float array [design]
        The share of the campaigns in which each design had the highest τ of the designs within the
        budget; tied designs share the campaign. nan outside the budget.
    """

    design: int | None
    reason: str
    doubt: str
    wins: FloatArray


def recommend(
    summary: Summary, *, budget: float | None = None, within: float = 0.02
) -> Recommendation:
    """Recommend a design: the cheapest design whose mean τ is nearly the best.

    With a budget, a design is considered only if its cost is within the budget in 95% of its
    campaigns.

    Parameters
    ----------
    summary : Summary
        The designs.
    budget : float, optional
        The highest acceptable cost.
    within : float
        The loss in mean τ, compared with the best design, that a cheaper design may have.
    """
    names, tau, cost = summary.names, summary.mean["tau"], summary.mean["cost"]
    affordable = ~np.isnan(tau)
    if not affordable.any():
        return _none(
            "no design can be recommended, because there is only one system or all systems are"
            " equally good",
            len(names),
        )
    if budget is not None:
        affordable &= summary.high["cost"] <= budget
        if not affordable.any():
            cheapest = int(np.argmin(summary.high["cost"]))
            return _none(
                f"no design stays within {_money(budget)} in 95% of the simulated campaigns; the"
                f" cheapest design, {names[cheapest]}, needs"
                f" {_money(float(summary.high['cost'][cheapest]))}",
                len(names),
            )
    inside = np.where(affordable, tau, -np.inf)
    best = int(inside.argmax())
    near = affordable & (tau >= tau[best] - within)
    chosen = int(np.where(near, cost, np.inf).argmin())
    reason = _reason(summary, chosen, best, budget, int(affordable.sum()), within)
    return Recommendation(
        chosen, reason, _doubt(summary, chosen, affordable), _wins(summary, affordable)
    )


def _none(reason: str, designs: int) -> Recommendation:
    return Recommendation(None, reason, "", np.full(designs, np.nan))


def _reason(
    summary: Summary, chosen: int, best: int, budget: float | None, compared: int, within: float
) -> str:
    names, tau = summary.names, summary.mean["tau"]
    figures = (
        f"the design costs {_money(float(summary.median['cost'][chosen]))}"
        f" ({_money(float(summary.low['cost'][chosen]))} to"
        f" {_money(float(summary.high['cost'][chosen]))}) and"
        f" {summary.median['hours'][chosen]:,.0f} hours of judging; the τ between its ranking and"
        f" the true ranking is {summary.median['tau'][chosen]:.2f}"
        f" ({summary.low['tau'][chosen]:.2f} to {summary.high['tau'][chosen]:.2f})"
    )
    if len(names) == 1:
        return f"{names[chosen]}: {figures}"
    among = f"of {compared} designs" + ("" if budget is None else f" within {_money(budget)}")
    if chosen == best:
        return (
            f"{among} {names[chosen]} ranks the systems best, and no cheaper design is within"
            f" {within:g} of its mean τ of {tau[best]:.3f}: {figures}"
        )
    return (
        f"{among} {names[chosen]} is the cheapest design whose mean τ ({tau[chosen]:.3f}) is within"
        f" {within:g} of the best ({names[best]}, {tau[best]:.3f}): {figures}"
    )


def _doubt(summary: Summary, chosen: int, affordable: BoolArray) -> str:
    """Return how often the chosen design has the highest τ, and a comparison with the next best."""
    others = affordable.copy()
    others[chosen] = False
    if not others.any():
        return ""
    names, tau = summary.names, summary.trials.values["tau"]
    wins = _wins(summary, affordable)
    rival = int(np.where(others, summary.mean["tau"], -np.inf).argmax())
    difference = tau[chosen] - tau[rival]
    mean = float(np.nanmean(difference))
    known = difference[~np.isnan(difference)]
    half = _Z * float(known.std(ddof=1)) / np.sqrt(known.size) if known.size > 1 else np.nan
    ahead = float((known > 0).mean() + (known == 0).mean() / 2)
    crosses = not (mean - half > 0 or mean + half < 0)
    said = ", so the better of the two designs is undecided" if crosses else ""
    return (
        f"of {summary.trials.campaigns} simulated campaigns {names[chosen]} has the highest τ of"
        f" these designs in {wins[chosen]:.0%} and is better than {names[rival]} in {ahead:.0%}; "
        "its mean τ"
        f" is {abs(mean):.3f} {'higher' if mean >= 0 else 'lower'}, 95% interval of the difference:"
        f" {mean - half:+.3f} to {mean + half:+.3f}{said}"
    )


def _wins(summary: Summary, affordable: BoolArray) -> FloatArray:
    """Return the share of the campaigns in which each design has the highest τ."""
    tau = np.where(affordable[:, None], np.nan_to_num(summary.trials.values["tau"], nan=-2.0), -3.0)
    first = tau >= tau.max(axis=0) - 1e-12
    share = (first / first.sum(axis=0)).mean(axis=1)
    return np.where(affordable, share, np.nan)


def _money(amount: float) -> str:
    return f"{amount:,.0f}"
