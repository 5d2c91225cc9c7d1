"""Scoring of run files by the cells of a sweep (cluster workers).

A worker returns a result only for input without warnings and errors. All other input is left to the
main process, which issues the usual warnings and errors.
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
from qrelsmith.base.scales import Gains
from qrelsmith.base.tables import Table
from qrelsmith.collection.judged import judged_run
from qrelsmith.collection.judged_pairs import QREL_COLUMNS
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation.array_messages import read_message, write_message
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.evaluation.scorer import ScoredRun, Scorer
from qrelsmith.io.text import FilePath, is_regular
from qrelsmith.sweep import Cell, Sweep

# Each cell contains the qrels.
_MOST_CELLS = 64


def scored_by_sweep(
    runs: Sequence[Run | FilePath], scorer: Scorer, sweep: Sweep, *, order: str, condensed: bool
) -> Iterator[ScoredRun]:
    """Yield the scored runs in order; run files are scored by the cells of a sweep."""
    places = [
        None if isinstance(run, Run) or not is_regular(run) else str(Path(run).absolute())
        for run in runs
    ]
    files = list(dict.fromkeys(place for place in places if place is not None))
    step = -(-len(files) // _MOST_CELLS) or 1
    how: dict[str, Any] = {"order": order, "condensed": condensed}
    qrels = scorer.labels
    names = {"topics": qrels.topics, "docs": qrels.docs}
    same = {
        "qrels": _pack(names, [getattr(qrels, name) for name in QREL_COLUMNS]),
        "measures": tuple(measure.label for measure in scorer.measures),
        "gains": None if scorer.gains is None else scorer.gains.values,
        "gmax": scorer.gmax,
    }
    cells = [
        Cell(
            f"{__name__}:scored_table",
            {"runs": tuple(files[begin : begin + step]), **same, **how},
            0,
        )
        for begin in range(0, len(files), step)
    ]
    answers = {str(run): str(text) for table in sweep(cells) for run, text in table.rows}
    for run, place in zip(runs, places, strict=True):
        if place in answers:
            head, (scores, retrieved, ties) = _unpack(answers[place])
            shape = (len(scorer.measures), len(scorer.qrels.topics))
            yield ScoredRun(**head, scores=scores.reshape(shape), retrieved=retrieved, ties=ties)
        else:
            yield scorer.score(judged_run(run, scorer.joined, **how))


def scored_table(
    *,
    runs: Sequence[str],
    qrels: str,
    measures: tuple[str, ...],
    gains: tuple[float, ...] | None,
    gmax: float,
    order: str,
    condensed: bool,
    seed: int,
) -> Table:
    """Return the scores of a cell's regular runs."""
    del seed  # no random numbers are used
    grades = _qrels(qrels)
    asked = [MEASURES.get(name) for name in measures]
    scorer = Scorer(grades, asked, None if gains is None else Gains(gains), gmax)
    rows = []
    for run in runs:
        with warnings.catch_warnings():
            warnings.simplefilter("error", InputWarning)
            try:
                scored = scorer.score(
                    judged_run(run, scorer.joined, order=order, condensed=condensed)
                )
            except (QrelsmithError, InputWarning):
                continue
        head = {"name": scored.name, "others": scored.others}
        rows.append((run, _pack(head, [scored.scores, scored.retrieved, scored.ties])))
    return Table.of(("run", "scored"), rows)


@lru_cache(maxsize=1)
def _qrels(packed: str) -> Qrels:
    """Return the qrels, which all cells share."""
    head, arrays = _unpack(packed)
    return Qrels("", tuple(head["topics"]), tuple(head["docs"]), *arrays)


def _pack(head: Mapping[str, Any], arrays: Sequence[AnyArray]) -> str:
    out = io.BytesIO()
    write_message(out, head, arrays)
    return b64encode(zlib.compress(out.getvalue(), 1)).decode()


def _unpack(text: str) -> tuple[dict[str, Any], list[AnyArray]]:
    return read_message(io.BytesIO(zlib.decompress(b64decode(text))))
