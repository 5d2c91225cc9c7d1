"""`qrelsmith loto`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import click

from qrelsmith.analyses.leave_team_out import Contributors, TeamLeftOut, leave_teams_out
from qrelsmith.analyses.loaded_runs import deepest_rank, load_runs
from qrelsmith.cli.label_sets import (
    Empty,
    empty_topics_option,
    label_sets_and_runs,
    label_sets_option,
    read_label_sets,
    small_enough,
    topic_sets_option,
)
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.scoring import Scoring, scoring_options
from qrelsmith.data.team_names import teams_of_runs
from qrelsmith.data.teams import read_teams
from qrelsmith.stats.tau_intervals import INTERVALS
from qrelsmith.tables import Cell, Table

_SHOWN = 10  # teams that a note names


@click.command(
    name="loto",
    epilog="Example: qrelsmith loto gold.qrels runs/*.run --teams teams.txt --depth 30 -m nDCG@10",
)
@click.argument("files", type=click.Path(), nargs=-1, metavar="[QRELS] RUN...")
@label_sets_option
@topic_sets_option
@empty_topics_option
@click.option(
    "--teams", "team_file", type=click.Path(),
    help="A file with `run team` on a line. Without it the team is what stands before the first"
    " hyphen or underscore of a run's name.",
)  # fmt: skip
@click.option(
    "--depth", type=click.IntRange(min=1), required=True, help="The depth of the pools."
)  # fmt: skip
@click.option(
    "--interval", type=click.Choice(INTERVALS.names()), default="fieller", show_default=True,
    help="The 95 % interval: fieller of tau_b, consistent of tau_a.",
)  # fmt: skip
@scoring_options(required=True)
@common_options
def command(
    common: Common,
    scoring: Scoring,
    files: tuple[str, ...],
    label_sets: tuple[str, ...],
    topic_sets: tuple[str, ...],
    empty: Empty,
    team_file: str | None,
    depth: int,
    interval: str,
) -> None:
    """Leave one team out: would a system that did not contribute to the pools be ranked fairly.

    The docs that only one team's runs have in their top --depth are dropped from the qrels, and all
    systems are ranked again. Columns: measure, qrels, topic_set, team, runs, unique (docs that only
    this team brought), dropped (those of them that the qrels hold), dropped_relevant, left (pairs
    in the qrels without them), fall (ranks that the team's run loses which falls most), systems,
    tau_a, tau_b, tau_low, tau_high: the ranking without the team's docs beside the full one.
    tau_low and tau_high are nan for fewer than 5 systems and where tau is 1. Label sets are
    compared on the topics that they all have.
    """
    named, runs = label_sets_and_runs(files, label_sets)
    sets, chosen = read_label_sets(named, topic_sets, scoring, common, empty=empty)
    table = None if team_file is None else read_teams(team_file)
    rank = deepest_rank(scoring.measures, condensed=scoring.condensed)
    whole = rank is None and small_enough(runs)
    tops = load_runs(
        runs,
        depth=None if whole else max(depth, rank or 0),
        order=scoring.order,
        jobs=common.jobs,
    )
    teams = teams_of_runs([run.name for run in tops], table)
    contributors = Contributors.of(tops, teams if table is None else table, depth=depth)
    common.say(_teams_read(contributors, given=table is not None))
    rankings = len(sets) * (len(contributors.teams) + 1)
    with progress("leaving teams out", rankings, quiet=common.quiet) as advance:
        found = list(
            leave_teams_out(
                sets,
                tops if whole or rank is not None else runs,
                contributors,
                scoring.measures,
                topic_sets=chosen,
                interval=interval,
                order=scoring.order,
                gains=scoring.gains,
                gmax=None if scoring.scale is None or scoring.gains else scoring.scale.top,
                condensed=scoring.condensed,
                jobs=common.jobs,
                advance=advance,
                say=lambda note: common.say([note]),
            )
        )
    common.say(_undefined(found))
    columns = (
        "measure", "qrels", "topic_set", "team", "runs", "unique", "dropped", "dropped_relevant",
        "left", "fall", "systems", "tau_a", "tau_b", "tau_low", "tau_high",
    )  # fmt: skip
    rows = sorted(found, key=lambda row: (row.measure, row.qrels, row.topic_set, row.team))
    common.emit(Table.of(columns, [_cells(row) for row in rows]))


def _cells(row: TeamLeftOut) -> tuple[Cell, ...]:
    one = row.comparison
    return (
        row.measure, row.qrels, row.topic_set, row.team, row.runs, row.unique, row.dropped,
        row.dropped_relevant, row.left, row.fall, one.systems, one.tau_a, one.tau_b, one.low,
        one.high,
    )  # fmt: skip


def _teams_read(contributors: Contributors, *, given: bool) -> list[str]:
    """Which teams there are, where nobody named them."""
    if given:
        return []
    names = contributors.teams
    more = ", …" if len(names) > _SHOWN else ""
    shown = ", ".join(names[:_SHOWN])
    return [f"no --teams: read from the runs' names, {len(names)} teams ({shown}{more})"]


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
