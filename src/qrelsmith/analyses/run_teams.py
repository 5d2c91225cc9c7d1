"""The teams of runs: a file or a table, else what the runs' names begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple, TypeAlias

from qrelsmith.data.given_values import described, given_id
from qrelsmith.data.team_names import teams_of_runs
from qrelsmith.data.teams import read_teams, team_numbers
from qrelsmith.errors import UsageError

# A file, or {run: team}.
TeamsLike: TypeAlias = Any

_SHOWN = 10  # teams that a note names


class RunTeams(NamedTuple):
    """The team of each run.

    Attributes
    ----------
    owners : mapping of str to str
        By run.
    note : str
        That they are guessed, and which there are; empty where somebody said them.
    """

    owners: Mapping[str, str]
    note: str


def run_teams(
    runs: Sequence[str], teams: TeamsLike | None, *, table: Mapping[str, str] | None = None
) -> RunTeams:
    """The teams of runs.

    Parameters
    ----------
    runs : sequence of str
        The runs' names.
    teams : path, or mapping of str to str, or None
        The teams that were named; a run that is not there is a team of its own.
    table : mapping of str to str, optional
        The campaign's, which count where none were named.

    Raises
    ------
    InputError
        If the file is not as it should be.
    UsageError
        If the teams are neither a file nor a mapping of names.
    """
    if isinstance(teams, str | PathLike):
        given: Mapping[str, str] | None = read_teams(teams)
    elif isinstance(teams, Mapping):
        given = {given_id(run, "run"): given_id(team, "team") for run, team in teams.items()}
    elif teams is None:
        given = table
    else:
        raise UsageError(f"expected teams: a path or {{run: team}}; got {described(teams)}")
    owners = teams_of_runs(runs, given)
    if given:
        names, of = team_numbers(runs, owners)
        return RunTeams({run: names[team] for run, team in zip(runs, of.tolist(), strict=True)}, "")
    named = sorted(set(owners.values()))
    more = ", …" if len(named) > _SHOWN else ""
    shown = ", ".join(named[:_SHOWN])
    return RunTeams(
        owners,
        f"no teams were named: read from the runs' names, {len(named)} teams ({shown}{more})",
    )
