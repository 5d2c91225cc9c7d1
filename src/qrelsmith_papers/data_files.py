"""The files of public data sets, which may be compressed."""

from __future__ import annotations

from pathlib import Path

from qrelsmith.base.errors import InputError


def packed_or_not(path: Path) -> Path:
    """Return a file, or the one beside it that is it compressed, if only that is there."""
    packed = path.with_name(f"{path.name}.gz")
    return packed if packed.is_file() and not path.is_file() else path


def run_files(folder: Path) -> list[Path]:
    """Return the runs of a data set, sorted.

    Raises
    ------
    InputError
        If there are none.
    """
    paths = sorted(folder.glob("runs/*.run*"))
    if not paths:
        raise InputError("there are no runs; expected *.run files", path=folder / "runs")
    return paths
