"""Synthetic annotations of section 4, evaluated by four coefficients and by PDP in both modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.tables import Table
from qrelsmith.planning.simulated_annotations import MODES, batch_coefficient, batch_pdp
from qrelsmith.planning.simulation import Design, simulate_batch
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell

# The paper's names: weighted κ has quadratic weights, α is ordinal.
COEFFICIENT_NAMES = ("fleiss", "fleiss-quadratic", "alpha-ordinal", "phi")
QUALITIES = (("high", 0.0, 0.1), ("medium", 0.1, 0.2), ("low", 0.2, 0.3))


@dataclass(frozen=True, slots=True)
class BatchQuality:
    """The quality of each batch on each scale.

    Attributes
    ----------
    sigma : ndarray [batch]
        The error σ of the batch's assessors.
    levels : ndarray of int [scale]
        The number of grades G.
    values : dict of str to ndarray [batch, scale]
        PDP by mode, and coefficients by name.
    """

    sigma: FloatArray
    levels: IntArray
    values: dict[str, FloatArray]


def paper_design(inputs: StudyInputs) -> Design:
    """Return the paper's parameters, with fewer topics for the small size."""
    return Design() if inputs.paper_size else Design(topics=800, batch_size=20)


def paper_levels(inputs: StudyInputs) -> tuple[int, ...]:
    """Return G = 2 … 30, or some of these numbers for the small size and for additional draws."""
    if not inputs.paper_size:
        return (2, 3, 4, 7, 16, 30)
    return (2, 3, 4, 7, 11, 16, 23, 30) if inputs.is_draw else tuple(range(2, 31))


def batch_qualities(
    inputs: StudyInputs, *, bias: str = "assessor", levels: Sequence[int] | None = None
) -> BatchQuality:
    """Evaluate every batch of the design on every scale, once for all artefacts.

    Parameters
    ----------
    inputs : StudyInputs
        Seed, size and sweep.
    bias : str
        The interpretation of ε1, as in `Design`.
    levels : sequence of int, optional
        The scales; by default those of the paper.
    """
    design = paper_design(inputs)
    scales = paper_levels(inputs) if levels is None else tuple(levels)
    cells = [
        inputs.cell(
            batch_quality,
            batch=batch,
            topics=design.topics,
            batch_size=design.batch_size,
            bias=bias,
            levels=scales,
        )
        for batch in range(design.batches)
    ]
    tables = inputs.sweep(cells)
    names = (*MODES, *COEFFICIENT_NAMES)
    rows = np.array([[row[2:] for row in table.rows] for table in tables], dtype=np.float64)
    return BatchQuality(
        sigma=np.array([table.rows[0][0] for table in tables], dtype=np.float64),
        levels=np.array(scales),
        values={name: rows[:, :, place] for place, name in enumerate(names)},
    )


def means_cell(
    inputs: StudyInputs, design: Design, *, batches: Sequence[int], levels: Sequence[int]
) -> Cell:
    """Return a sweep cell that computes the PDP of batches on scales, without coefficients."""
    return inputs.cell(
        batch_means,
        batches=tuple(batches),
        topics=design.topics,
        batch_size=design.batch_size,
        judging=design.judging,
        levels=tuple(levels),
    )


def batch_means(
    *,
    batches: Sequence[int],
    topics: int,
    batch_size: int,
    judging: str,
    levels: Sequence[int],
    seed: int,
) -> Table:
    """Return the mean PDP of batches, with a row per batch and scale."""
    design = Design(topics=topics, batch_size=batch_size, judging=judging)
    rows = []
    for batch in batches:
        simulated = simulate_batch(design, batch, seed=seed)
        for count in levels:
            pdp = [batch_pdp(simulated, count, mode, seed=seed) for mode in MODES]
            rows.append((batch, count, *pdp))
    return Table.of(("batch", "levels", *MODES), rows)


def batch_quality(
    *, batch: int, topics: int, batch_size: int, bias: str, levels: Sequence[int], seed: int
) -> Table:
    """Evaluate a batch on scales: a row per scale, with means over topics.

    PDP is as in the paper's program: every pair of docs is a preference test, without smoothing,
    and the doc-level matrix is clipped. The grade-level matrix is computed for each batch.
    """
    design = Design(topics=topics, batch_size=batch_size, bias=bias)
    simulated = simulate_batch(design, batch, seed=seed)
    rows = []
    for count in levels:
        pdp = [batch_pdp(simulated, count, mode, seed=seed) for mode in MODES]
        agreement = [batch_coefficient(name, simulated, count) for name in COEFFICIENT_NAMES]
        rows.append((simulated.sigma, count, *pdp, *agreement))
    return Table.of(("sigma", "levels", *MODES, *COEFFICIENT_NAMES), rows)
