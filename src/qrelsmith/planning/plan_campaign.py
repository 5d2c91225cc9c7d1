"""The command `plan campaign`: costs of a campaign's designs, and quality of their rankings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias, cast

from qrelsmith.base.content import Figure, Report
from qrelsmith.base.options import (
    Advance,
    FigureFile,
    Jobs,
    KeptSweeping,
    Option,
    ReportFolder,
    Seed,
    Source,
)
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
from qrelsmith.planning.campaign_plan.summary import Summary, digest_table, summarise, summary_table
from qrelsmith.planning.campaign_plan.trials import draw_trials
from qrelsmith.planning.campaign_plan.workers import Terms, with_terms
from qrelsmith.planning.simulation import CampaignDesign
from qrelsmith.planning.simulation.ranges import parse_range
from qrelsmith.sweep import run_cells

DesignLike: TypeAlias = FilePath | CampaignDesign | PlanDesign


@dataclass(frozen=True, eq=False, kw_only=True)
class CampaignPlan(Result):
    """A comparison of the designs of a campaign, with a recommendation.

    Attributes
    ----------
    summary : Summary
        Cost, hours, agreement and τ of each design over its simulated campaigns.
    recommendation : Recommendation
        The recommended design, and the reason.
    calibration : Calibration or None
        The comparison of the simulator with a collection; None if there was none.
    scoring : PlanScoring
        How labels become a ranking of the systems.
    files : tuple of path
        The files that the simulator was fitted to.
    """

    summary: Summary = field(repr=False)
    recommendation: Recommendation
    calibration: Calibration | None = field(repr=False)
    scoring: PlanScoring
    seed: int
    files: tuple[FilePath, ...] = ()

    def table(self) -> Table:
        """Return a row for each design, the cheapest first; see `plan campaign`."""
        return summary_table(self.summary)

    def terminal_table(self) -> Table:
        """Return the table for a terminal: low, median and high in one cell."""
        return digest_table(self.summary)

    def figure(self) -> Figure:
        """Return a chart of the costs and τ of the designs on the Pareto front."""
        return front_figure(self.summary)

    def report(self) -> Report:
        """Return the plan as a report."""
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


def _path_or_paths(paths: Sequence[str]) -> str | list[str]:
    return paths[0] if len(paths) == 1 else list(paths)


def _designs(words: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    del options
    return {"designs": words}


@question(
    "plan campaign",
    no_audit="it is used before a campaign is paid for",
    example="qrelsmith plan campaign www4 --topic-count 25 --topic-count 50 --depth 20 --depth 60"
    " --seconds 20:40 --wage 15 --spend 3000",
    doing="planning",
    short="Compare designs of a campaign by cost, hours, agreement and tau.",
    writes={
        "figure": FigureFile(
            "Draw the Pareto front to this file (.svg or .pdf).", "The campaigns are simulated."
        ),
        "report": ReportFolder(
            "Write a report into this folder.", lambda plan, _: plan.report(), "plan.html"
        ),
    },
)
def plan_campaign(
    designs: Annotated[DesignLike | Sequence[DesignLike], Source(
        "Names of designs, TOML files as for `simulate campaign`, or designs. Default: `small`;"
        " with --fit, the design of the collection.", "[DESIGN]...", _designs)] = (),
    *,
    topic_count: Annotated[int | Sequence[int], Option(
        "Number of topics.", least=1, was={"topics": {}})] = (),
    depth: Annotated[int | Sequence[int], Option("Depth of the pools.", least=1)] = (),
    systems: Annotated[int | Sequence[int], Option("Number of systems, with one run each.",
        least=1)] = (),
    levels: Annotated[int | Sequence[int], Option("Grades of the scale.", least=1)] = (),
    per_doc: Annotated[int | Sequence[int], Option(
        "Judgments per doc by each group, except groups that judge their own topics; groups that"
        " are too small are enlarged.", least=1)] = (),
    assessors: Annotated[int | Sequence[int], Option(
        "Number of assessors in each group, except groups that judge their own topics.",
        least=1)] = (),
    ordering: Annotated[str | Sequence[str], Option(
        "Ordering of the docs (`balanced`: half prioritised, half randomised).")] = (),
    k: Annotated[int | Sequence[int], Option(
        "Number of best docs per topic to find by preferences; 0: no preferences.", least=0)] = (),
    finalists: Annotated[int | Sequence[int], Option(
        "F: maximum number of finalists, whose pairs are all judged.", least=1)] = (),
    pairings: Annotated[int | Sequence[int], Option(
        "P: number of pairings per candidate.", least=1)] = (),
    seconds: Annotated[
        tuple[float, float] | None,
        Option(
            "Mean seconds per judgment of the fastest and the slowest assessor; default: as in"
            " the design.",
            metavar="LOW:HIGH",
            read=lambda text: parse_range(
                text, flag="--seconds", example="20:40", alone=True, least=0
            ),
        ),
    ] = None,
    wage: Annotated[float | None, Option("Cost of an assessor's hour of work.", least=0)] = None,
    fee: Annotated[float | None, Option("Additional cost per judged doc.", least=0)] = None,
    spend: Annotated[float | None, Option(
        "Budget within which 95% of the campaigns must stay.", least=0, was={"budget": {}})] = None,
    tau_loss: Annotated[float, Option(
        "Largest accepted loss of mean tau for a cheaper design.", least=0, most=1,
        was={"within": {}})] = 0.02,
    measure: Annotated[str, Option("Measure that ranks the systems.", ("-m", "--measure"))] =
    "nDCG@10",
    preference_measure: Annotated[str, Option(
        "Measure that ranks the systems if preferences are collected after the grades.")] =
        "Compat(p=0.9)",
    aggregation: Annotated[str, Option(
        "Aggregation of several grades, as in `aggregate`.", was={"by": {}})] = "median",
    campaigns: Annotated[int, Option(
        "Number of simulated campaigns per design.", least=1)] = 100,
    fit: Annotated[JudgmentsLike | None, Option(
        "Collection for calibration (a campaign folder, or files of labels): the simulator is"
        " fitted to half of its topics and compared with the other half; repeatable.",
        metavar="CAMPAIGN|FILE", file=True, many=True, gather=_path_or_paths)] = None,
    fit_runs: Annotated[RunsLike | None, Option(
        "Run, or folder of runs, of the --fit collection; repeatable. Default: the campaign's"
        " runs.", metavar="RUN", file=True, many=True)] = None,
    fit_scale: Annotated[Scale | None, Option(
        "Levels of the --fit labels, such as 0..3; default: the campaign's levels, or 0 to the"
        " highest grade.", metavar="LEVELS", read=Scale.parse)] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    advance: Advance = lambda: None,
    sweep: KeptSweeping = None,
) -> CampaignPlan:  # fmt: skip
    """Compare designs of a campaign by cost and by the quality of their rankings of systems.

    DESIGN is a name or a TOML file, as in `simulate campaign`; the file can have the tables
    [preferences] and [grid]. Every combination of the values of repeated options is a design. There
    is one row per design, the cheapest first. A row has the median and the 5% and 95% quantiles of
    cost, hours, alpha, pdp, tau, tau_topics and power over simulated campaigns. `tau` compares the
    campaign's ranking of the systems with the true ranking. `front` is true if no other design is
    both as cheap and as good. On a terminal, the table has fewer columns. A recommendation is
    printed to stderr; the recommendation is called uncalibrated unless you check the simulator with
    --fit.

    Raises
    ------
    UnknownNameError
        If a name is unknown.
    UsageError
        If a design is invalid.
    InputError
        If a file is malformed.

    Examples
    --------
    >>> from qrelsmith import plan_campaign
    >>> plan = plan_campaign("small", topic_count=[4, 8], campaigns=2, jobs=1)
    >>> [row[0] for row in plan.table().rows]
    ['small (topics 4)', 'small (topics 8)']
    """
    axes: dict[str, Sequence[int | str]] = {
        "topics": as_list(topic_count),
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
    scoring = PlanScoring(MEASURES.label(measure), MEASURES.label(preference_measure), aggregation)
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
    advice = recommend(summary, budget=spend, within=tau_loss)
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
    """Return a design, and the values that vary."""
    if isinstance(design, PlanDesign):
        return design, varied
    if isinstance(design, CampaignDesign):
        return PlanDesign("design", design), varied
    named, grid = plan_design(design)
    return named, {**grid, **varied}
