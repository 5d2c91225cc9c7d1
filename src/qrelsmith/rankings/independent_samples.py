"""Tests of independent samples, and their files.

Independent samples, such as the judging times of two groups of assessors, differ from topic ×
system scores, which are paired by topic. Each kind of file therefore has its own tests.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.collection import frames
from qrelsmith.evaluation.score_files import LARGEST
from qrelsmith.io import cells
from qrelsmith.io.table_reading import Columns, TextTable, check_table, read_table
from qrelsmith.stats.groups import GroupResult
from qrelsmith.stats.significance import (
    INDEPENDENT_TESTS,
    two_sample_t_summary,
    unpaired_tukey_summary,
)

# A path, a data frame, or a mapping.
SamplesLike: TypeAlias = Any

DEFAULT_TEST = "unpaired-tukey"
_SAMPLES = Columns(required=("group", "value"), ids=("group",))
_SUMMARY = Columns(required=("group", "mean", "n"), optional=("sd",), ids=("group",))


class Independent(NamedTuple):
    """Independent groups, sorted by name, with the test of all pairs."""

    groups: tuple[str, ...]
    result: GroupResult


def tested_samples(source: SamplesLike, test: str) -> Independent:
    """Test the groups of a table with the columns group and value, or {group: values}.

    Raises
    ------
    InputError
        At the first malformed line; if there is no data.
    UsageError
        If the source is not a table.
    """
    if isinstance(source, Mapping) and "value" not in source:
        pairs = [(str(group), value) for group, values in source.items() for value in values]
        groups, numbers = ([*column] for column in zip(*pairs, strict=True)) if pairs else ([], [])
        source = {"group": groups, "value": numbers}
    table = _table(source, _SAMPLES, "samples")
    values = _numbers(table, "value")
    if not len(table):
        raise InputError("no values found; expected at least one", path=table.path)
    names, place = np.unique(np.array(table.columns["group"], dtype=object), return_inverse=True)
    samples = [values[place == group] for group in range(len(names))]
    result: GroupResult = INDEPENDENT_TESTS.get(test)(samples)
    return Independent(tuple(names.tolist()), result)


def tested_summary(source: SamplesLike, test: str, variance: float | None) -> Independent:
    """Test the groups of a table with the columns group, mean, n and, for the t-test, sd.

    Parameters
    ----------
    source : path, data frame, or mapping of columns
        The table.
    test : str
        `unpaired-tukey`, which needs the residual variance, or `two-sample-t`, which needs sd.
    variance : float or None
        V_E1, the residual variance of the one-way analysis of variance.

    Raises
    ------
    UsageError
        If the test is unsupported, or the variance is missing or does not apply to the test.
    InputError
        At the first malformed line.
    """
    if test not in ("unpaired-tukey", "two-sample-t"):
        raise UsageError(f"{test} needs --samples; --summary lacks the individual values")
    if variance is None and test == "unpaired-tukey":
        raise UsageError("unpaired-tukey with --summary needs --variance (V_E1)")
    if variance is not None and test == "two-sample-t":
        raise UsageError("two-sample-t does not use --variance; expected the column sd")
    if variance is not None and not (math.isfinite(variance) and variance >= 0):
        raise UsageError(f"--variance {variance}; expected a finite number, 0 or more")
    table = _table(source, _SUMMARY, "summary")
    path = table.path
    names = table.columns["group"]
    for row, name in enumerate(names):
        if name in names[:row]:
            raise InputError(
                f"the group {quoted(name)} appears twice", path=path, line=table.lines[row]
            )
    if not len(table):
        raise InputError("no groups found; expected at least one", path=path)
    order = sorted(range(len(names)), key=names.__getitem__)
    means = _numbers(table, "mean")[order]
    sizes = _sizes(table)[order]
    deviations = None if "sd" not in table.columns else _deviations(table)[order]
    if variance is not None:
        result = unpaired_tukey_summary(means, sizes, variance)
    elif deviations is not None:
        result = two_sample_t_summary(means, sizes, deviations)
    else:
        raise InputError(
            "two-sample-t needs the column sd, which is missing; expected the columns group, mean,"
            " n, sd",
            path=path,
        )
    return Independent(tuple(names[row] for row in order), result)


def _table(source: SamplesLike, columns: Columns, name: str) -> TextTable:
    """Return the table of a file, a data frame or a mapping of columns."""
    if isinstance(source, str | PathLike):
        return read_table(source, columns)
    table = {
        key: [frames.cell_text(value) for value in values]
        for key, values in frames.columns_of(source).items()
    }
    lacking = [key for key in columns.required if key not in table]
    if lacking or len({len(values) for values in table.values()}) > 1:
        raise UsageError(
            f"{name}: {columns.expected}, of the same length; found {', '.join(table)}"
        )
    used = {key: values for key, values in table.items() if key in columns.names}
    return check_table(TextTable(name, used, range(1, len(used[columns.required[0]]) + 1)), columns)


def _sizes(table: TextTable) -> FloatArray:
    sizes = cells.whole_numbers(table.columns["n"], table.lines, path=table.path, what="n")
    for row in np.flatnonzero(sizes < 1)[:1]:
        raise InputError(
            "n is 0; expected at least one value", path=table.path, line=table.lines[row]
        )
    return sizes


def _deviations(table: TextTable) -> FloatArray:
    """Return the column sd, which may be empty for a group of one value."""
    filled = [
        cell or ("0" if float(n) == 1 else "")
        for cell, n in zip(table.columns["sd"], table.columns["n"], strict=True)
    ]
    deviations = _numbers(replace(table, columns={"sd": filled}), "sd")
    for row in np.flatnonzero(deviations < 0)[:1]:
        raise InputError(
            f"the sd is {quoted(filled[row])}; expected a number, 0 or more",
            path=table.path,
            line=table.lines[row],
        )
    return deviations


def _numbers(table: TextTable, name: str) -> FloatArray:
    """Return a column of numbers whose squares do not overflow [row]."""
    values = cells.grades(table.columns[name], table.lines, path=table.path, what=name)
    for row in np.flatnonzero(np.abs(values) > LARGEST)[:1]:
        raise InputError(
            f"the {name} is {quoted(table.columns[name][row])}; expected at most {LARGEST:g} in "
            "absolute value",
            path=table.path,
            line=table.lines[row],
        )
    return values
