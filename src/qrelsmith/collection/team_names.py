"""The teams of runs, from a table if there is one, otherwise from the runs' names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_END_OF_TEAM = re.compile("[-_]")


def team_in_name(run: str) -> str:
    """Return the team in a run's name: the part before the first hyphen or underscore.

    A name without a hyphen or underscore, or with one at the start, is a separate team.

    >>> [team_in_name(run) for run in ("KASYS-CO-NEW-1", "p_bm25", "uogTrPC", "-x")]
    ['KASYS', 'p', 'uogTrPC', '-x']
    """
    return _END_OF_TEAM.split(run, maxsplit=1)[0] or run


def teams_of_runs(runs: Sequence[str], table: Mapping[str, str] | None) -> Mapping[str, str]:
    """Return the teams of runs, from the table if there is one, otherwise from the runs' names.

    Teams derived from names may be wrong. If one team is read as two and one of these is left out
    of the pool, the other still contributes docs. If two teams are read as one, the docs of both
    are left out.

    Parameters
    ----------
    runs : sequence of str
        The runs' names.
    table : mapping of str to str, or None
        The teams of runs, which are returned; a run that is missing in the table is a separate team
        (see `team_numbers`). None or empty: there is no table.
    """
    return table or {run: team_in_name(run) for run in runs}
