"""The question `plan campaign`: what designs of a campaign cost, and how well they rank systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from qrelsmith.base.content import Figure, Report
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Table
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.io.manifest import manifest_for, manifest_text
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.run_sources import RunsLike, as_list
from qrelsmith.judgments.sources import JudgmentsLike
from qrelsmith.planning.campaign_plan.calibration import Calibration
from qrelsmith.planning.campaign_plan.designs import planned_designs
from qrelsmith.planning.campaign_plan.fitted_design import fitted_plan, like_fitted
from qrelsmith.planning.campaign_plan.grid import Grid
from qrelsmith.planning.campaign_plan.observing import checked_simulator
from qrelsmith.planning.campaign_plan.outcome import PlanScoring
from qrelsmith.planning.campaign_plan.plan_design import PlanDesign, plan_design, plan_design_text
from qrelsmith.planning.campaign_plan.plan_report import (
    advice_sentences,
    check_sentence,
    front_figure,
    plan_report,
)
from qrelsmith.planning.campaign_plan.recommendation import Recommendation, recommend
from qrelsmith.planning.campaign_plan.summary import (
    Summary,
    digest_table,
    summarise,
    summary_table,
)
from qrelsmith.planning.campaign_plan.trials import draw_trials
from qrelsmith.planning.campaign_plan.workers import Terms, with_terms
from qrelsmith.planning.simulation import CampaignDesign
from qrelsmith.sweep import Sweep, run_cells

DesignLike: TypeAlias = FilePath | CampaignDesign | PlanDesign


@dataclass(frozen=True, eq=False, kw_only=True)
class CampaignPlan(Result):
    """Designs of a campaign beside each other, and which of them to take.

    Attributes
    ----------
    summary : Summary
        Cost, hours, agreement and τ of each design over its simulated campaigns.
    recommendation : Recommendation
        Which design, and why.
    calibration : Calibration or None
        How the simulator compares with a collection; None: it was not checked.
    scoring : PlanScoring
        How campaigns arrive at a ranking.
    seed : int
        The seed.
    files : tuple of path
        What the simulator was fitted to.
    """

    summary: Summary = field(repr=False)
    recommendation: Recommendation
    calibration: Calibration | None = field(repr=False)
    scoring: PlanScoring
    seed: int
    files: tuple[FilePath, ...] = ()

    def table(self) -> Table:
        """A row for each design, the cheapest first; see `plan campaign`."""
        return summary_table(self.summary)

    def digest(self) -> Table:
        """The table for a terminal: low, median and high in one cell."""
        return digest_table(self.summary)

    def figure(self) -> Figure:
        """Cost and τ of the designs that no other beats."""
        return front_figure(self.summary)

    def report(self) -> Report:
        """The plan as a report."""
        designs = self.summary.trials.designs
        manifest = manifest_for(
            ("qrelsmith", "plan", "campaign"),
            parameters={
                "designs": {design.name: plan_design_text(design) for design in designs},
                "measure": self.scoring.measure,
                "preference_measure": self.scoring.preference_measure,
                "aggregation": self.scoring.aggregation,
                "campaigns": self.summary.trials.campaigns,
            },
            seed=self.seed,
            inputs=list(self.files),
        )
        return plan_report(
            self.summary,
            self.recommendation,
            self.calibration,
            self.scoring,
            manifest=manifest_text(manifest),
        )


@question(
    "plan campaign",
    no_audit="it is asked before a campaign is paid for",
    flags={"measure": "-m"},
)
def plan_campaign(
    designs: DesignLike | Sequence[DesignLike] = (),
    *,
    topics: int | Sequence[int] = (),
    depth: int | Sequence[int] = (),
    systems: int | Sequence[int] = (),
    levels: int | Sequence[int] = (),
    per_doc: int | Sequence[int] = (),
    assessors: int | Sequence[int] = (),
    ordering: str | Sequence[str] = (),
    k: int | Sequence[int] = (),
    finalists: int | Sequence[int] = (),
    pairings: int | Sequence[int] = (),
    seconds: tuple[float, float] | None = None,
    wage: float | None = None,
    fee: float | None = None,
    budget: float | None = None,
    within: float = 0.02,
    measure: str = "nDCG@10",
    preference_measure: str = "Compat(p=0.9)",
    by: str = "median",
    campaigns: int = 100,
    fit: JudgmentsLike | None = None,
    fit_runs: RunsLike | None = None,
    fit_scale: Scale | None = None,
    seed: int = 0,
    jobs: int | None = None,
    advance: Callable[[], None] = lambda: None,
    sweep: Sweep | None = None,
) -> CampaignPlan:
    """Designs of a campaign beside each other: cost, hours, agreement, τ to the true ranking.

    Parameters
    ----------
    designs : str, path, CampaignDesign, or several
        Names in `DESIGNS`, TOML files as of `simulate campaign`, or designs; by default `small` or,
        with a fit, the collection itself.
    topics, depth, systems, levels, per_doc, assessors, ordering, k, finalists, pairings
        Values in which the designs vary, one or several each: every combination is a design. Grades
        of the scale are `levels`, judgments a doc by each group `per_doc`; k docs are sought at the
        top by preferences (0: none), all pairs of `finalists` candidates are judged, and each
        candidate is paired with `pairings` others.
    seconds : (float, float), optional
        Mean seconds for a judgment, all included: of the fastest and of the slowest assessor.
    wage, fee : float, optional
        What an hour of an assessor, and what each judged doc costs.
    budget : float, optional
        What may be spent, in 95 % of the campaigns.
    within : float
        How much less of mean τ is as good, where it is cheaper.
    measure, preference_measure : str
        What ranks the systems; what does where preferences follow the grades.
    by : str
        How several grades of a doc become one: a name of `AGGREGATIONS`.
    campaigns : int
        How many campaigns of each design are simulated.
    fit : campaign, judgments, or qrels of several label sets; optional
        A collection that the simulator is fitted to, on half of its topics, and held against, on
        the other half.
    fit_runs, fit_scale : optional
        Its runs and the levels of its labels; by default a campaign's.
    seed : int
        The seed.
    jobs : int, optional
        How many processes; by default one a processor.
    advance : callable
        Called after each step of the fit.
    sweep : callable, optional
        Computes the simulated campaigns in place of `jobs` processes, such as on a cluster.

    Returns
    -------
    CampaignPlan

    Raises
    ------
    UnknownNameError
        If a name is not known.
    UsageError
        If a design cannot be.
    InputError
        If a file is not as it should be.

    Examples
    --------
    >>> from qrelsmith import plan_campaign
    >>> plan = plan_campaign("small", topics=[4, 8], campaigns=2, jobs=1)
    >>> [row[0] for row in plan.table().rows]
    ['small (topics 4)', 'small (topics 8)']
    """
    axes: dict[str, Sequence[int | str]] = {
        "topics": as_list(topics),
        "depth": as_list(depth),
        "systems": as_list(systems),
        "levels": as_list(levels),
        "per_doc": as_list(per_doc),
        "assessors": as_list(assessors),
        "ordering": as_list(ordering),
        "k": as_list(k),
        "finalists": as_list(finalists),
        "pairings": as_list(pairings),
    }
    grid: Grid = {axis: tuple(dict.fromkeys(varied)) for axis, varied in axes.items() if varied}
    scoring = PlanScoring(MEASURES.label(measure), MEASURES.label(preference_measure), by)
    several = designs if isinstance(designs, list | tuple) else [cast("DesignLike", designs)]
    chosen = [_design(one, grid) for one in several or (() if fit is not None else ("small",))]
    calibration: Calibration | None = None
    files: tuple[FilePath, ...] = ()
    notes: list[str] = []
    if fit is not None:
        checked = checked_simulator(
            fit, fit_runs, fit_scale, measure=scoring.measure, seed=seed, jobs=jobs, advance=advance
        )
        calibration, files = checked.calibration, checked.files
        notes += [*checked.notes, check_sentence(calibration)]
        chosen = [
            (like_fitted(design, calibration.fitted), varied) for design, varied in chosen
        ] or [(fitted_plan(calibration.fitted, topics=len(checked.observed.topics)), grid)]
    terms = Terms(seconds, wage, fee)
    planned = planned_designs([(with_terms(design, terms), varied) for design, varied in chosen])
    compute = sweep or (lambda cells: run_cells(cells, jobs=jobs))
    trials = draw_trials(planned, scoring, campaigns=campaigns, seed=seed, sweep=compute)
    summary = summarise(trials, seed=seed)
    advice = recommend(summary, budget=budget, within=within)
    return CampaignPlan(
        summary=summary,
        recommendation=advice,
        calibration=calibration,
        scoring=scoring,
        seed=seed,
        files=files,
        notes=(*notes, *advice_sentences(advice, calibration)),
    )


def _design(design: DesignLike, varied: Grid) -> tuple[PlanDesign, Grid]:
    """A design, with the values that it varies in."""
    if isinstance(design, PlanDesign):
        return design, varied
    if isinstance(design, CampaignDesign):
        return PlanDesign("design", design), varied
    named, grid = plan_design(design)
    return named, {**grid, **varied}
