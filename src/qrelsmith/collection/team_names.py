"""The teams of runs: from a table where there is one, else from the runs' names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_END_OF_TEAM = re.compile("[-_]")


def team_in_name(run: str) -> str:
    """Return team that a run's name begins with: what stands before the first hyphen or underscore.

    A name without one, or that begins with one, is a team of its own.

    >>> [team_in_name(run) for run in ("KASYS-CO-NEW-1", "p_bm25", "uogTrPC", "-x")]
    ['KASYS', 'p', 'uogTrPC', '-x']
    """
    return _END_OF_TEAM.split(run, maxsplit=1)[0] or run


def teams_of_runs(runs: Sequence[str], table: Mapping[str, str] | None) -> Mapping[str, str]:
    """Return the teams of runs: the table where there is one, else what the runs' names begin with.

    The names are as good as their owners made them. A team that is told apart too finely keeps docs
    that it alone brought; one that holds strangers loses some that others would have brought.

    Parameters
    ----------
    runs : sequence of str
        The runs' names.
    table : mapping of str to str, or None
        The teams of runs, as it is returned; a run that it lacks is a team of its own (see
        `team_numbers`). None or empty: there is no table.
    """
    return table or {run: team_in_name(run) for run in runs}
