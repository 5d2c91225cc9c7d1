"""Teams of runs: a text file with `run team` on each line."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.errors import InputError, InputWarning, quoted
from qrelsmith.io.text import FilePath, data_lines, decode_fields, in_order_of_lines, read_bytes


def read_teams(path: FilePath) -> dict[str, str]:
    """Return the team of each run in a file; runs have their names in tables, usually the tags.

    Raises
    ------
    InputError
        If a line is not `run team`, a run appears twice, or the file names no run.
    """
    teams = in_order_of_lines(lambda block: _parse(block, path), read_bytes(path))
    if not teams:
        raise InputError("the file has no runs; expected lines: run team", path=path)
    return teams


def team_numbers(runs: Sequence[str], teams: Mapping[str, str]) -> tuple[tuple[str, ...], IntArray]:
    """Return the sorted teams, and the position of each run's team in this list [run].

    A run without a team is a separate team with the run's name. Names that belong to no run cause a
    warning, because a file's name is easily mistaken for a tag.
    """
    strangers = sorted(teams.keys() - set(runs))
    if strangers:
        warnings.warn(
            f"the teams include the unknown run {quoted(strangers[0])}"
            + (f" and {len(strangers) - 1} more" if strangers[1:] else "")
            + f" (runs: {', '.join(runs[:5])}{', …' if runs[5:] else ''})",
            InputWarning,
            stacklevel=2,
        )
    owners = [teams.get(run, run) for run in runs]
    names = tuple(sorted(set(owners)))
    place = {name: number for number, name in enumerate(names)}
    return names, np.array([place[owner] for owner in owners], dtype=np.int64)


def _parse(block: bytes, path: FilePath) -> dict[str, str]:
    numbers, lines = data_lines(block, path=path)
    rows = [line.split() for line in lines]
    for number, line, row in zip(numbers, lines, rows, strict=True):
        if len(row) != 2:
            raise InputError(
                f"found {len(row)} fields in {quoted(line)}; expected 2: run team",
                path=path,
                line=number,
            )
    runs = decode_fields([row[0] for row in rows], numbers, path=path, what="run")
    owners = decode_fields([row[1] for row in rows], numbers, path=path, what="team")
    teams: dict[str, str] = {}
    for number, run, team in zip(numbers, runs, owners, strict=True):
        if run in teams:
            raise InputError(
                f"the run {quoted(run)} appears twice; expected it once", path=path, line=number
            )
        teams[run] = team
    return teams
