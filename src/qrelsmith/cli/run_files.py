"""Runs as a command line names them: files, and folders of them."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from qrelsmith.base.errors import InputError
from qrelsmith.judgments.run_options import run_words


def folders_of_runs(
    _: click.Context, argument: click.Parameter, paths: Sequence[str]
) -> tuple[str, ...]:
    """For an argument `runs`, or `files` (qrels, then runs): folders of runs are opened.

    Raises
    ------
    InputError
        If a path leads nowhere, or a folder holds no file.
    """
    for path in paths:
        if not os.path.lexists(path):
            raise InputError("no such file or folder", path=path)
    kept = 1 if argument.name == "files" else 0
    return (*paths[:kept], *run_words(paths[kept:]))
