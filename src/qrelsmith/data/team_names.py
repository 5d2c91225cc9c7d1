"""The teams of runs: from a table where there is one, else from the runs' names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_END_OF_TEAM = re.compile("[-_]")


def team_in_name(run: str) -> str:
    """The team that a run's name begins with: what stands before the first hyphen or underscore.

    A name without one, or that begins with one, is a team of its own.

    >>> [team_in_name(run) for run in ("KASYS-CO-NEW-1", "p_bm25", "uogTrPC", "-x")]
    ['KASYS', 'p', 'uogTrPC', '-x']
    """
    return _END_OF_TEAM.split(run, maxsplit=1)[0] or run


def teams_of_runs(runs: Sequence[str], table: Mapping[str, str] | None) -> dict[str, str]:
    """The team of every run.

    Parameters
    ----------
    runs : sequence of str
        The runs' names.
    table : mapping of str to str, or None
        The teams of runs; a run that it lacks is a team of its own. None or empty: the teams are
        read from the runs' names.
    """
    if table:
        return {run: table.get(run, run) for run in runs}
    return {run: team_in_name(run) for run in runs}
