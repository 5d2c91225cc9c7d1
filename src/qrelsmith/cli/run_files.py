"""Runs that an option names: files, and folders of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qrelsmith.cli.options import Common
from qrelsmith.cli.progress import progress
from qrelsmith.data.runs import Run, read_run
from qrelsmith.errors import InputError


def read_runs(
    paths: Sequence[str], *, order: str, depth: int | None, common: Common
) -> tuple[Run, ...]:
    """The runs of files and folders, in the order of their names within a folder.

    Raises
    ------
    InputError
        If a folder holds no file, or a run is not as it should be.
    """
    files: list[Path] = []
    for path in map(Path, paths):
        if not path.is_dir():
            files.append(path)
            continue
        inside = sorted(one for one in path.iterdir() if one.is_file() and one.name[0] != ".")
        if not inside:
            raise InputError("the folder holds no file; expected runs", path=path)
        files += inside
    runs = []
    with progress("reading runs", len(files), quiet=common.quiet) as advance:
        for file in files:
            runs.append(read_run(file, order=order, depth=depth))
            advance()
    return tuple(runs)
