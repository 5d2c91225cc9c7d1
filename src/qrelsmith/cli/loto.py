"""`qrelsmith loto`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import click

from qrelsmith.analyses.leave_team_out import Contributors, TeamLeftOut, leave_teams_out
from qrelsmith.analyses.loaded_runs import deepest_rank, load_runs
from qrelsmith.cli.compared_sets import campaign_options, compared_sets
from qrelsmith.cli.label_sets import (
    Empty,
    empty_topics_option,
    label_sets_option,
    small_enough,
    topic_sets_option,
)
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import Scoring, scoring_options
from qrelsmith.cli.teams import run_teams, teams_option
from qrelsmith.data.found_docs import read_found_docs
from qrelsmith.stats.tau_intervals import INTERVALS
from qrelsmith.tables import Cell, Table


@click.command(
    name="loto",
    epilog="Example: qrelsmith loto gold.qrels runs/*.run --teams teams.txt --depth 30 -m nDCG@10",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[QRELS] RUN...|CAMPAIGN",
    callback=folders_of_runs,
)  # fmt: skip
@campaign_options
@label_sets_option
@topic_sets_option
@empty_topics_option
@teams_option
@click.option(
    "--depth", type=click.IntRange(min=1),
    help="The depth of the pools; default: that of the campaign's pool files.",
)  # fmt: skip
@click.option(
    "--found", type=click.Path(), metavar="FILE",
    help="Docs found otherwise, as for pool: topic doc. No team alone brought them.",
)  # fmt: skip
@click.option(
    "--interval", type=click.Choice(INTERVALS.names()), default="fieller", show_default=True,
    help="The 95 % interval: fieller of tau_b, consistent of tau_a.",
)  # fmt: skip
@scoring_options(required=False)
@common_options
def command(
    common: Common,
    scoring: Scoring,
    files: tuple[str, ...],
    chosen_sets: tuple[str, ...],
    orderings: tuple[str, ...],
    label_sets: tuple[str, ...],
    topic_sets: tuple[str, ...],
    empty: Empty,
    team_file: str | None,
    depth: int | None,
    found: str | None,
    interval: str,
) -> None:
    """Leave one team out: would a system that did not contribute to the pools be ranked fairly.

    The docs that only one team's runs have in their top --depth are dropped from the qrels, and all
    systems are ranked again. Columns: measure, qrels, topic_set, team, runs, unique (docs that only
    this team brought), dropped (those of them that the qrels hold), dropped_relevant, left (pairs
    in the qrels without them), fall (ranks that the team's run loses which falls most), systems,
    tau_a, tau_b, tau_low, tau_high: the ranking without the team's docs beside the full one.
    tau_low and tau_high are nan for fewer than 5 systems and where tau is 1. Label sets are
    compared on the topics that they all have. A campaign folder in place of the files stands for
    its label sets, runs, teams, measures and the depth of its pools.
    """
    compared = compared_sets(
        files, label_sets, topic_sets, chosen_sets, orderings, scoring, common, empty=empty
    )
    depth = depth or compared.pool_depth
    if depth is None:
        raise click.MissingParameter(param_hint="'--depth'", param_type="option")
    runs, scoring = compared.runs, compared.first_scoring
    rank = deepest_rank(scoring.measures, condensed=scoring.condensed)
    whole = rank is None and small_enough(runs)
    tops = load_runs(
        runs,
        depth=None if whole else max(depth, rank or 0),
        order=scoring.order,
        jobs=common.jobs,
    )
    table = None if compared.campaign is None else compared.campaign.teams
    contributors = Contributors.of(
        tops,
        run_teams([run.name for run in tops], team_file, common, table=table),
        depth=depth,
        found=None if found is None else read_found_docs(found),
    )
    rankings = len(compared.sets) * (len(contributors.teams) + 1)
    left_out: list[TeamLeftOut] = []
    with progress("leaving teams out", rankings, quiet=common.quiet) as advance:
        for one in compared.sets:
            own = compared.scoring[one.name]
            left_out += leave_teams_out(
                [one],
                tops if whole or rank is not None else runs,
                contributors,
                own.measures,
                topic_sets=compared.topic_sets,
                interval=interval,
                order=own.order,
                gains=own.gains,
                gmax=None if own.scale is None or own.gains else own.scale.top,
                condensed=own.condensed,
                jobs=common.jobs,
                advance=advance,
                say=lambda note: common.say([note]),
            )
    common.say(_undefined(left_out))
    columns = (
        "measure", "qrels", "topic_set", "team", "runs", "unique", "dropped", "dropped_relevant",
        "left", "fall", "systems", "tau_a", "tau_b", "tau_low", "tau_high",
    )  # fmt: skip
    rows = sorted(left_out, key=lambda row: (row.measure, row.qrels, row.topic_set, row.team))
    common.emit(Table.of(columns, [_cells(row) for row in rows]))


def _cells(row: TeamLeftOut) -> tuple[Cell, ...]:
    one = row.comparison
    return (
        row.measure, row.qrels, row.topic_set, row.team, row.runs, row.unique, row.dropped,
        row.dropped_relevant, row.left, row.fall, one.systems, one.tau_a, one.tau_b, one.low,
        one.high,
    )  # fmt: skip


def _undefined(found: Sequence[TeamLeftOut]) -> list[str]:
    notes = []
    for row in found:
        if math.isnan(row.comparison.tau_b):
            why = (
                "there is one system only"
                if row.comparison.systems < 2
                else "one ranking ties all systems"
            )
            notes.append(
                f"{row.measure} {row.qrels} {row.topic_set} without {row.team}: {why}; tau_b is"
                " undefined"
            )
    return notes
