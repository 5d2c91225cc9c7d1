"""Figure 4: PDP of simulated annotations by number of grades and quality."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.tables import Table
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.planning.simulation import Design
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.synthetic import (
    QUALITIES,
    BatchQuality,
    batch_qualities,
    means_cell,
)

SIMULATED = "the simulated annotations"
RANDOM = math.log(math.factorial(5))
RANDOM_LEVELS = (2, 4, 7, 16, 30)


class _Curves(NamedTuple):
    """Mean PDP by mode and quality [scale], and the distance of random annotation from ln 5!."""

    of: Mapping[tuple[str, str], FloatArray]
    random: float

    def smallest_step(self) -> float:
        """Return the smallest difference in PDP between a quality and the next better quality."""
        steps = [
            self.of[mode, worse] - self.of[mode, better]
            for mode in MODES
            for better, worse in (("high", "medium"), ("medium", "low"))
        ]
        return float(np.min(steps))

    def falling(self, mode: str) -> float:
        """Return the share of steps to a finer scale in which PDP falls."""
        return float(np.mean([np.diff(self.of[mode, q]) < 0 for q, _, _ in QUALITIES]))

    def lower(self) -> float:
        """Return the share of cases in which PDP is lower in aggregate mode."""
        pairs = [(self.of["aggregate", q], self.of["individual", q]) for q, _, _ in QUALITIES]
        return float(np.mean([one < other for one, other in pairs]))

    def of_low(self, mode: str) -> float:
        """Return the mean PDP over the scales for low quality."""
        return float(np.mean(self.of[mode, "low"]))


def _falling(mode: str) -> Callable[[_Curves], float]:
    return lambda curves: curves.falling(mode)


_FIGURE_4: tuple[c.Claim[_Curves], ...] = (
    c.claim(
        "Higher annotation qualities bring lower PDP values on the same scale.",
        ("smallest lead of a quality over the next", _Curves.smallest_step, c.over(0)),
    ),
    c.claim(
        "Mean PDP falls as the number of grades grows.",
        *(
            (f"share of steps with a fall, {mode} mode", _falling(mode), c.at_least(0.9))
            for mode in MODES
        ),
    ),
    c.claim(
        "PDP in aggregate mode is lower than in individual mode in most cases.",
        ("share of cases with lower PDP in aggregate mode", _Curves.lower, c.over(0.5)),
    ),
    c.claim(
        "The mean of individual-mode PDP of low quality is about 4.6, only slightly better than"
        " random annotation (4.7875); aggregate mode extracts information even there.",
        ("mean of individual mode", lambda of: of.of_low("individual"), c.within(4.5, 4.7)),
        ("mean of aggregate mode", lambda of: of.of_low("aggregate"), c.under(4.5)),
    ),
    c.claim(
        "Random annotation gives 4.7875.",
        ("largest distance in large batches", lambda of: of.random, c.under(0.02)),
    ),
)


@PDP.add(
    "fig4",
    title="Figure 4: grades and quality",
    claims=_FIGURE_4,
    kind=c.ClaimKind.SIMULATED,
    deviation="A batch of 1,000 preference tests is small for many pairs of grades.",
)
def figure4(inputs: StudyInputs) -> Made:
    """Plot PDP by number of grades and quality of annotation, in both modes."""
    qualities, blind = batch_qualities(inputs), _random_annotation(inputs)
    curves = _curves(qualities)
    levels = qualities.levels.tolist()
    most = max(int(str(row[0])) for row in blind.rows)
    random = max(abs(float(str(row[4]))) for row in blind.rows if row[0] == most)
    return Made(
        held=[c.Held(SIMULATED, c.ClaimKind.SIMULATED, _Curves(curves, random))],
        paragraphs=[
            "Mean PDP of simulated topics with 5 docs and 15 assessors. Quality is high for σ up to"
            " 0.1, medium up to 0.2, low up to 0.3. Random annotation would give ln 5! = 4.7875;"
            " lower is more discriminative. The paper prints no numbers, only curves.",
            "Random annotation is below ln 5! in one batch, whose tests are few for many pairs of"
            " grades. A table shows by how much, and that more topics remove it.",
        ],
        tables=[
            table_of(
                "fig4",
                "Mean PDP",
                "|".join(["grades", *(f"{mode}, {quality} quality" for mode, quality in curves)]),
                zip(levels, *(curve.tolist() for curve in curves.values()), strict=True),
            ),
            table_of(
                "fig4-random",
                "Mean PDP of random annotation (ln 5! = 4.7875)",
                "|".join(blind.columns),
                blind.rows,
            ),
        ],
        figures=[
            Figure(
                key=f"fig4-{mode}",
                title=f"PDP in {mode} mode",
                drawing=Lines(
                    lines=[
                        Line(f"{quality} quality", levels, curves[mode, quality].tolist())
                        for quality, _, _ in QUALITIES
                    ],
                    x_label="number of grades",
                    y_label="mean PDP (nats)",
                    reference=RANDOM,
                ),
                caption="The line across is random annotation, ln 5!.",
            )
            for mode in MODES
        ],
    )


def _random_annotation(inputs: StudyInputs) -> Table:
    """Compute PDP of grades unrelated to relevance, in small batches and a large batch."""
    size, many = (100, 5_000) if inputs.paper_size else (20, 400)
    designs: tuple[Design, ...] = (
        Design(topics=10 * size, batch_size=size, judging="random"),
        Design(topics=many, batch_size=many, judging="random"),
    )
    if inputs.is_draw:
        designs = designs[1:]  # because the claim is on large batches
    cells = [
        means_cell(inputs, one, batches=range(one.batches), levels=RANDOM_LEVELS) for one in designs
    ]
    rows = []
    for design, table in zip(designs, inputs.sweep(cells), strict=True):
        values = np.array([row[2:] for row in table.rows], dtype=np.float64)
        means = values.reshape(design.batches, len(RANDOM_LEVELS), len(MODES)).mean(axis=0)
        rows += [
            (design.batch_size, levels, mode, value, value - RANDOM)
            for levels, of_levels in zip(RANDOM_LEVELS, means.tolist(), strict=True)
            for mode, value in zip(MODES, of_levels, strict=True)
        ]
    return Table.of(("topics in a batch", "grades", "mode", "pdp", "difference"), rows).sorted()


def _curves(qualities: BatchQuality) -> dict[tuple[str, str], FloatArray]:
    """Return the mean over batches by mode and quality [scale]; nan if there are no batches."""
    curves: dict[tuple[str, str], FloatArray] = {}
    for mode, (quality, low, high) in product(MODES, QUALITIES):
        chosen = (qualities.sigma > low) & (qualities.sigma <= high)
        none = np.full(qualities.levels.size, np.nan)
        curves[mode, quality] = (
            qualities.values[mode][chosen].mean(axis=0) if chosen.any() else none
        )
    return curves
