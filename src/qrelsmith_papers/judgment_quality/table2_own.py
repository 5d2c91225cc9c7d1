"""Table 2 from the paper's own labels, beside what it prints."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith_papers.judgment_quality.label_quality import COEFFICIENTS, MEASURES, LabelQuality
from qrelsmith_papers.judgment_quality.table2_published import PUBLISHED
from qrelsmith_papers.judgment_quality.www3 import PaperCollection

_WORK = "qrelsmith_papers.judgment_quality.table2_own:paper_quality"
_MODES = MODES[::-1]  # the paper's order: aggregate, individual
# Printed to four digits; PDP of the paper's run stops up to .006 before the optimum (3.5).
_NEAR = {"alpha": 0.0005, "phi": 0.005, "aggregate": 0.05, "individual": 0.05}
_NEAR_DP = 0.02  # one pair of 55, or a bootstrap's chance


def own_table2(inputs: StudyInputs, own: PaperCollection, *, key: str) -> Section:
    """Every column of Table 2 whose files are there, computed and held against the print."""
    keys = [(setting, depth) for depth, setting in product((5, 10), own.settings)]
    shared = {"folder": str(own.folder), "digest": own.digest()}
    cells = [
        Cell(
            _WORK,
            {"subtask": setting.subtask, "setting": setting.name, "depth": depth, **shared},
            inputs.seed,
        )
        for setting, depth in keys
    ]
    rows = [row for table in inputs.sweep(cells) for row in table.rows]
    obtained = Table.of(PUBLISHED.columns, rows)
    return Section(
        key=key,
        title="Table 2: annotation settings",
        tables=(
            NamedTable(f"{key}-own", "Recomputed from the paper's own labels", obtained),
            NamedTable(f"{key}-published", "As published", PUBLISHED),
        ),
        findings=_findings(rows, key),
    )


def paper_quality(
    *, subtask: str, setting: str, depth: int, folder: str, digest: str, seed: int
) -> Table:
    """A column of Table 2, as a row."""
    own = PaperCollection(Path(folder))
    own.check(digest)
    (asked,) = (one for one in own.settings if (one.subtask, one.name) == (subtask, setting))
    labels, scale = own.labels(asked)
    quality = LabelQuality(labels, scale, own.runs(subtask), depth, seed)
    several = len(labels.assessors) > 1
    agreement = [
        quality.agreement(name).value if several else float("nan") for name in COEFFICIENTS
    ]
    power = [value.value for value in quality.power().values()]
    preferences = own.preferences(subtask)
    pdp = [
        quality.pdp(preferences, mode, resamples=2).value
        if several or mode == "aggregate"
        else float("nan")
        for mode in _MODES
    ]
    row: tuple[TableCell, ...] = (subtask, setting, depth, *agreement, *power, *pdp)
    return Table.of(PUBLISHED.columns, [row])


def _findings(rows: list[tuple[TableCell, ...]], key: str) -> tuple[Finding, ...]:
    """For each kind of number, how many are as printed."""
    printed = {row[:3]: row[3:] for row in PUBLISHED.rows}
    findings = []
    for place, name in enumerate(PUBLISHED.columns[3:]):
        near = _NEAR_DP if name in MEASURES else _NEAR[name]
        pairs = [(float(str(row[3 + place])), float(str(printed[row[:3]][place]))) for row in rows]
        apart = [abs(here - there) for here, there in pairs if here == here and there == there]
        same = sum(gap <= near for gap in apart)
        findings.append(
            claim(
                bool(apart) and same == len(apart),
                f"The paper: {name} of Table 2. Here {same} of {len(apart)} are within {near:g} of"
                f" the print; the farthest is {max(apart, default=0.0):.4f} away.",
                section=key,
                any_size=True,
            )
        )
    return tuple(findings)
