"""`qrelsmith pool`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click

from qrelsmith.analyses.pool_tables import pool_contributions, pool_sizes
from qrelsmith.analyses.run_pools import RunPools, pool_runs
from qrelsmith.analyses.run_teams import run_teams
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.teams import teams_option
from qrelsmith.data.found_docs import read_found_docs
from qrelsmith.data.pools import pools_text
from qrelsmith.data.qrels import read_qrels
from qrelsmith.data.run_order import RUN_ORDERS
from qrelsmith.data.text import FilePath
from qrelsmith.data.topic_set import read_topic_set
from qrelsmith.pooling import ORDERINGS
from qrelsmith.pooling.orderings import takes_seed
from qrelsmith.tables import Table


@click.command(
    name="pool",
    epilog="Example: qrelsmith pool runs/*.run --depth 30 --ordering prioritised -o my.pool",
)
@click.argument(
    "runs", type=click.Path(), nargs=-1, required=True, metavar="RUN...",
    callback=folders_of_runs,
)  # fmt: skip
@click.option(
    "--depth", type=click.IntRange(min=1), required=True,
    help="How many docs of each run and topic are pooled.",
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
    found: str | None,
    show: str,
    team_file: str | None,
    qrels: str | None,
    topic_set: str | None,
    order: str,
) -> None:
    """Pool runs: the docs that any of them ranks within a depth, in the order to show them.

    The result is a pool file, `topic doc position` under a line with ordering, depth and seed; with
    --format a table. If -o names a folder (a name with / at its end is made one), the file in it is
    called after its order. --show sizes:
    topic, runs, docs, one_run (docs of a single run), found (docs of no run). --show contributions:
    team, runs, docs, unique (docs of no other team). The same seed always gives the same order.
    """
    if show != "contributions" and (team_file is not None or qrels is not None):
        raise click.UsageError("--teams and --qrels are for --show contributions")
    topics = None if topic_set is None else read_topic_set(topic_set)
    grades = None if qrels is None else read_qrels(qrels)
    others = {} if found is None else read_found_docs(found)
    with progress("reading runs", len(runs), quiet=common.quiet) as advance:
        pooled = pool_runs(
            runs,
            depth=depth,
            topics=topics,
            found=others,
            order=order,
            jobs=common.jobs or 1,
            advance=advance,
        )
    # A file of teams that is wrong is told before anything is said.
    teams = run_teams(pooled.runs, team_file) if show == "contributions" else None
    common.say([*([teams.note] if teams and teams.note else []), *_notes(pooled, topics)])
    if show == "sizes":
        common.emit(pool_sizes(pooled))
    elif teams is not None:
        common.emit(pool_contributions(pooled, teams=teams.owners, qrels=grades))
    else:
        _put_pools(pooled, ordering, common)


def _put_pools(pooled: RunPools, ordering: str, common: Common) -> None:
    pools = pooled.ordered(ordering, seed=common.seed)
    if common.output is not None and _names_folder(common.output):
        folder = Path(common.output)
        folder.mkdir(exist_ok=True)
        seed = f"-{common.seed}" if takes_seed(ordering) else ""
        common = replace(common, output=folder / f"{ordering}-{pools.depth}{seed}.pool")
    if common.form is None:
        common.put(pools_text(pools, path=common.output).encode("utf-8"))
    else:
        common.emit(Table.of(("topic", "doc", "position"), pools.rows()))


def _names_folder(output: FilePath) -> bool:
    """Whether the output is a folder that is there, or is written as one."""
    return Path(output).is_dir() or str(output).endswith(("/", os.sep))


def _notes(pooled: RunPools, topics: tuple[str, ...] | None) -> list[str]:
    """What must be said about pools."""
    docs = sum(map(len, pooled.pools.values()))
    notes = [f"{docs} docs of {len(pooled.pools)} topics from {len(pooled.runs)} runs"]
    if pooled.tied:
        notes.append(
            f"score ties reach over the depth in {pooled.tied} rankings of a run and a topic;"
            " the run order decided"
        )
    lacking = [topic for topic in topics or () if topic not in pooled.pools]
    if lacking:
        notes.append(f"topics that no run has: {len(lacking)} (first: {lacking[0]})")
    return notes
