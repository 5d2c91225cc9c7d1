"""The teams of runs, taken from the input, else the campaign, else prefixes of the runs' names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

from qrelsmith.base.errors import UsageError
from qrelsmith.collection.team_names import teams_of_runs
from qrelsmith.collection.teams import read_teams
from qrelsmith.io.given_values import describe, id_text
from qrelsmith.io.text import FilePath

_SHOWN = 10  # most teams listed in a note


def run_teams(
    runs: Sequence[str],
    teams: Mapping[str, str] | FilePath | None,
    *,
    table: Mapping[str, str] | None = None,
) -> tuple[Mapping[str, str], list[str]]:
    """Return the team of each run, and a note if the teams are inferred from names.

    Parameters
    ----------
    runs : sequence of str
        The runs' names.
    teams : mapping of str to str, path, or None
        The given teams, or their file.
    table : mapping of str to str, optional
        The campaign's teams, used if none are given.

    Raises
    ------
    InputError
        If the file is malformed.
    UsageError
        If the teams are neither a mapping nor a file.
    """
    if isinstance(teams, str | PathLike):
        named: Mapping[str, str] | None = read_teams(teams)
    elif isinstance(teams, Mapping):
        named = {id_text(run, "run"): id_text(team, "team") for run, team in teams.items()}
    elif teams is None:
        named = table
    else:
        raise UsageError(f"expected teams: a path or {{run: team}}; found {describe(teams)}")
    team_of = teams_of_runs(runs, named)
    if named:
        return team_of, []
    names = sorted(set(team_of.values()))
    more = ", …" if len(names) > _SHOWN else ""
    shown = ", ".join(names[:_SHOWN])
    return team_of, [
        f"without --teams, teams are read from the names of the runs ({len(names)}: {shown}{more})"
    ]
