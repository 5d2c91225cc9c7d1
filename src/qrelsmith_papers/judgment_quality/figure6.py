"""Figure 6: the reliability of PDP by the number of preference tests per pair of grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Boxes, Figure
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
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.figure4 import SIMULATED
from qrelsmith_papers.judgment_quality.synthetic import QUALITIES, means_cell, paper_design

_KEY = "fig6"
_LEVELS = (4, 7, 16)
_PER_PAIR = (10, 20, 40, 80, 160, 320)
_SIGMAS = (0.05, 0.15, 0.25)
_NAMES = tuple(name for name, _, _ in QUALITIES)
_NEAR = 0.02  # allowed distance of a batch's σ from 0.15 or 0.25
_RELIABLE = 0.95

Panel = tuple[Mode, int]


@dataclass(frozen=True, slots=True)
class _Samples:
    """The PDP of one batch on one scale in one mode.

    Attributes
    ----------
    values : ndarray [B, repeat]
        PDP from samples of the tests.
    limit : float
        Limit of the values for large B.
    """

    values: FloatArray
    limit: float


class _Reliability(NamedTuple):
    """The spread of PDP [quality, B] and correct orders [B] by panel, limits, and reversals."""

    spread: Mapping[Panel, FloatArray]
    shares: Mapping[Panel, FloatArray]
    low_less_medium: float
    reversed_4: float

    def falls(self) -> float:
        """Return the share of steps to a larger B in which the standard deviation falls."""
        steps = [np.diff(each, axis=1).ravel() < 0 for each in self.spread.values()]
        return float(np.mean(np.concatenate(steps)))

    def steadier(self) -> float:
        """Return the share of cases in which individual PDP has the smaller spread."""
        pairs = [
            self.spread["individual", levels] < self.spread["aggregate", levels]
            for levels in _LEVELS
        ]
        return float(np.mean(pairs))

    def right(self, mode: Mode, per_pair: int) -> float:
        """Return the lowest share of correct orders on all scales, for `per_pair` tests or more."""
        start = _PER_PAIR.index(per_pair)
        return float(min(self.shares[mode, levels][start:].min() for levels in _LEVELS))


_CLAIMS: tuple[c.Claim[_Reliability], ...] = (
    c.claim(
        "PDP's reliability improves significantly when the scale of preference tests becomes"
        " larger.",
        (
            "share of steps in which the standard deviation falls",
            _Reliability.falls,
            c.at_least(0.95),
        ),
    ),
    c.claim(
        "Individual PDP shows more stable performance than aggregate PDP.",
        ("share of cases with smaller deviation", _Reliability.steadier, c.equal_to(1)),
    ),
    c.claim(
        "No more than 40 tests for each grade pair are required in individual mode.",
        (
            "smallest share of samples in the right order, with 40 tests or more",
            lambda found: found.right("individual", 40),
            c.at_least(_RELIABLE),
        ),
    ),
    c.claim(
        "Aggregate mode can be applied with no less than 160 tests for each grade pair.",
        (
            "smallest share of samples in the right order, with 160 tests or more",
            lambda found: found.right("aggregate", 160),
            c.at_least(_RELIABLE),
        ),
    ),
    c.claim(
        "Aggregate PDP draws the wrong conclusion about low and medium quality with 4 grades.",
        ("PDP limit, low minus medium quality", lambda found: found.low_less_medium, c.under(0)),
        (
            f"share of pairs of batches with σ within {_NEAR} of 0.15 and 0.25 in the wrong order",
            lambda found: found.reversed_4,
            c.over(0.05),
        ),
    ),
)


@PDP.add(
    "fig6",
    title="Figure 6: number of tests",
    claims=_CLAIMS,
    kind=c.ClaimKind.SIMULATED,
    deviation="The paper shows three batches; the order of batches with nearly equal errors"
    " varies.",
)
def figure6(inputs: StudyInputs) -> Made:
    """Plot the reliability of PDP by the number of preference tests per pair of grades."""
    design = paper_design(inputs)
    batches = nearest_batches(design, _SIGMAS, seed=inputs.seed).tolist()
    sigmas = batch_sigmas(design, seed=inputs.seed)[batches]
    repeats = 100 if inputs.paper_size else 20
    samples = _samples(inputs, design, batches, repeats)
    shares = {
        panel: _right_orders([samples[panel, name] for name in _NAMES]) for panel in _panels()
    }
    rows: list[tuple[TableCell, ...]] = []
    for panel, place, name in product(_panels(), range(len(_PER_PAIR)), _NAMES):
        one = samples[panel, name]
        quartiles = np.quantile(one.values[place], (0.25, 0.5, 0.75)).tolist()
        spread = float(one.values[place].std(ddof=1))
        share = float(shares[panel][place])
        rows.append((*panel, _PER_PAIR[place], name, *quartiles, spread, one.limit, share))
    low, medium = (samples[("aggregate", 4), name].limit for name in ("low", "medium"))
    result = _Reliability(
        {
            panel: np.stack([samples[panel, n].values.std(axis=1, ddof=1) for n in _NAMES])
            for panel in _panels()
        },
        shares,
        low - medium,
        _reversals(inputs, design),
    )
    return Made(
        held=[c.Held(SIMULATED, c.ClaimKind.SIMULATED, result)],
        paragraphs=[
            "Mean PDP of a batch of topics when the grade-level matrix comes from B tests for each"
            f" pair of aggregated grades, drawn with replacement, {repeats} times. The batches are"
            " those whose σ is nearest to 0.05 (high quality), 0.15 (medium) and 0.25 (low): "
            + ", ".join(f"{sigma:.4f}" for sigma in sigmas.tolist())
            + ". A pair of grades that no drawn test touches tells nothing (½).",
            "In individual mode the limit for many tests is not the PDP of Figure 4: there every"
            " pair of docs is a test, here no test compares docs of one aggregated grade.",
        ],
        tables=[
            table_of(
                "fig6",
                "Mean PDP from samples of the tests",
                "mode|grades|tests a pair|quality|quartile 1|median|quartile 3|sd|limit"
                "|right order",
                rows,
                "limit: for infinitely many tests. right order: how often qualities that are"
                " sampled independently are in order, the smaller one of high–medium and"
                " medium–low.",
            )
        ],
        figures=[_figure(panel, samples) for panel in _panels()],
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
    """Return the mean PDP of a batch from sampled preference tests, and its limit for large B."""
    simulated = simulate_batch(Design(topics=topics, batch_size=batch_size), batch, seed=seed)
    setting = batch_setting(simulated, levels, mode)
    tests = all_tests(simulated.truth)
    grades = AGGREGATIONS.get("median")(simulated.ratings(levels)).reshape(simulated.truth.shape)
    rng = rng_for(seed, _KEY, "sampling", batch, levels)
    rows: list[tuple[int | None, int, float]] = []
    for size in per_pair:
        # Both modes use the same samples.
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
    """Return the PDP samples that the sweep's cells compute, by panel and quality."""
    keys = list(product(_panels(), zip(_NAMES, batches, strict=True)))
    cells = [
        inputs.cell(
            sampled_batch,
            batch=batch,
            topics=design.topics,
            batch_size=design.batch_size,
            levels=levels,
            mode=mode,
            per_pair=_PER_PAIR,
            repeats=repeats,
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
    """Return, for each B, the lowest share of correct orders (better quality, lower PDP)."""
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


def _reversals(inputs: StudyInputs, design: Design) -> float:
    """Return how often aggregate PDP with 4 grades ranks low quality above medium.

    All pairs of batches with σ near 0.15 and 0.25 are compared, with all possible tests.
    """
    sigmas = batch_sigmas(design, seed=inputs.seed)
    cells = [
        means_cell(
            inputs, design, levels=_LEVELS[:1],
            batches=np.flatnonzero(np.abs(sigmas - near) <= _NEAR).tolist(),
        )
        for near in _SIGMAS[1:]
    ]  # fmt: skip
    medium, low = (
        np.array([row[2 + MODES.index("aggregate")] for row in table.rows], dtype=np.float64)
        for table in inputs.sweep(cells)
    )
    return float((low[None] < medium[:, None]).mean())
