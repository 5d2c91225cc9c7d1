"""`qrelsmith pool`."""

from __future__ import annotations

import click

from qrelsmith.analyses.run_pools import pool_runs
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.data.pools import pools_text
from qrelsmith.data.run_order import RUN_ORDERS
from qrelsmith.data.topic_set import read_topic_set
from qrelsmith.pooling import ORDERINGS


@click.command(
    name="pool",
    epilog="Example: qrelsmith pool runs/*.run --depth 30 --ordering randomised -o my.pool",
)
@click.argument("runs", type=click.Path(), nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--depth", type=click.IntRange(min=1), required=True,
    help="How many docs of each run and topic are pooled.",
)  # fmt: skip
@click.option(
    "--ordering", type=click.Choice(ORDERINGS.names()), default="prioritised", show_default=True,
    help="In which order the docs are shown.",
)  # fmt: skip
@click.option("--topic-set", type=click.Path(), help="A file of topics, one a line: only these.")
@click.option(
    "--order", type=click.Choice(RUN_ORDERS.names()), default="trec", show_default=True,
    help="How the docs of a run are ranked.",
)  # fmt: skip
@common_options
def command(
    common: Common,
    runs: tuple[str, ...],
    depth: int,
    ordering: str,
    topic_set: str | None,
    order: str,
) -> None:
    """Pool runs: the union of the docs that each of them ranks within a depth."""
    topics = None if topic_set is None else read_topic_set(topic_set)
    with progress("reading runs", len(runs), quiet=common.quiet) as advance:
        pooled = pool_runs(
            runs, depth=depth, topics=topics, order=order, jobs=common.jobs or 1, advance=advance
        )
    text = pools_text(pooled.ordered(ordering, seed=common.seed), path=common.output)
    common.put(text.encode("utf-8"))
