"""Files that a command writes in addition to its table, checked before the computation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.options import FigureFile, OutputFile, ReportFolder
from qrelsmith.io.writing import replacing

_PICTURES = (".svg", ".pdf")


def check_file(kind: OutputFile | ReportFolder | FigureFile, path: str) -> None:
    """Check before the computation that a file can be written after it.

    Raises
    ------
    UsageError, InputError
        If its name or its folder is invalid.
    MissingDependencyError
        If the package that draws it is not installed.
    """
    if isinstance(kind, OutputFile):
        if kind.check is not None:
            kind.check(path)
        return
    from qrelsmith.report import check_dependencies, check_folder

    if isinstance(kind, FigureFile) and PurePath(path).suffix.lower() not in _PICTURES:
        raise UsageError(
            f"the figure {quoted(path)} cannot be written; expected a name that ends "
            "in .svg or .pdf"
        )
    check_dependencies()
    if isinstance(kind, ReportFolder):
        check_folder(path)


def write_file(
    kind: OutputFile | ReportFolder | FigureFile, result: Any, path: str, inputs: Sequence[str]
) -> Sequence[str]:
    """Write a file of a result, and return notes on it."""
    if isinstance(kind, OutputFile):
        return kind.write(result, path, inputs) or ()
    if isinstance(kind, ReportFolder):
        from qrelsmith.report import write_report

        write_report(kind.report(result, inputs), path, page=kind.page)
        return [kind.said.format(folder=path, page=kind.page)]
    from qrelsmith.report.picture import picture

    drawn = picture(result.figure(), name="plan", notices=(kind.notice,))
    with replacing(path) as out:
        out.write(drawn.pdf if PurePath(path).suffix.lower() == ".pdf" else drawn.svg)
    return ()
