"""Runs as a command line names them: files, and folders of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.cli.options import Common
from qrelsmith.cli.progress import progress
from qrelsmith.io.text import FilePath

if TYPE_CHECKING:
    from qrelsmith.collection.runs import Run


def run_paths(paths: Iterable[str]) -> list[str]:
    """Every file, and for a folder the files in it by their names; a campaign stays what it is.

    Raises
    ------
    InputError
        If a folder holds no file.
    """
    files: list[str] = []
    for path in paths:
        folder = Path(path)
        if not folder.is_dir() or (folder / SETTINGS).exists():
            files.append(path)
            continue
        inside = sorted(one for one in folder.iterdir() if one.is_file() and one.name[0] != ".")
        if not inside:
            raise InputError("the folder holds no file; expected runs", path=folder)
        files += map(str, inside)
    return files


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
    return (*paths[:kept], *run_paths(paths[kept:]))


def check_named_once(files: Sequence[str]) -> None:
    """Raise `UsageError` if a run is named twice."""
    for place, file in enumerate(files):
        if file in files[:place]:
            raise UsageError(f"the run {quoted(file)} is named twice; expected each once")


def is_campaign(path: FilePath | None) -> bool:
    """Whether a path is the folder of a campaign."""
    return path is not None and (Path(path) / SETTINGS).is_file()


def label_files(files: Sequence[str], label_set: Sequence[str]) -> tuple[list[str], list[str]]:
    """The labels that were named, and the label sets of a campaign; without one these are files.

    Raises
    ------
    click.MissingParameter
        If there is neither.
    """
    if files and is_campaign(files[0]):
        return list(files), list(label_set)
    if not files and not label_set:
        raise click.MissingParameter(param_hint="'FILE...'", param_type="argument")
    return [*files, *label_set], []


def campaign_folder(files: Sequence[FilePath]) -> FilePath | None:
    """The folder, if it is all that is named."""
    return files[0] if len(files) == 1 and Path(files[0]).is_dir() else None


def read_runs(
    paths: Sequence[str], *, order: str, depth: int | None = None, common: Common
) -> Iterator[Run]:
    """The runs of files and folders, one after the other.

    Raises
    ------
    InputError
        If a folder holds no file, or a run is not as it should be.
    UsageError
        If a file is named twice.
    """
    from qrelsmith.collection.runs import read_run

    files = run_paths(paths)
    check_named_once(files)
    with progress("reading runs", len(files), quiet=common.quiet) as advance:
        for file in files:
            yield read_run(file, order=order, depth=depth)
            advance()
