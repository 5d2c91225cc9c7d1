"""`qrelsmith plan campaign`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath

import click

from qrelsmith.analyses.campaign_plan.calibration import Calibration
from qrelsmith.analyses.campaign_plan.designs import planned_designs
from qrelsmith.analyses.campaign_plan.fitted_design import fitted_plan, like_fitted
from qrelsmith.analyses.campaign_plan.grid import Grid
from qrelsmith.analyses.campaign_plan.outcome import Scoring
from qrelsmith.analyses.campaign_plan.plan_design import PlanDesign, plan_design, plan_design_text
from qrelsmith.analyses.campaign_plan.plan_report import (
    advice_sentences,
    check_sentence,
    front_figure,
    plan_report,
)
from qrelsmith.analyses.campaign_plan.recommendation import recommended
from qrelsmith.analyses.campaign_plan.summary import digest_table, summarised, summary_table
from qrelsmith.analyses.campaign_plan.trials import draw_trials
from qrelsmith.analyses.campaign_plan.workers import Terms, with_terms
from qrelsmith.cli.fitted_campaign import checked_simulator, fit_options
from qrelsmith.cli.options import Common, Finite, common_options
from qrelsmith.cli.plan_axes import axis_options, two_numbers
from qrelsmith.cli.plan_figures import PICTURES, draw
from qrelsmith.cli.sweeping import Sweeper, dask_option
from qrelsmith.data.manifest import manifest_for, manifest_text
from qrelsmith.data.text import FilePath
from qrelsmith.errors import UsageError, quoted
from qrelsmith.measures import MEASURES
from qrelsmith.report import check_dependencies, check_folder, write_report
from qrelsmith.sweep import Parts

_PAGE = "plan.html"


@click.command(
    name="campaign",
    short_help="Weigh up designs of a campaign: cost, hours, agreement, tau.",
    epilog="Example: qrelsmith plan campaign www4 --topics 25 --topics 50 --depth 20 --depth 60"
    " --seconds 20:40 --wage 15 --budget 3000",
)
@click.argument("designs", nargs=-1, metavar="[DESIGN]...")
@axis_options
@click.option(
    "--seconds", metavar="LOW:HIGH", callback=two_numbers,
    help="Mean seconds for a judgment, all included: from the fastest to the slowest assessor."
    " Default: as the design says.",
)  # fmt: skip
@click.option("--wage", type=Finite(min=0), help="What an hour of an assessor costs.")
@click.option("--fee", type=Finite(min=0), help="What each judged doc costs besides.")
@click.option("--budget", type=Finite(min=0), help="What may be spent, in 95 % of the campaigns.")
@click.option(
    "--within", type=Finite(0, 1), default=0.02, show_default=True,
    help="How much less of mean tau is as good, where it is cheaper.",
)  # fmt: skip
@click.option(
    "-m", "--measure", default="nDCG@10", show_default=True, help="What ranks the systems."
)
@click.option(
    "--preference-measure", default="Compat(p=0.9)", show_default=True,
    help="What ranks them where preferences follow the grades.",
)  # fmt: skip
@click.option(
    "--by", "aggregation", default="median", show_default=True,
    help="How several grades of a doc become one: as in aggregate.",
)  # fmt: skip
@click.option(
    "--campaigns", type=click.IntRange(min=1), default=100, show_default=True,
    help="How many campaigns of each design are simulated.",
)  # fmt: skip
@fit_options
@click.option("--figure", type=click.Path(), help="Draw the Pareto front: .svg or .pdf.")
@click.option("--report", type=click.Path(), help="Write a report into this folder.")
@click.option(
    "--cells", type=click.Path(),
    help="Keep what is computed in this folder, so that a plan that was stopped does only the"
    " rest.",
)  # fmt: skip
@dask_option
@common_options
def campaign(
    common: Common,
    designs: tuple[str, ...],
    seconds: tuple[float, float] | None,
    wage: float | None,
    fee: float | None,
    budget: float | None,
    within: float,
    measure: str,
    preference_measure: str,
    aggregation: str,
    campaigns: int,
    fit: tuple[str, ...],
    fit_runs: tuple[str, ...],
    fit_scale: str | None,
    figure: str | None,
    report: str | None,
    cells: str | None,
    dask: str | None,
    grid: Grid,
) -> None:
    """Weigh up designs of a campaign by what they cost and how well they rank the systems.

    DESIGN is a name or a TOML file as of simulate campaign; a file may have tables [preferences]
    and [grid]. Every combination of the values of repeated options is a design. A row for each,
    the cheapest first; for cost, hours, alpha, pdp, tau, tau_topics and power the median over
    simulated campaigns with 5 % and 95 % quantiles. tau is to the true ranking of the systems;
    front says whether no other design costs as little and ranks as well. On a terminal the table is
    shorter. Stderr recommends one design, uncalibrated unless the simulator was checked with --fit.
    """
    scoring = Scoring(MEASURES.label(measure), MEASURES.label(preference_measure), aggregation)
    _check_outputs(figure, report)
    chosen = _designs(designs or (() if fit else ("small",)), grid)
    calibration: Calibration | None = None
    read: tuple[FilePath, ...] = ()
    if fit:
        calibration, observed, read = checked_simulator(
            fit, fit_runs, fit_scale, measure=scoring.measure, common=common
        )
        common.say([check_sentence(calibration)])
        chosen = [(like_fitted(design, calibration.fitted), grid) for design, grid in chosen] or [
            (fitted_plan(calibration.fitted, topics=len(observed.topics)), grid)
        ]
    terms = Terms(seconds, wage, fee)
    planned = planned_designs([(with_terms(design, terms), grid) for design, grid in chosen])
    sweep = Sweeper(
        None if cells is None else Parts(cells), common.jobs, dask, common.quiet, "planning"
    )
    trials = draw_trials(planned, scoring, campaigns=campaigns, seed=common.seed, sweep=sweep)
    summary = summarised(trials, seed=common.seed)
    advice = recommended(summary, budget=budget, within=within)
    if figure is not None:
        draw(front_figure(summary), figure, notice="The campaigns are simulated.")
    if report is not None:
        manifest = _manifest(planned, scoring, campaigns, common.seed, read)
        page = plan_report(summary, advice, calibration, scoring, manifest=manifest)
        write_report(page, report, page=_PAGE)
        common.say([f"the report is in {Path(report) / _PAGE}"])
    common.say(advice_sentences(advice, calibration))
    common.emit(summary_table(summary), on_terminal=digest_table(summary))


def _designs(names: Sequence[str], given: Grid) -> list[tuple[PlanDesign, Grid]]:
    """The designs that were named, each with the values that it varies in."""
    found: list[tuple[PlanDesign, Grid]] = []
    for name in names:
        design, grid = plan_design(name)
        found.append((design, {**grid, **given}))
    return found


def _check_outputs(figure: str | None, report: str | None) -> None:
    """Refuse before any work what could not be written after it."""
    if figure is not None and PurePath(figure).suffix.lower() not in PICTURES:
        raise UsageError(f"--figure {quoted(figure)}; expected a file called *.svg or *.pdf")
    if figure is not None or report is not None:
        check_dependencies()
    if report is not None:
        check_folder(report)


def _manifest(
    designs: Sequence[PlanDesign],
    scoring: Scoring,
    campaigns: int,
    seed: int,
    read: Sequence[FilePath],
) -> str:
    parameters = {
        "designs": {design.name: plan_design_text(design) for design in designs},
        "measure": scoring.measure,
        "preference_measure": scoring.preference_measure,
        "aggregation": scoring.aggregation,
        "campaigns": campaigns,
    }
    manifest = manifest_for(
        ("qrelsmith", "plan", "campaign"), parameters=parameters, seed=seed, inputs=list(read)
    )
    return manifest_text(manifest)
