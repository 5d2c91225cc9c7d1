"""Sample files: drawn docs with wave and probability."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.items import item_key
from qrelsmith.io.cells import grades as numbers
from qrelsmith.io.given_values import describe
from qrelsmith.io.table_reading import Columns, read_table
from qrelsmith.io.text import FilePath

COLUMNS = ("topic", "doc", "wave", "probability", "check")


@dataclass(frozen=True, slots=True, eq=False)
class SampleRows:
    """The docs of a sample.

    Attributes
    ----------
    keys : tuple of (str, str)
        Topic and doc.
    wave : int array [row]
        The first wave that drew each doc, counted from 1.
    probability : float array [row]
        The probability that any wave draws the doc, above 0.
    path : path or None
        The source file.
    lines : sequence of int [row]
        The line of each row.
    """

    keys: tuple[tuple[str, str], ...]
    wave: IntArray
    probability: FloatArray
    path: FilePath | None
    lines: Sequence[int]

    @property
    def waves(self) -> int:
        """The number of waves."""
        return int(self.wave.max())

    @property
    def check(self) -> str:
        """The first digits of the SHA-256 of all docs and waves, in a fixed order.

        Every row contains this checksum, because a missing row would otherwise go unnoticed and
        bias the estimate.
        """
        rows = sorted((*key, wave) for key, wave in zip(self.keys, self.wave.tolist(), strict=True))
        return hashlib.sha256(json.dumps(rows).encode("ascii")).hexdigest()[:12]


def sample_rows(source: Any) -> SampleRows:
    """Return a sample from its file or from the result of `sample`.

    Raises
    ------
    InputError
        If the file is malformed.
    UsageError
        If the source is neither.
    """
    rows = getattr(source, "rows_drawn", None)
    if isinstance(rows, SampleRows):
        return rows
    if not isinstance(source, str | PathLike):
        raise UsageError(
            f"expected a sample: a path, or the result of sample(); found {describe(source)}"
        )
    path: FilePath = source
    table = read_table(
        path, Columns(COLUMNS[:-1], ("aspect", COLUMNS[-1]), ids=("topic", "doc", "aspect"))
    )
    columns, lines = table.columns, table.lines
    items = map(item_key, columns["doc"], columns.get("aspect", [""] * len(lines)))
    keys = tuple(zip(columns["topic"], items, strict=True))
    if not keys:
        raise InputError("the sample has no docs; expected at least one", path=path)
    wave = numbers(columns["wave"], lines, path=path, what="wave")
    chance = numbers(columns["probability"], lines, path=path, what="probability")
    seen: set[tuple[str, str]] = set()
    for row, key in enumerate(keys):
        problem = ""
        if key in seen:
            problem = f"topic {quoted(key[0])} doc {quoted(key[1])} appears twice; expected once"
        elif wave[row] < 1 or wave[row] != int(wave[row]):
            problem = f"the wave is {columns['wave'][row]}; expected 1, 2, …"
        elif not 0 < chance[row] <= 1:
            problem = (
                f"the probability is {columns['probability'][row]}; expected above 0 and at most 1"
            )
        if problem:
            raise InputError(problem, path=path, line=lines[row])
        seen.add(key)
    order = sorted(range(len(keys)), key=keys.__getitem__)  # sums do not depend on the given order
    rows = SampleRows(
        tuple(keys[row] for row in order),
        wave[order].astype(np.int64),
        chance[order],
        path,
        [lines[row] for row in order],
    )
    for line, check in zip(lines, columns.get("check", []), strict=False):
        if check and check != rows.check:
            raise InputError(
                f"the check is {quoted(check)}, but the rows of this file give {rows.check};"
                " expected the rows as `qrelsmith sample` wrote them. Rows were removed, added or"
                " changed",
                path=path,
                line=line,
            )
    return rows
