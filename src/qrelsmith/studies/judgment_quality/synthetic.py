"""The synthetic annotations of section 4, judged by PDP in both modes and four coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.agreement import mean_over_topics
from qrelsmith.arrays import FloatArray, IntArray
from qrelsmith.pdp import Setting, collection_pdp
from qrelsmith.preferences import Mode
from qrelsmith.rng import rng_for
from qrelsmith.simulate import Batch, Design, all_tests, simulate_batch
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith.tables import Table

MODES: tuple[Mode, ...] = ("individual", "aggregate")
# As the paper names them: weighted κ has quadratic weights, α is ordinal.
COEFFICIENT_NAMES = ("fleiss", "fleiss-quadratic", "alpha-ordinal", "phi")
QUALITIES = (("high", 0.0, 0.1), ("medium", 0.1, 0.2), ("low", 0.2, 0.3))
_WORK = "qrelsmith.studies.judgment_quality.synthetic:batch_quality"


@dataclass(frozen=True, slots=True)
class BatchQuality:
    """What is found for each batch on each scale.

    Attributes
    ----------
    sigma : ndarray [batch]
        σ, the error of the batch's assessors.
    levels : ndarray of int [scale]
        G, the number of grades.
    values : dict of str to ndarray [batch, scale]
        PDP by its mode, and coefficients by their names.
    """

    sigma: FloatArray
    levels: IntArray
    values: dict[str, FloatArray]


def paper_design(inputs: StudyInputs) -> Design:
    """The paper's parameters, with fewer topics at the small size."""
    return Design() if inputs.paper_size else Design(topics=800, batch_size=20)


def paper_levels(inputs: StudyInputs) -> tuple[int, ...]:
    """G = 2 … 30, or some of it at the small size."""
    return tuple(range(2, 31)) if inputs.paper_size else (2, 3, 4, 7, 16, 30)


def batch_qualities(inputs: StudyInputs, *, bias: str = "assessor") -> BatchQuality:
    """Every batch of the design, judged on every scale; computed once for all artefacts."""
    design, levels = paper_design(inputs), paper_levels(inputs)
    cells = [
        Cell(
            _WORK,
            {
                "batch": batch,
                "topics": design.topics,
                "batch_size": design.batch_size,
                "bias": bias,
                "levels": levels,
            },
            inputs.seed,
        )
        for batch in range(design.batches)
    ]
    tables = inputs.sweep(cells)
    names = (*MODES, *COEFFICIENT_NAMES)
    rows = np.array([[row[2:] for row in table.rows] for table in tables], dtype=np.float64)
    return BatchQuality(
        sigma=np.array([table.rows[0][0] for table in tables], dtype=np.float64),
        levels=np.array(levels),
        values={name: rows[:, :, place] for place, name in enumerate(names)},
    )


def batch_quality(
    *,
    batch: int,
    topics: int,
    batch_size: int,
    bias: str,
    levels: Sequence[int],
    seed: int,
    judging: str = "perceived",
) -> Table:
    """One batch on some scales: a row for each, with the mean over its topics.

    PDP is that of the paper's program: every pair of docs is a preference test, without smoothing,
    the doc-level matrix clipped; its grade-level matrix belongs to the batch.
    """
    design = Design(topics=topics, batch_size=batch_size, bias=bias, judging=judging)
    simulated = simulate_batch(design, batch, seed=seed)
    rows = []
    for count in levels:
        pdp = [batch_pdp(simulated, count, mode, seed=seed) for mode in MODES]
        agreement = [_mean_coefficient(name, simulated, count) for name in COEFFICIENT_NAMES]
        rows.append((simulated.sigma, count, *pdp, *agreement))
    return Table.of(("sigma", "levels", *MODES, *COEFFICIENT_NAMES), rows)


def batch_pdp(simulated: Batch, levels: int, mode: Mode, *, seed: int) -> float:
    """The mean PDP of a batch in paper mode, from all preference tests there can be."""
    setting = Setting(
        grades=np.moveaxis(simulated.grades(levels), 0, -1),
        evidence=all_tests(simulated.truth),
        levels=np.arange(levels),
        mode=mode,
        smoothing="paper",
    )
    rng = rng_for(seed, "synthetic", simulated.number, levels, mode)
    return collection_pdp(setting, rng=rng, resamples=0).mean


def _mean_coefficient(name: str, simulated: Batch, levels: int) -> float:
    """The mean over topics of a coefficient of agreement (Eq. 2); undefined topics are left out."""
    topics, docs = simulated.truth.shape
    found = mean_over_topics(
        simulated.ratings(levels), np.repeat(np.arange(topics), docs), name, scale=np.arange(levels)
    )
    return found.value
