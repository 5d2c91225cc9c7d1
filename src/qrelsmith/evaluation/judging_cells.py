"""Run files joined with qrels by the cells of a sweep: the workers of a cluster.

A worker answers only where all is as it should be. Whatever is odd, fails, or is not there, is
looked at by the process that asked, which warns and refuses as ever.
"""

from __future__ import annotations

import io
import warnings
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from qrelsmith.base.arrays import AnyArray
from qrelsmith.base.errors import InputWarning, QrelsmithError
from qrelsmith.base.tables import Table
from qrelsmith.collection.judged import JUDGED_COLUMNS, JudgedRun, judged_run
from qrelsmith.collection.judged_pairs import QREL_COLUMNS
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation.array_messages import read_message, write_message
from qrelsmith.io.text import FilePath, is_regular
from qrelsmith.sweep import Cell, Sweep

# Each cell brings the qrels along.
_MOST_CELLS = 64


def judged_by_sweep(
    runs: Sequence[Run | FilePath], qrels: Qrels, *, order: str, condensed: bool, sweep: Sweep
) -> Iterator[JudgedRun]:
    """The runs joined with the qrels, in their order; those of files by the cells of a sweep."""
    places = [
        None if isinstance(run, Run) or not is_regular(run) else str(Path(run).absolute())
        for run in runs
    ]
    files = list(dict.fromkeys(place for place in places if place is not None))
    step = -(-len(files) // _MOST_CELLS) or 1
    how: dict[str, Any] = {"order": order, "condensed": condensed}
    names = {"topics": qrels.topics, "docs": qrels.docs}
    packed = _pack(names, [getattr(qrels, name) for name in QREL_COLUMNS])
    cells = [
        Cell(
            f"{__name__}:judged_table",
            {"runs": tuple(files[begin : begin + step]), "qrels": packed, **how},
            0,
        )
        for begin in range(0, len(files), step)
    ]
    judged = {str(run): str(text) for table in sweep(cells) for run, text in table.rows}
    for run, place in zip(runs, places, strict=True):
        if place in judged:
            head, arrays = _unpack(judged.pop(place))
            columns = dict(zip(JUDGED_COLUMNS, arrays, strict=True))
            yield JudgedRun(name=head["name"], others=tuple(head["others"]), **columns)
        else:
            yield judged_run(run, qrels, **how)


def judged_table(
    *, runs: Sequence[str], qrels: str, order: str, condensed: bool, seed: int
) -> Table:
    """The work of a cell: run and what `judged_run` finds, of the runs where nothing is odd."""
    del seed  # nothing is drawn
    rows = []
    for run in runs:
        with warnings.catch_warnings():
            warnings.simplefilter("error", InputWarning)
            try:
                judged = judged_run(run, _qrels(qrels), order=order, condensed=condensed)
            except (QrelsmithError, InputWarning):
                continue
        arrays = [getattr(judged, name) for name in JUDGED_COLUMNS]
        rows.append((run, _pack({"name": judged.name, "others": judged.others}, arrays)))
    return Table.of(("run", "judged"), rows)


@lru_cache(maxsize=1)
def _qrels(packed: str) -> Qrels:
    """The qrels, which all cells share."""
    head, arrays = _unpack(packed)
    return Qrels("", tuple(head["topics"]), tuple(head["docs"]), *arrays)


def _pack(head: Mapping[str, Any], arrays: Sequence[AnyArray]) -> str:
    out = io.BytesIO()
    write_message(out, head, arrays)
    return b64encode(zlib.compress(out.getvalue(), 1)).decode()


def _unpack(text: str) -> tuple[dict[str, Any], list[AnyArray]]:
    return read_message(io.BytesIO(zlib.decompress(b64decode(text))))
