"""Figure 5: which of the quality figures follows the true quality of annotation."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Finding, Line, Lines, NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.stats.spearman import spearman_rho
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.synthetic import (
    COEFFICIENT_NAMES,
    BatchQuality,
    batch_qualities,
)

_KEY = "fig5"
NAMES = {
    "individual": "PDP, individual",
    "aggregate": "PDP, aggregate",
    "fleiss": "Fleiss' κ",
    "fleiss-quadratic": "weighted κ",
    "alpha-ordinal": "Krippendorff's α",
    "phi": "Φ",
}


@PDP.add("fig5", kind=ClaimKind.SIMULATED, sized=True)
def figure5(inputs: StudyInputs) -> Section:
    """Correlation of PDP and four coefficients of agreement with the quality of annotation."""
    qualities = batch_qualities(inputs)
    rho = consistencies(qualities)
    columns = ("grades", *(NAMES[name] for name in rho))
    rows = zip(
        qualities.levels.tolist(), *(values.tolist() for values in rho.values()), strict=True
    )
    return Section(
        key=_KEY,
        title="Figure 5: consistency with quality",
        paragraphs=(
            "Spearman's ρ over the batches between the mean of each figure in a batch and σ, the"
            " error of its assessors, with the sign turned so that 1 is perfect. ε1 of Eq. 15 is"
            " drawn once for each assessor of a batch: the paper leaves it open, and this is the"
            " reading under which individual PDP comes out highest, as in the paper.",
        ),
        tables=(
            NamedTable(
                key=_KEY,
                title="Consistency with the quality of annotation",
                table=Table.of(columns, rows),
            ),
        ),
        figures=(
            Figure(
                key=_KEY,
                title="Consistency with the quality of annotation",
                drawing=Lines(
                    lines=[
                        Line(NAMES[name], qualities.levels.tolist(), values.tolist())
                        for name, values in rho.items()
                    ],
                    x_label="number of grades",
                    y_label="Spearman's ρ with quality",
                ),
                caption="1: the figure orders the batches exactly as the error of their assessors.",
            ),
        ),
        findings=_findings(qualities, rho),
    )


def consistencies(qualities: BatchQuality) -> dict[str, FloatArray]:
    """Spearman's ρ with quality for each figure, [scale]; PDP and σ both fall with quality."""
    rho = {}
    for name in (*MODES, *COEFFICIENT_NAMES):
        sign = 1.0 if name in MODES else -1.0
        values = qualities.values[name].T
        rho[name] = spearman_rho(sign * values, np.broadcast_to(qualities.sigma, values.shape))
    return rho


def _findings(qualities: BatchQuality, rho: dict[str, FloatArray]) -> tuple[Finding, ...]:
    """The paper's claims about the figure, beside what came out."""
    others = np.stack([values for name, values in rho.items() if name != "individual"])
    highest = bool((rho["individual"] >= others.max(axis=0)).all())
    coarse, fine = qualities.levels <= 4, qualities.levels >= 7
    aggregate, fleiss = rho["aggregate"], rho["fleiss"]
    rises = bool(aggregate[fine].min() > aggregate[coarse].max())
    at_4 = float(fleiss[qualities.levels == 4][0])
    at_30 = float(fleiss[qualities.levels == 30][0])
    return (
        claim(
            highest,
            "The paper: individual PDP follows quality best on every scale. Here it is highest on"
            f" {(rho['individual'] >= others.max(axis=0)).sum()} of {qualities.levels.size} scales;"
            f" its ρ is {rho['individual'].min():.3f} to {rho['individual'].max():.3f}.",
            section=_KEY,
        ),
        claim(
            rises,
            "The paper: aggregate PDP becomes more reliable on finer scales. Here its lowest ρ from"
            f" 7 grades on is {aggregate[fine].min():.3f}, its highest up to 4 grades"
            f" {aggregate[coarse].max():.3f}.",
            section=_KEY,
        ),
        claim(
            at_30 < at_4,
            "The paper: Fleiss' κ gets worse on finer scales. Here its ρ is"
            f" {at_4:.3f} at 4 grades and {at_30:.3f} at 30.",
            section=_KEY,
        ),
    )
