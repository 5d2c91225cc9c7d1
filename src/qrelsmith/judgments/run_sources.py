"""Runs and measures from any accepted input: objects, data frames, paths, a campaign."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from qrelsmith.base.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.base.named_rows import columns_of_rows
from qrelsmith.collection.runs import Run, read_run, runs_of_file
from qrelsmith.io.given_values import describe, is_frame, is_nested
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.campaign_sources import campaign_folder

RunsLike: TypeAlias = Any
MeasuresLike: TypeAlias = Any

T = TypeVar("T")


def runs_of(source: RunsLike, *, order: str = "trec") -> list[Run | FilePath]:
    """Return runs from a campaign, Run, path, folder, DataFrame, rows, mapping, or a list.

    Paths are returned unread, because run files are read in parts. A mapping is {name: run} or one
    run, {topic: {doc: score}}. A data frame has a run for each system named in a column such as
    `name`, `run` or `system`; scores are ranked in one of `RUN_ORDERS`.

    Raises
    ------
    InputError
        If a folder is empty.
    UsageError
        If the source is none of these.
    """
    source = columns_of_rows(source)
    campaign = campaign_folder(source)
    if campaign is not None:
        if not campaign.runs:
            raise InputError(
                "the campaign has no runs; expected files in runs/", path=campaign.folder
            )
        return list(campaign.runs)
    if isinstance(source, Run):
        return [_rank_again(source, order)]
    if isinstance(source, str | PathLike):
        return [run for file in _run_files(source) for run in runs_of_file(file, order=order)]
    if is_frame(source):
        return list(_runs_of_frame(source, order))
    if isinstance(source, Mapping) and not source:
        return []
    if isinstance(source, Mapping) and is_nested(source):
        return [Run.from_dict(source, order=order)]
    if isinstance(source, Mapping):
        return [_run_under_name(str(name), each, order) for name, each in source.items()]
    if isinstance(source, Iterable):
        return [run for each in source for run in runs_of(each, order=order)]
    raise UsageError(
        "expected runs: paths, Run objects, {name: run}, data frames or a campaign; "
        f"found {describe(source)}"
    )


def measures_of(source: MeasuresLike) -> list[str]:
    """Return the names of measures, given as names or as ir_measures objects."""
    if isinstance(source, str) or not isinstance(source, Iterable):
        return [str(source)]
    return [str(each) for each in source]


def as_list(value: T | Sequence[T]) -> list[T]:
    """Return one or several values as a list; text is one value."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return list(value)
    return [value]


def _rank_again(run: Run, order: str) -> Run:
    """Rank a run in memory in the requested order; warn if that changes its order."""
    ranked = run.in_order(order)
    if run.order not in ("", "trec", order) and ranked.docs != run.docs:
        warnings.warn(
            f"the run {quoted(run.name)} was read with order={run.order!r} and is "
            f"ranked with order={order!r}. Pass order={run.order!r} to keep its order",
            InputWarning,
            stacklevel=4,
        )
    return ranked


def _run_files(path: FilePath) -> list[FilePath]:
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    inside = sorted(file for file in folder.iterdir() if file.is_file() and file.name[0] != ".")
    if not inside:
        raise InputError("the folder has no files; expected runs", path=path)
    return list(inside)


def _run_under_name(name: str, source: object, order: str) -> Run:
    """Return a run from a value of a mapping, named after the key."""
    if isinstance(source, Run):
        return replace(_rank_again(source, order), name=name)
    if isinstance(source, str | PathLike):
        return replace(read_run(source, order=order), name=name)
    if isinstance(source, Mapping) and is_nested(source):
        return Run.from_dict(source, name=name, order=order)
    if is_frame(source):
        return Run.from_frame(source, name=name, order=order)
    raise UsageError(
        f"the run {quoted(name)} cannot be read; expected a Run, a path, "
        "{topic: {doc: score}} or a data"
        f" frame; found {describe(source)}"
    )


def _runs_of_frame(frame: Any, order: str) -> list[Run]:
    """Return the runs of a data frame: one run per system if a column names the systems."""
    from qrelsmith.collection.frames import columns_of, systems_of

    columns = columns_of(frame)
    named, systems = systems_of(columns)
    if not named:
        return [Run.from_frame(columns, order=order)]
    rows: dict[str, list[int]] = {system: [] for system in systems}
    for row, system in enumerate(columns[named]):
        rows[str(system)].append(row)
    return [
        Run.from_frame(
            {name: [values[row] for row in of] for name, values in columns.items()},
            name=system,
            order=order,
        )
        for system, of in rows.items()
    ]
