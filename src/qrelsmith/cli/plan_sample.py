"""`qrelsmith plan sample`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from qrelsmith.cli.options import Common, Finite, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.sampling import sampling_options
from qrelsmith.estimation.plan_sample import BUDGETS, plan_sample


@click.command(
    name="sample",
    short_help="Widths and decided pairs that a budget would give.",
    epilog="Example: qrelsmith plan sample runs/*.run --label-set llm.qrels -m nDCG@10",
)
@click.option(
    "--budget", type=click.IntRange(min=1), multiple=True, default=BUDGETS, show_default=True,
    metavar="N", help="How many docs people judge; repeat for more.",
)  # fmt: skip
@click.option(
    "--agreement", type=Finite(0, 1), default=0.6, show_default=True,
    help="How far people and the models agree, as α of one with the other.",
)  # fmt: skip
@click.option(
    "--draws", type=click.IntRange(min=1), default=5, show_default=True,
    help="Samples drawn for each budget.",
)  # fmt: skip
@sampling_options
@common_options
def sample(common: Common, asked: Mapping[str, Any], **options: Any) -> None:
    """Forecast widths and decided pairs for a budget from models' labels alone.

    Columns: measure, budget, width (mean, of the interval of a score; nan where it is refused),
    width_difference, decided (share of pairs). People's grades are simulated: they agree with the
    models as far as --agreement says, and favour the docs of runs that the models say are good.
    """
    with progress("drawing samples", None, quiet=common.quiet) as advance:
        plan = plan_sample(**asked, **options, seed=common.seed, advance=advance)
    common.say(plan.notes)
    common.emit(plan.table())
