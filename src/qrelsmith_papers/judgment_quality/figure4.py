"""Figure 4: PDP against the number of grades, by quality of the annotation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from qrelsmith.base.content import Figure, Finding, Line, Lines, NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.planning.simulation import Design
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.synthetic import (
    QUALITIES,
    BatchQuality,
    batch_qualities,
    means_cell,
)

_KEY = "fig4"
RANDOM = math.log(math.factorial(5))
_RANDOM_LEVELS = (2, 4, 7, 16, 30)


@PDP.add(
    "fig4",
    kind=ClaimKind.SIMULATED,
    sized=True,
    deviation=(
        "Random annotation looks better than it is where the 1,000 preference tests of a "
        "batch are few for the pairs of grades."
    ),
)
def figure4(inputs: StudyInputs) -> Section:
    """PDP by number of grades and quality of annotation, in both modes."""
    qualities = batch_qualities(inputs)
    blind = _random_annotation(inputs)
    curves = _curves(qualities)
    columns = ("grades", *(f"{mode}, {quality} quality" for mode, quality in curves))
    rows = zip(qualities.levels.tolist(), *curves.values(), strict=True)
    return Section(
        key=_KEY,
        title="Figure 4: grades and quality",
        paragraphs=(
            "Mean PDP of simulated topics with 5 docs and 15 assessors. Quality is high for σ up to"
            " 0.1, medium up to 0.2, low up to 0.3. Random annotation would give ln 5! = 4.7875;"
            " lower is more discriminative. The paper prints no numbers, only curves.",
            "With the tests of one batch of 100 topics, random annotation comes out below ln 5!"
            " where the grade-level matrix has many cells for few tests: what chance put into them"
            " is taken for knowledge. A table shows by how much, and that it goes away with more"
            " topics.",
        ),
        tables=(
            NamedTable(
                key=_KEY,
                title="Mean PDP",
                table=Table.of(columns, rows),
            ),
            NamedTable(
                key=f"{_KEY}-random",
                title="Mean PDP of random annotation (ln 5! = 4.7875)",
                table=blind,
            ),
        ),
        figures=tuple(
            Figure(
                key=f"{_KEY}-{mode}",
                title=f"PDP in {mode} mode",
                drawing=Lines(
                    lines=[
                        Line(f"{quality} quality", qualities.levels.tolist(), curves[mode, quality])
                        for quality, _, _ in QUALITIES
                    ],
                    x_label="number of grades",
                    y_label="mean PDP (nats)",
                    reference=RANDOM,
                ),
                caption="The line across is random annotation, ln 5!.",
            )
            for mode in MODES
        ),
        findings=(*_findings(curves), _random_finding(blind)),
    )


def _random_annotation(inputs: StudyInputs) -> Table:
    """PDP of grades that have nothing to do with relevance, in small batches and in a large one."""
    size, many = (100, 5_000) if inputs.paper_size else (20, 400)
    small = Design(topics=10 * size, batch_size=size, judging="random")
    large = Design(topics=many, batch_size=many, judging="random")
    cells = [
        means_cell(inputs, small, batches=range(small.batches), levels=_RANDOM_LEVELS),
        means_cell(inputs, large, batches=(0,), levels=_RANDOM_LEVELS),
    ]
    rows = []
    for design, table in zip((small, large), inputs.sweep(cells), strict=True):
        values = np.array([row[2:] for row in table.rows], dtype=np.float64)
        means = values.reshape(design.batches, len(_RANDOM_LEVELS), len(MODES)).mean(axis=0)
        rows += [
            (design.batch_size, levels, mode, value, value - RANDOM)
            for levels, of_levels in zip(_RANDOM_LEVELS, means.tolist(), strict=True)
            for mode, value in zip(MODES, of_levels, strict=True)
        ]
    return Table.of(("topics in a batch", "grades", "mode", "pdp", "difference"), rows).sorted()


def _random_finding(blind: Table) -> Finding:
    """The paper's ln 5! for random annotation."""
    most = max(row[0] for row in blind.rows if isinstance(row[0], int))
    apart = [row[4] for row in blind.rows if row[0] == most and isinstance(row[4], float)]
    worst = max(map(abs, apart))
    return claim(
        worst < 0.02,
        f"The paper: random annotation gives 4.7875. Here, with batches of {most:,} topics, it is"
        f" at most {worst:.4f} away from that on any scale, in either mode.",
        section=_KEY,
    )


def _curves(qualities: BatchQuality) -> dict[tuple[str, str], list[float]]:
    """For each mode and quality the mean over the batches [scale]."""
    curves: dict[tuple[str, str], list[float]] = {}
    for mode, (quality, low, high) in product(MODES, QUALITIES):
        chosen = (qualities.sigma > low) & (qualities.sigma <= high)
        if chosen.any():
            curves[mode, quality] = qualities.values[mode][chosen].mean(axis=0).tolist()
        else:
            curves[mode, quality] = [float("nan")] * qualities.levels.size
    return curves


def _findings(drawn: Mapping[tuple[str, str], Sequence[float]]) -> tuple[Finding, ...]:
    """The paper's claims about the figure, beside what came out."""
    curves = {key: np.array(values) for key, values in drawn.items()}
    high, medium, low = (np.stack([curves[m, q] for m in MODES]) for q, _, _ in QUALITIES)
    ordered = bool((high < medium).all() and (medium < low).all())
    falling = {
        mode: float((np.diff(np.stack([curves[mode, q] for q, _, _ in QUALITIES])) < 0).mean())
        for mode in MODES
    }
    worst = curves["individual", "low"]
    below = np.stack([curves["aggregate", q] < curves["individual", q] for q, _, _ in QUALITIES])
    return (
        claim(
            ordered,
            "The paper: better annotation has lower PDP on every scale, in both modes. Here: "
            + ("so it is on every scale." if ordered else "not on every scale."),
            section=_KEY,
        ),
        claim(
            min(falling.values()) >= 0.9,
            "The paper: mean PDP falls as the number of grades grows. Here it falls in"
            f" {falling['individual']:.0%} of the steps in individual mode and"
            f" {falling['aggregate']:.0%} in aggregate mode.",
            section=_KEY,
        ),
        claim(
            bool(below.all()),
            "The paper: PDP is lower in aggregate mode in most cases. Here it is lower in"
            f" {below.mean():.0%} of the cases.",
            section=_KEY,
        ),
        claim(
            bool(abs(float(np.mean(worst)) - 4.6) < 0.1),
            "The paper: PDP of low quality in individual mode is about 4.6. Here its mean over the"
            f" scales is {np.mean(worst):.2f}.",
            section=_KEY,
        ),
    )
