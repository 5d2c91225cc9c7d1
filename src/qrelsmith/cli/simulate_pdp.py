"""`qrelsmith simulate pdp`."""

from __future__ import annotations

import re
from typing import Any

import click

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.base.errors import UsageError
from qrelsmith.cli.options import Common, Finite, common_options
from qrelsmith.cli.sweeping import Sweeper, dask_option
from qrelsmith.planning.simulation.design import BIASES, JUDGING


def _ends(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[float, float] | None:
    """Two numbers, of an option LOW:HIGH."""
    if value is None:
        return None
    if not re.fullmatch(r"[^:]+:[^:]+", value):
        raise click.BadParameter(f"{value!r}: expected LOW:HIGH such as 2:5", ctx, param)
    low, high = (Finite().convert(text, param, ctx) for text in value.split(":"))
    return low, high


@click.command(
    name="pdp",
    short_help="Synthetic annotations, as in the paper on PDP.",
    epilog="Example: qrelsmith simulate pdp --topics 300 --levels 2 --levels 4 --levels 7",
)
@click.option(
    "--topics", type=click.IntRange(min=1), default=1000, show_default=True,
    help="Topics; 10000 in the paper.",
)  # fmt: skip
@click.option(
    "--batch-size", type=click.IntRange(min=1), default=100, show_default=True,
    help="Topics that share assessors.",
)  # fmt: skip
@click.option(
    "--docs", type=click.IntRange(1, 20), default=5, show_default=True, help="Docs of a topic."
)
@click.option(
    "--assessors", type=click.IntRange(min=1), default=15, show_default=True,
    help="Assessors, who judge every doc.",
)  # fmt: skip
@click.option(
    "--levels", type=click.IntRange(min=2), multiple=True, default=(4,), show_default=True,
    help="Grades of the scale; repeat for more scales on the same annotations.",
)  # fmt: skip
@click.option(
    "--coefficient", "coefficients", type=click.Choice(COEFFICIENTS.names()), multiple=True,
    default=("alpha-ordinal",), show_default=True, help="Of agreement; repeat for more.",
)  # fmt: skip
@click.option(
    "--shape", callback=_ends, metavar="LOW:HIGH", help="Of alpha and beta of a topic.  [2:5]"
)
@click.option(
    "--sigma", callback=_ends, metavar="LOW:HIGH", help="Of the assessors' error.  [0.001:0.3]"
)
@click.option(
    "--w", callback=_ends, metavar="LOW:HIGH",
    help="An annotation's own error is e^w times the assessor's.  [-0.5:0.5]",
)  # fmt: skip
@click.option(
    "--bias", type=click.Choice(BIASES), default="assessor", show_default=True,
    help="What an assessor's error is drawn for, which the paper leaves open.",
)  # fmt: skip
@click.option(
    "--judging", type=click.Choice(JUDGING), default="perceived", show_default=True,
    help="By what is perceived, or at random.",
)  # fmt: skip
@click.option(
    "--batch", type=click.IntRange(min=0), default=0, show_default=True,
    help="The batch that is written, on the first of the scales.",
)  # fmt: skip
@click.option("--write-judgments", type=click.Path(), help="Write the grades of a batch here.")
@click.option(
    "--write-preferences", type=click.Path(), help="Write the true preferences of a batch here."
)
@click.option("--cells", type=click.Path(), help="Keep what is computed in this folder.")
@dask_option
@common_options
def pdp(
    common: Common,
    topics: int,
    batch_size: int,
    batch: int,
    write_judgments: str | None,
    write_preferences: str | None,
    cells: str | None,
    dask: str | None,
    **options: Any,
) -> None:
    """Draw the synthetic annotations of the paper on PDP, section 4.1, and measure them.

    A topic has relevance from a beta distribution, an assessor perceives it with errors, a scale
    cuts what is perceived into grades. Every pair of docs is a preference test. A row for each
    batch and scale: batch, topics, sigma, levels, individual and aggregate (PDP in both modes, as
    the authors' program computes it), and the coefficients, all as means over topics.
    """
    from qrelsmith.judgments.judgment_files import write_judgments as write_labels
    from qrelsmith.pairs.preference_files import write_preferences as write_tests
    from qrelsmith.planning.simulate_pdp import simulate_pdp
    from qrelsmith.sweep import Parts

    batches = -(-topics // batch_size)
    # What is wrong with the batch is told before long work.
    if not batch < batches:
        raise UsageError(f"batch {batch}: expected 0 to {batches - 1}")
    parts = None if cells is None else Parts(cells)
    result = simulate_pdp(
        topics=topics,
        batch_size=batch_size,
        seed=common.seed,
        sweep=Sweeper(parts, common.jobs, dask, common.quiet, "simulating"),
        **options,
    )
    if write_judgments is not None:
        write_labels(result.judgments(batch), write_judgments)
    if write_preferences is not None:
        write_tests(result.preferences(batch), write_preferences)
    common.emit(result.table())
