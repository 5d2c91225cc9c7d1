"""Columns of Table 2 from the paper's own labels."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith_papers.judgment_quality.label_quality import COEFFICIENTS, LabelQuality
from qrelsmith_papers.judgment_quality.table2_published import PUBLISHED
from qrelsmith_papers.judgment_quality.www3 import PaperCollection


def own_rows(inputs: StudyInputs, own: PaperCollection) -> list[tuple[TableCell, ...]]:
    """Return every column of Table 2 whose files are there."""
    shared = {"folder": str(own.folder), "digest": own.digest()}
    cells = [
        Cell(
            f"{__name__}:paper_quality",
            {"subtask": setting.subtask, "setting": setting.name, "depth": depth, **shared},
            inputs.seed,
        )
        for depth, setting in product((5, 10), own.settings)
    ]
    return [row for table in inputs.sweep(cells) for row in table.rows]


def paper_quality(
    *, subtask: str, setting: str, depth: int, folder: str, digest: str, seed: int
) -> Table:
    """Return a column of Table 2, as a row."""
    own = PaperCollection(Path(folder))
    own.check(digest)
    (asked,) = (one for one in own.settings if (one.subtask, one.name) == (subtask, setting))
    labels, scale = own.labels(asked)
    quality = LabelQuality(labels, scale, own.runs(subtask), depth, seed)
    several, nan = len(labels.assessors) > 1, float("nan")
    agreement = [quality.agreement(name).value if several else nan for name in COEFFICIENTS]
    power = [value.value for value in quality.power().values()]
    preferences = own.preferences(subtask)
    pdp = [
        quality.pdp(preferences, mode, resamples=2).value if several or mode == "aggregate" else nan
        for mode in MODES[::-1]  # the paper's order: aggregate, individual
    ]
    row: tuple[TableCell, ...] = (subtask, setting, depth, *agreement, *power, *pdp)
    return Table.of(PUBLISHED.columns, [row])
