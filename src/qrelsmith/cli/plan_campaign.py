"""`qrelsmith plan campaign`."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

import click

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import Scale
from qrelsmith.cli.fitted_campaign import fit_options
from qrelsmith.cli.options import Common, Finite, common_options
from qrelsmith.cli.plan_axes import axis_options, two_numbers
from qrelsmith.cli.plan_figures import PICTURES, draw
from qrelsmith.cli.progress import progress
from qrelsmith.cli.sweeping import Sweeper, dask_option

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
    "--by", default="median", show_default=True,
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
    fit: tuple[str, ...],
    fit_runs: tuple[str, ...],
    fit_scale: str | None,
    figure: str | None,
    report: str | None,
    cells: str | None,
    dask: str | None,
    **options: Any,
) -> None:
    """Weigh up designs of a campaign by what they cost and how well they rank the systems.

    DESIGN is a name or a TOML file as of simulate campaign; a file may have tables [preferences]
    and [grid]. Every combination of the values of repeated options is a design. A row for each,
    the cheapest first; for cost, hours, alpha, pdp, tau, tau_topics and power the median over
    simulated campaigns with 5 % and 95 % quantiles. tau is to the true ranking of the systems;
    front says whether no other design costs as little and ranks as well. On a terminal the table is
    shorter. Stderr recommends one design, uncalibrated unless the simulator was checked with --fit.
    """
    from qrelsmith.planning.campaign_plan.calibration import CAMPAIGNS
    from qrelsmith.planning.campaign_plan.fit import fit_steps
    from qrelsmith.planning.plan_campaign import plan_campaign
    from qrelsmith.report import write_report
    from qrelsmith.sweep import Parts

    _check_outputs(figure, report)
    sweep = Sweeper(
        None if cells is None else Parts(cells), common.jobs, dask, common.quiet, "planning"
    )
    steps = fit_steps() + CAMPAIGNS if fit else 1
    with progress("fitting the simulator", steps, quiet=common.quiet) as advance:
        plan = plan_campaign(
            designs,
            fit=(fit[0] if len(fit) == 1 else list(fit)) if fit else None,
            fit_runs=list(fit_runs) or None,
            fit_scale=None if fit_scale is None else Scale.parse(fit_scale),
            seed=common.seed,
            jobs=common.jobs,
            advance=advance,
            sweep=sweep,
            **options,
        )
    if figure is not None:
        draw(plan.figure(), figure, notice="The campaigns are simulated.")
    if report is not None:
        write_report(plan.report(), report, page=_PAGE)
        common.say([f"the report is in {Path(report) / _PAGE}"])
    common.say(plan.notes)
    common.emit(plan.table(), on_terminal=plan.digest())


def _check_outputs(figure: str | None, report: str | None) -> None:
    """Refuse before any work what could not be written after it."""
    from qrelsmith.report import check_dependencies, check_folder

    if figure is not None and PurePath(figure).suffix.lower() not in PICTURES:
        raise UsageError(f"--figure {quoted(figure)}; expected a file called *.svg or *.pdf")
    if figure is not None or report is not None:
        check_dependencies()
    if report is not None:
        check_folder(report)
