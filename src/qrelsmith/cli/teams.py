"""The teams of runs: a file, else the campaign's table, else what the runs' names begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from qrelsmith.analyses.run_teams import run_teams as teams_and_notes
from qrelsmith.cli.options import Common

teams_option = click.option(
    "--teams", "team_file", type=click.Path(), metavar="FILE",
    help="The team of each run: run team. Default: what stands before the first hyphen or"
    " underscore of a run's name.",
)  # fmt: skip


def run_teams(
    runs: Sequence[str],
    team_file: str | None,
    common: Common,
    *,
    table: Mapping[str, str] | None = None,
) -> Mapping[str, str]:
    """The teams of runs; which ones, if they are read from names, is said.

    Parameters
    ----------
    runs : sequence of str
        The runs' names.
    team_file : path or None
        The file that was named.
    common : Common
        Where notes go.
    table : mapping of str to str, optional
        The campaign's, which counts where no file is named.
    """
    teams, notes = teams_and_notes(runs, team_file, table=table)
    common.say(notes)
    return teams
