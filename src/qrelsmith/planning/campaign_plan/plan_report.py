"""A report of a plan: designs, Pareto front of cost and τ, recommendation, check."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.content import (
    Boxes,
    Figure,
    Finding,
    Intervals,
    Line,
    Lines,
    NamedTable,
    Points,
    Report,
    Section,
    Verdict,
)
from qrelsmith.base.tables import Cell, Table
from qrelsmith.planning.campaign_plan.calibration import ALPHA, TAU, Calibration
from qrelsmith.planning.campaign_plan.outcome import PlanScoring
from qrelsmith.planning.campaign_plan.recommendation import Recommendation
from qrelsmith.planning.campaign_plan.summary import Summary, summary_table

UNCALIBRATED = "uncalibrated"
_NOTICE = "The campaigns of this plan are simulated."
_PLAN, _CHECK = "plan", "check"
_HOW_TO_READ = (
    "A low τ can be due to few topics or to judging errors. tau_topics is the τ to the true ranking"
    " on the campaign's own topics, so only judging and pooling affect tau_topics. power is the"
    " share of system pairs with a significant difference in a paired t-test (p < .05); wrong is"
    " the share of pairs with a significant difference in the wrong direction. pdp is computed on"
    " the first five docs of the runs."
)


def label(calibration: Calibration | None) -> str:
    """Return the label of a recommendation, which says whether the simulator was checked."""
    if calibration is None:
        return UNCALIBRATED
    where = f"on {calibration.topics} topics that were not used for the fit"
    return f"checked {where}" if calibration.holds else f"the check fails {where}"


def advice_sentences(
    recommendation: Recommendation, calibration: Calibration | None
) -> tuple[str, ...]:
    """Return the labelled recommendation, and its uncertainty if there is any."""
    first = f"Recommended ({label(calibration)}): {recommendation.reason}"
    return (first, f"Uncertainty: {recommendation.doubt}") if recommendation.doubt else (first,)


def check_sentence(calibration: Calibration) -> str:
    """Return a sentence with predicted and observed agreement and τ."""
    parts = []
    for name in (ALPHA, TAU):
        at = calibration.names.index(name)
        parts.append(
            f"{name}: predicted {calibration.median[at]:.3f} ({calibration.low[at]:.3f} to"
            f" {calibration.high[at]:.3f}), observed {calibration.observed[at]:.3f}"
        )
    return "; ".join(parts)


def front_figure(summary: Summary) -> Figure:
    """Return a chart of the designs on the Pareto front of cost and τ."""
    order = [
        place for place in np.argsort(summary.mean["cost"]).tolist() if bool(summary.front[place])
    ]
    return Figure(
        key="plan-front",
        title="Cost and τ of the designs on the Pareto front",
        drawing=Lines(
            lines=[
                Line(
                    "Pareto front",
                    [float(summary.mean["cost"][place]) for place in order],
                    [float(summary.mean["tau"][place]) for place in order],
                    lows=[float(summary.low["tau"][place]) for place in order],
                    highs=[float(summary.high["tau"][place]) for place in order],
                )
            ],
            x_label="mean cost",
            y_label="mean τ to the true ranking",
            marks=[
                (
                    float(summary.mean["cost"][place]),
                    float(summary.mean["tau"][place]),
                    summary.names[place],
                )
                for place in order
            ],
        ),
        caption="Means over the simulated campaigns. The band contains τ in 90% of the campaigns.",
    )


def plan_report(
    summary: Summary,
    recommendation: Recommendation,
    calibration: Calibration | None,
    scoring: PlanScoring,
    *,
    manifest: str,
) -> Report:
    """Return the plan as a report."""
    sections = [_plan_section(summary, recommendation, calibration, scoring)]
    sections += [] if calibration is None else [_check_section(calibration)]
    return Report(
        title="Plan of a campaign",
        subtitle=f"{len(summary.names)} designs, {summary.trials.campaigns} simulated campaigns of"
        f" each ({label(calibration)})",
        notices=(_NOTICE,),
        sections=tuple(sections),
        manifest=manifest,
        kind="A plan",
    )


def _plan_section(
    summary: Summary,
    recommendation: Recommendation,
    calibration: Calibration | None,
    scoring: PlanScoring,
) -> Section:
    verdict = Verdict.FACT if calibration is not None and calibration.holds else Verdict.DOUBTFUL
    return Section(
        key=_PLAN,
        title="Costs of the designs, and quality of their rankings",
        paragraphs=(_how_drawn(summary, scoring), _HOW_TO_READ),
        tables=(
            NamedTable(
                "plan",
                "The designs, from the cheapest",
                summary_table(summary),
                "Medians over the campaigns, with the 5% and 95% quantiles (low, high). front: no"
                " other design is as cheap and has as high a mean τ. front_share: share of"
                " bootstrap samples of the campaigns in which the design is on the front.",
            ),
            NamedTable(
                "plan-wins",
                "Share of campaigns in which each design ranks best",
                _wins(summary, recommendation),
            ),
        ),
        figures=(
            front_figure(summary),
            Figure(
                key="plan-designs",
                title="Cost and τ of all designs",
                drawing=Points(
                    list(summary.names),
                    summary.mean["cost"].tolist(),
                    summary.mean["tau"].tolist(),
                    "mean cost",
                    "mean τ to the true ranking",
                ),
                caption="Means over the simulated campaigns.",
            ),
            Figure(
                key="plan-tau",
                title="τ of the campaigns of each design",
                drawing=Boxes(
                    list(summary.names),
                    summary.trials.values["tau"].tolist(),
                    "τ to the true ranking",
                ),
                caption="Each value is one simulated campaign. The values of a design differ by"
                " chance.",
            ),
        ),
        findings=tuple(
            Finding("plan", verdict, f"{sentence}.", _PLAN)
            for sentence in advice_sentences(recommendation, calibration)
        ),
    )


def _how_drawn(summary: Summary, scoring: PlanScoring) -> str:
    return (
        f"Each design was simulated {summary.trials.campaigns} times. Campaigns with the same"
        " number use the same topics, docs and systems, as far as the designs allow. The true"
        " ranking orders the systems by quality over all possible topics. A campaign ranks the"
        f" systems by {scoring.measure} under the {scoring.aggregation} of its grades (by"
        f" {scoring.preference_measure} if preferences follow them)."
    )


def _how_checked(calibration: Calibration) -> str:
    return (
        "The simulator was fitted to a random half of the topics. The predictions are compared with"
        f" the {calibration.topics} topics of the other half. The interval contains 90% of"
        " simulated campaigns with the same number of topics and with parameters that are plausible"
        " given the first half."
    )


def _wins(summary: Summary, recommendation: Recommendation) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, float(wins), float(tau))
        for name, wins, tau in zip(
            summary.names, recommendation.wins.tolist(), summary.mean["tau"].tolist(), strict=True
        )
    ]
    return Table.of(("design", "best_in", "tau_mean"), rows)


def _check_section(calibration: Calibration) -> Section:
    missed = [
        name
        for name, inside in zip(calibration.names, calibration.inside.tolist(), strict=True)
        if not inside
    ]
    fit = calibration.fitted
    verdict = Verdict.GOOD if calibration.holds else Verdict.DOUBTFUL
    words = label(calibration)
    sentences = [f"{words[0].upper()}{words[1:]}: {check_sentence(calibration)}."]
    if missed:
        sentences.append(f"Outside the predicted intervals: {', '.join(missed)}.")
    if fit.misses:
        sentences.append(
            f"Moments that the fit misses by two standard errors or more: {', '.join(fit.misses)}."
        )
    return Section(
        key=_CHECK,
        title="Comparison of the simulator with real topics",
        paragraphs=(_how_checked(calibration),),
        tables=(
            NamedTable("check", "Predicted and observed", calibration.table()),
            NamedTable("check-fit", "Moments used for the fit", calibration.moments()),
        ),
        figures=(_check_figure(calibration),),
        findings=tuple(
            Finding("check", verdict if place == 0 else Verdict.FACT, sentence, _CHECK)
            for place, sentence in enumerate(sentences)
        ),
    )


def _check_figure(calibration: Calibration) -> Figure:
    """Return a chart of prediction errors; the number of docs is left out, as its scale differs."""
    at = [place for place, name in enumerate(calibration.names) if "docs" not in name]
    observed = calibration.observed[at]
    return Figure(
        key="check",
        title="Predicted minus observed",
        drawing=Intervals(
            names=[calibration.names[place] for place in at],
            values=(calibration.median[at] - observed).tolist(),
            lows=(calibration.low[at] - observed).tolist(),
            highs=(calibration.high[at] - observed).tolist(),
            label="predicted minus observed",
            reference=0.0,
        ),
        caption="A prediction is correct if the interval contains 0.",
    )
