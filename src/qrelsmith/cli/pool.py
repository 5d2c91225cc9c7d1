"""`qrelsmith pool`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qrelsmith.cli.options import Common, common_options, topic_set_option
from qrelsmith.cli.progress import progress
from qrelsmith.cli.ranking_sources import reference_option
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.teams import teams_option
from qrelsmith.collection.pools import ORDERINGS
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.io.text import FilePath

if TYPE_CHECKING:
    from qrelsmith.pooling.pool import PooledRuns


@click.command(
    name="pool",
    epilog="Example: qrelsmith pool runs/*.run --depth 30 --ordering prioritised -o my.pool",
)
@click.argument(
    "runs", type=click.Path(), nargs=-1, required=True, metavar="CAMPAIGN|RUN...",
    callback=folders_of_runs,
)  # fmt: skip
@click.option(
    "--depth", type=click.IntRange(min=1),
    help="How many docs of each run and topic are pooled; default: as a campaign's pools.",
)  # fmt: skip
@click.option(
    "--ordering", type=click.Choice(ORDERINGS.names()), default="prioritised", show_default=True,
    help="In which order the docs are shown.",
)  # fmt: skip
@click.option(
    "--found", type=click.Path(), metavar="FILE",
    help="Docs found otherwise, such as while the topics were written: topic doc.",
)  # fmt: skip
@click.option(
    "--show", type=click.Choice(["pool", "sizes", "contributions"]), default="pool",
    show_default=True, help="The pool file, or a table about it.",
)  # fmt: skip
@teams_option
@click.option(
    "--qrels", type=click.Path(), help="Grades, so that contributions count relevant docs, too."
)
@reference_option
@click.option(
    "--topics", type=click.Choice(["all", "judged"]), default="all", show_default=True,
    help="Whether only topics of --qrels, or of a campaign's reference, are pooled.",
)  # fmt: skip
@topic_set_option
@click.option(
    "--order", type=click.Choice(RUN_ORDERS.names()), default="trec", show_default=True,
    help="How the docs of a run are ranked.",
)  # fmt: skip
@common_options
def command(common: Common, runs: tuple[str, ...], **options: Any) -> None:
    """Pool runs: which docs to judge, in which order.

    The docs that any of the runs ranks within a depth, in the order in which to show them.

    The result is a pool file, `topic doc position` under a line with ordering, depth and seed; with
    --format a table. If -o names a folder (a name with / at its end is made one), the file in it is
    called after its order. --show sizes:
    topic, runs, docs, one_run (docs of a single run), found (docs of no run). --show contributions:
    team, runs, docs, unique (docs of no other team). The same seed always gives the same order.
    """
    from qrelsmith.pooling.pool import pool

    with progress("reading runs", len(runs), quiet=common.quiet) as advance:
        result = pool(
            runs[0] if len(runs) == 1 else list(runs),
            seed=common.seed,
            jobs=common.jobs,
            advance=advance,
            **options,
        )
    common.say(result.notes)
    if result.show == "pool":
        _put_pools(result, common)
    else:
        common.emit(result.table())


def _put_pools(result: PooledRuns, common: Common) -> None:
    from qrelsmith.collection.pools.orderings import takes_seed
    from qrelsmith.collection.pools.pool_files import pools_text

    pools = result.pools
    if common.output is not None and _names_folder(common.output):
        folder = Path(common.output)
        folder.mkdir(exist_ok=True)
        seed = f"-{common.seed}" if takes_seed(pools.ordering) else ""
        common = replace(common, output=folder / f"{pools.ordering}-{pools.depth}{seed}.pool")
    if common.form is None:
        common.put(pools_text(pools, path=common.output).encode("utf-8"))
    else:
        common.emit(result.table())


def _names_folder(output: FilePath) -> bool:
    """Whether the output is a folder that is there, or is written as one."""
    return Path(output).is_dir() or str(output).endswith(("/", os.sep))
