"""Synthetic annotations of Chu et al. 2021, 4.1, measured by PDP and by agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from qrelsmith.agreement import mean_over_topics
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table
from qrelsmith.discrimination import Setting, collection_pdp
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.planning.simulation import Design, SyntheticBatch, all_tests, simulate_batch
from qrelsmith.planning.simulation.design import check_count
from qrelsmith.sweep import Cell

MODES: tuple[Mode, ...] = ("individual", "aggregate")
_WORK = "qrelsmith.planning.simulated_annotations:annotated_batch"


def batch_setting(simulated: SyntheticBatch, levels: int, mode: Mode) -> Setting:
    """Return the `Setting` of a batch on one scale, as in the program of the paper's authors.

    There is a preference test without errors for every pair of docs. A pair of grades without
    tests, which occurs only in samples of the tests, has probability ½.
    """
    return Setting(
        grades=np.moveaxis(simulated.grades(levels), 0, -1),
        evidence=all_tests(simulated.truth),
        levels=np.arange(levels),
        mode=mode,
        smoothing="paper",
        untested="half",
    )


def batch_pdp(simulated: SyntheticBatch, levels: int, mode: Mode, *, seed: int) -> float:
    """Return the mean PDP of a batch in paper mode, from all possible preference tests."""
    rng = rng_for(seed, "synthetic", simulated.number, levels, mode)
    return collection_pdp(batch_setting(simulated, levels, mode), rng=rng, resamples=0).mean


def batch_coefficient(name: str, simulated: SyntheticBatch, levels: int) -> float:
    """Return the mean agreement coefficient over the topics where it is defined (Eq. 2)."""
    topics, docs = simulated.truth.shape
    found = mean_over_topics(
        simulated.ratings(levels), np.repeat(np.arange(topics), docs), name, scale=np.arange(levels)
    )
    return found.value


def annotation_cells(
    design: Design, *, levels: Sequence[int], coefficients: Sequence[str], seed: int
) -> list[Cell]:
    """Return the cells of a sweep over the batches of a design, one cell per batch."""
    for count in levels:
        check_count("levels", count, least=2)
    parameters = {**asdict(design), "levels": tuple(levels), "coefficients": tuple(coefficients)}
    return [Cell(_WORK, {**parameters, "batch": batch}, seed) for batch in range(design.batches)]


def annotated_batch(
    *,
    batch: int,
    topics: int,
    batch_size: int,
    docs: int,
    assessors: int,
    shape: tuple[float, float],
    sigma: tuple[float, float],
    w: tuple[float, float],
    bias: str,
    judging: str,
    levels: Sequence[int],
    coefficients: Sequence[str],
    seed: int,
) -> Table:
    """Return the means over a batch's topics: a row for each scale.

    See `Design` for the parameters. The columns are batch, topics, sigma, levels, individual,
    aggregate (PDP), and a column for each coefficient.
    """
    design = Design(
        topics=topics,
        batch_size=batch_size,
        docs=docs,
        assessors=assessors,
        shape=shape,
        sigma=sigma,
        w=w,
        bias=bias,
        judging=judging,
    )
    simulated = simulate_batch(design, batch, seed=seed)
    rows = []
    for count in levels:
        pdp = [batch_pdp(simulated, count, mode, seed=seed) for mode in MODES]
        agreement = [batch_coefficient(name, simulated, count) for name in coefficients]
        rows.append((batch, len(simulated.topics), simulated.sigma, count, *pdp, *agreement))
    return Table.of(("batch", "topics", "sigma", "levels", *MODES, *coefficients), rows)
