"""Figure 6: how reliable PDP is, by the number of preference tests for each pair of grades."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Boxes, Figure, Finding, NamedTable, Section
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.discrimination import weighted_pdp
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.planning.simulated_annotations import MODES, batch_setting
from qrelsmith.planning.simulation import (
    Design,
    all_tests,
    batch_sigmas,
    limit_weights,
    nearest_batches,
    sample_counts,
    simulate_batch,
)
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.synthetic import (
    QUALITIES,
    means_cell,
    paper_design,
)

_KEY = "fig6"
_WORK = "qrelsmith_papers.judgment_quality.figure6:sampled_batch"
_LEVELS = (4, 7, 16)
_PER_PAIR = (10, 20, 40, 80, 160, 320)
_SIGMAS = (0.05, 0.15, 0.25)
_NAMES = tuple(name for name, _, _ in QUALITIES)
_NEAR = 0.02  # how far σ may be from 0.15 and 0.25 for a batch to be one that might have been taken
_RELIABLE = 0.95
_ENOUGH: Mapping[Mode, int] = {"individual": 40, "aggregate": 160}  # what the paper says

Panel = tuple[Mode, int]


@dataclass(frozen=True, slots=True)
class _Samples:
    """The PDP of one batch on one scale in one mode.

    Attributes
    ----------
    values : ndarray [B, repeat]
        From samples of the tests.
    limit : float
        What they tend to as B grows.
    """

    values: FloatArray
    limit: float


@PDP.add(
    "fig6",
    kind=ClaimKind.SIMULATED,
    sized=True,
    deviation=(
        "The paper shows three batches; which of two batches with nearly the same error looks "
        "better hangs on the batch."
    ),
)
def figure6(inputs: StudyInputs) -> Section:
    """Reliability of PDP by the number of preference tests for each pair of grades."""
    design = paper_design(inputs)
    batches = nearest_batches(design, _SIGMAS, seed=inputs.seed).tolist()
    sigmas = batch_sigmas(design, seed=inputs.seed)[batches]
    repeats = 100 if inputs.paper_size else 20
    samples = _samples(inputs, design, batches, repeats)
    shares = {
        panel: _right_orders([samples[panel, name] for name in _NAMES]) for panel in _panels()
    }
    rows: list[tuple[TableCell, ...]] = []
    for panel in _panels():
        mode, levels = panel
        for place, name in product(range(len(_PER_PAIR)), _NAMES):
            values = samples[panel, name].values[place]
            low, middle, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
            spread = float(values.std(ddof=1))
            rows.append(
                (mode, levels, _PER_PAIR[place], name, low, middle, high, spread,
                 samples[panel, name].limit, float(shares[panel][place]))
            )  # fmt: skip
    columns = (
        "mode", "grades", "tests a pair", "quality", "quartile 1", "median", "quartile 3", "sd",
        "limit", "right order",
    )  # fmt: skip
    return Section(
        key=_KEY,
        title="Figure 6: number of tests",
        paragraphs=(
            "Mean PDP of a batch of topics when the grade-level matrix comes from B tests for each"
            f" pair of aggregated grades, drawn with replacement, {repeats} times. The batches are"
            " those whose σ is nearest to 0.05 (high quality), 0.15 (medium) and 0.25 (low): "
            + ", ".join(f"{sigma:.4f}" for sigma in sigmas.tolist())
            + ". A pair of grades that no drawn test touches tells nothing (½).",
            "In individual mode the limit for many tests is not the PDP of Figure 4: there every"
            " pair of docs is a test, here no test compares docs of one aggregated grade.",
        ),
        tables=(
            NamedTable(
                key=_KEY,
                title="Mean PDP from samples of the tests",
                table=Table.of(columns, rows),
                note="limit: what the values tend to for many tests. right order: how often high,"
                " medium and low quality come out in this order if each is sampled apart, the"
                " smaller one of high–medium and medium–low.",
            ),
        ),
        figures=tuple(_figure(panel, samples) for panel in _panels()),
        findings=_findings(samples, shares, _reversals(inputs, design)),
    )


def sampled_batch(
    *,
    batch: int,
    topics: int,
    batch_size: int,
    levels: int,
    mode: Mode,
    per_pair: Sequence[int],
    repeats: int,
    seed: int,
) -> Table:
    """The mean PDP of a batch from samples of its tests; B is None for the limit."""
    simulated = simulate_batch(Design(topics=topics, batch_size=batch_size), batch, seed=seed)
    setting = batch_setting(simulated, levels, mode)
    tests = all_tests(simulated.truth)
    grades = AGGREGATIONS.get("median")(simulated.ratings(levels)).reshape(simulated.truth.shape)
    rng = rng_for(seed, _KEY, "sampling", batch, levels)
    rows: list[tuple[int | None, int, float]] = []
    for size in per_pair:
        # Both modes get the same samples.
        draws = rng_for(seed, _KEY, batch, levels, size)
        counts = sample_counts(tests, grades, per_pair=size, repeats=repeats, rng=draws)
        means = weighted_pdp(setting, counts, rng=rng).mean(axis=1)
        rows += [(size, repeat, value) for repeat, value in enumerate(means.tolist())]
    limit = weighted_pdp(setting, limit_weights(tests, grades)[None], rng=rng).mean(axis=1)
    rows.append((None, 0, float(limit[0])))
    return Table.of(("tests", "repeat", "pdp"), rows)


def _panels() -> list[Panel]:
    return [(mode, levels) for mode in MODES for levels in _LEVELS]


def _samples(
    inputs: StudyInputs, design: Design, batches: Sequence[int], repeats: int
) -> dict[tuple[Panel, str], _Samples]:
    """The samples of the cells, by panel and quality."""
    keys = list(product(_panels(), zip(_NAMES, batches, strict=True)))
    cells = [
        Cell(
            _WORK,
            {
                "batch": batch,
                "topics": design.topics,
                "batch_size": design.batch_size,
                "levels": levels,
                "mode": mode,
                "per_pair": _PER_PAIR,
                "repeats": repeats,
            },
            inputs.seed,
        )
        for (mode, levels), (_, batch) in keys
    ]
    found = {}
    for (panel, (name, _)), table in zip(keys, inputs.sweep(cells), strict=True):
        *values, limit = (row[2] for row in table.rows)
        shaped = np.array(values, dtype=np.float64).reshape(len(_PER_PAIR), repeats)
        found[panel, name] = _Samples(shaped, float(str(limit)))
    return found


def _right_orders(qualities: Sequence[_Samples]) -> FloatArray:
    """How often better quality has the lower PDP, the least over neighbouring qualities [B]."""
    shares = [
        (better.values[:, :, None] < worse.values[:, None, :]).mean(axis=(1, 2))
        for better, worse in pairwise(qualities)
    ]
    return np.asarray(np.min(shares, axis=0))


def _figure(panel: Panel, samples: Mapping[tuple[Panel, str], _Samples]) -> Figure:
    mode, levels = panel
    boxes = list(product(range(len(_PER_PAIR)), _NAMES))
    return Figure(
        key=f"{_KEY}-{mode}-{levels}",
        title=f"Reliability of PDP in {mode} mode, {levels} grades",
        drawing=Boxes(
            names=[f"B = {_PER_PAIR[place]}, {name}" for place, name in boxes],
            values=[samples[panel, name].values[place].tolist() for place, name in boxes],
            label="mean PDP (nats)",
            groups=[f"{name} quality" for _, name in boxes],
        ),
        caption="B: preference tests for each pair of grades. Boxes go from quartile to quartile.",
    )


def _reversals(inputs: StudyInputs, design: Design) -> dict[int, tuple[float, int]]:
    """How often aggregate PDP takes low for better than medium, whatever batches are taken.

    Over all pairs of batches with σ near 0.15 and near 0.25, from all tests there can be, by the
    number of grades; and the number of pairs.
    """
    sigmas = batch_sigmas(design, seed=inputs.seed)
    medium, low = (np.flatnonzero(np.abs(sigmas - near) <= _NEAR) for near in _SIGMAS[1:])
    cells = [
        means_cell(inputs, design, batches=batches.tolist(), levels=_LEVELS)
        for batches in (medium, low)
    ]
    place = 2 + MODES.index("aggregate")
    one, other = (
        np.array([row[place] for row in table.rows], dtype=np.float64).reshape(-1, len(_LEVELS))
        for table in inputs.sweep(cells)
    )
    reversed_order = (other[None] < one[:, None]).mean(axis=(0, 1))
    return {
        levels: (float(share), medium.size * low.size)
        for levels, share in zip(_LEVELS, reversed_order.tolist(), strict=True)
    }


def _findings(
    samples: Mapping[tuple[Panel, str], _Samples],
    shares: Mapping[Panel, FloatArray],
    reversals: Mapping[int, tuple[float, int]],
) -> tuple[Finding, ...]:
    """The paper's claims about the figure, beside what came out."""
    spread = {
        panel: np.stack([samples[panel, name].values.std(axis=1, ddof=1) for name in _NAMES])
        for panel in _panels()
    }
    falls = np.concatenate([(np.diff(sds, axis=1) < 0).ravel() for sds in spread.values()])
    steadier = np.stack(
        [spread["individual", levels] < spread["aggregate", levels] for levels in _LEVELS]
    )
    low, medium = (samples[("aggregate", 4), name].limit for name in ("low", "medium"))
    (at_4, pairs), (at_16, _) = reversals[4], reversals[16]
    return (
        claim(
            bool(falls.mean() >= 0.95),
            "The paper: PDP becomes more reliable with more preference tests. Here its standard"
            f" deviation falls in {falls.mean():.0%} of the steps from one B to the next.",
            section=_KEY,
        ),
        claim(
            bool(steadier.all()),
            "The paper: individual PDP is more stable than aggregate PDP. Here its standard"
            f" deviation is smaller in {steadier.mean():.0%} of the cases.",
            section=_KEY,
        ),
        *(
            claim(
                all(_enough(shares[mode, levels]) <= most for levels in _LEVELS),
                f"The paper: {most} preference tests for each pair of grades serve in {mode} mode."
                f" Here better quality has the lower PDP in {_RELIABLE:.0%} of the samples"
                f" {_wordings(mode, shares)}.",
                section=_KEY,
            )
            for mode, most in _ENOUGH.items()
        ),
        claim(
            low < medium,
            "The paper: with 4 grades, aggregate PDP takes low quality for better than medium. Here"
            f" it comes to {medium:.3f} for medium and {low:.3f} for low quality. It depends on the"
            f" batches: of {pairs} pairs with σ within {_NEAR} of 0.15 and 0.25, {at_4:.1%} are in"
            f" the wrong order with 4 grades, {at_16:.1%} with 16.",
            section=_KEY,
        ),
    )


def _enough(shares: FloatArray) -> float:
    """The smallest B from which on the order is nearly always right."""
    lasting = np.logical_and.accumulate((shares >= _RELIABLE)[::-1])[::-1]
    return _PER_PAIR[int(lasting.argmax())] if lasting.any() else math.inf


def _wordings(mode: Mode, shares: Mapping[Panel, FloatArray]) -> str:
    """From which B on the order is right, scale by scale."""
    words = []
    for levels in _LEVELS:
        enough = _enough(shares[mode, levels])
        last = f"not even from {_PER_PAIR[-1]} on ({shares[mode, levels][-1]:.0%})"
        words.append(f"with {levels} grades {f'from {enough} on' if enough < math.inf else last}")
    return ", ".join(words)
