"""Figures 4 and 5: PDP of simulated annotations by grades and quality, and what follows quality."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.tables import Table
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.planning.simulation import Design
from qrelsmith.planning.simulation.design import BIASES
from qrelsmith.stats.spearman import spearman_rho
from qrelsmith.studies.claims import (
    Claim,
    ClaimKind,
    Held,
    Part,
    at_least,
    claim,
    equal_to,
    greater_than,
    less_than,
    within,
)
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import artefact_table
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.synthetic import (
    COEFFICIENT_NAMES,
    QUALITIES,
    BatchQuality,
    batch_qualities,
    means_cell,
)

SIMULATED = "the simulated annotations"
RANDOM = math.log(math.factorial(5))
_RANDOM_LEVELS = (2, 4, 7, 16, 30)


class _Curves(NamedTuple):
    """Mean PDP by mode and quality [scale], and how far random annotation is from ln 5!."""

    of: Mapping[tuple[str, str], FloatArray]
    random: float

    def smallest_step(self) -> float:
        """Return the smallest lead of a quality over the next worse one."""
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
        """Return the mean over scales of low quality."""
        return float(np.mean(self.of[mode, "low"]))


def _falling(mode: str) -> Callable[[_Curves], float]:
    return lambda curves: curves.falling(mode)


_FIGURE_4: tuple[Claim[_Curves], ...] = (
    claim(
        "Higher annotation qualities bring lower PDP values on the same scale.",
        Part("smallest lead of a quality over the next", _Curves.smallest_step, greater_than(0)),
    ),
    claim(
        "Mean PDP falls as the number of grades grows.",
        *(
            Part(f"share of steps in which it does, {mode}", _falling(mode), at_least(0.9))
            for mode in MODES
        ),
    ),
    claim(
        "PDP in aggregate mode is lower than in individual mode in most cases.",
        Part("share of cases", _Curves.lower, greater_than(0.5)),
    ),
    claim(
        "The mean of individual-mode PDP of low quality is about 4.6, only slightly better than"
        " random annotation (4.7875); aggregate mode extracts information even there.",
        Part("mean of individual mode", lambda c: c.of_low("individual"), within(4.5, 4.7)),
        Part("mean of aggregate mode", lambda c: c.of_low("aggregate"), less_than(4.5)),
    ),
    claim(
        "Random annotation gives 4.7875.",
        Part("largest distance, large batches", lambda c: c.random, less_than(0.02)),
    ),
)


@PDP.add(
    "fig4",
    title="Figure 4: grades and quality",
    claims=_FIGURE_4,
    kind=ClaimKind.SIMULATED,
    deviation="Random annotation looks better than it is where the 1,000 preference tests of a"
    " batch are few for the pairs of grades.",
)
def figure4(inputs: StudyInputs) -> Made:
    """PDP by number of grades and quality of annotation, in both modes."""
    qualities, blind = batch_qualities(inputs), _random_annotation(inputs)
    curves = _curves(qualities)
    levels = qualities.levels.tolist()
    most = max(int(str(row[0])) for row in blind.rows)
    random = max(abs(float(str(row[4]))) for row in blind.rows if row[0] == most)
    return Made(
        held=[Held(SIMULATED, ClaimKind.SIMULATED, _Curves(curves, random))],
        paragraphs=[
            "Mean PDP of simulated topics with 5 docs and 15 assessors. Quality is high for σ up to"
            " 0.1, medium up to 0.2, low up to 0.3. Random annotation would give ln 5! = 4.7875;"
            " lower is more discriminative. The paper prints no numbers, only curves.",
            "With the tests of one batch of 100 topics, random annotation comes out below ln 5!"
            " where the grade-level matrix has many cells for few tests: what chance put into them"
            " is taken for knowledge. A table shows by how much, and that it goes away with more"
            " topics.",
        ],
        tables=[
            artefact_table(
                "fig4",
                "Mean PDP",
                "|".join(["grades", *(f"{mode}, {quality} quality" for mode, quality in curves)]),
                zip(levels, *(curve.tolist() for curve in curves.values()), strict=True),
            ),
            artefact_table(
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
    """PDP of grades that have nothing to do with relevance, in small batches and in a large one."""
    size, many = (100, 5_000) if inputs.paper_size else (20, 400)
    designs: tuple[Design, ...] = (
        Design(topics=10 * size, batch_size=size, judging="random"),
        Design(topics=many, batch_size=many, judging="random"),
    )
    if inputs.is_draw:
        designs = designs[1:]  # the claim is about large batches
    cells = [
        means_cell(inputs, one, batches=range(one.batches), levels=_RANDOM_LEVELS)
        for one in designs
    ]
    rows = []
    for design, table in zip(designs, inputs.sweep(cells), strict=True):
        values = np.array([row[2:] for row in table.rows], dtype=np.float64)
        means = values.reshape(design.batches, len(_RANDOM_LEVELS), len(MODES)).mean(axis=0)
        rows += [
            (design.batch_size, levels, mode, value, value - RANDOM)
            for levels, of_levels in zip(_RANDOM_LEVELS, means.tolist(), strict=True)
            for mode, value in zip(MODES, of_levels, strict=True)
        ]
    return Table.of(("topics in a batch", "grades", "mode", "pdp", "difference"), rows).sorted()


def _curves(qualities: BatchQuality) -> dict[tuple[str, str], FloatArray]:
    """For each mode and quality the mean over the batches [scale]; nan without a batch."""
    curves: dict[tuple[str, str], FloatArray] = {}
    for mode, (quality, low, high) in product(MODES, QUALITIES):
        chosen = (qualities.sigma > low) & (qualities.sigma <= high)
        none = np.full(qualities.levels.size, np.nan)
        curves[mode, quality] = (
            qualities.values[mode][chosen].mean(axis=0) if chosen.any() else none
        )
    return curves


NAMES = {
    "individual": "PDP, individual",
    "aggregate": "PDP, aggregate",
    "fleiss": "Fleiss' κ",
    "fleiss-quadratic": "weighted κ",
    "alpha-ordinal": "Krippendorff's α",
    "phi": "Φ",
}


class _Rho(NamedTuple):
    """Spearman's ρ with quality of each figure [scale]."""

    levels: Sequence[int]
    of: Mapping[str, FloatArray]

    def lead(self) -> float:
        """Return the smallest lead of individual PDP over the best other figure."""
        others = [values for name, values in self.of.items() if name != "individual"]
        return float((self.of["individual"] - np.max(others, axis=0)).min())

    def at(self, name: str, chosen: Callable[[int], bool]) -> FloatArray:
        """Return the values of a figure on some scales."""
        return self.of[name][[chosen(level) for level in self.levels]]

    def rise(self, name: str) -> float:
        """Return the lowest ρ from 7 grades on less the highest up to 4."""
        fine, coarse = self.at(name, lambda g: g >= 7), self.at(name, lambda g: g <= 4)
        return float(fine.min() - coarse.max())

    def change(self, name: str) -> float:
        """ρ on the finest scale less that on 4 grades."""
        return float(self.of[name][-1] - self.at(name, lambda g: g == 4)[0])

    def lowest(self, names: Sequence[str]) -> float:
        """Return the lowest ρ of some figures on any scale."""
        return float(min(self.of[name].min() for name in names))


_FIGURE_5: tuple[Claim[_Rho], ...] = (
    claim(
        "PDP in individual mode holds the highest consistency with annotation quality on every"
        " scale.",
        Part("smallest lead over the best other figure", _Rho.lead, at_least(0)),
    ),
    claim(
        "Individual PDP, Krippendorff's α, weighted κ and Φ keep high consistency with quality when"
        " the scale increases.",
        Part(
            "lowest ρ of the four",
            lambda r: r.lowest(("individual", "alpha-ordinal", "fleiss-quadratic", "phi")),
            at_least(0.9),
        ),
    ),
    claim(
        "Aggregate PDP becomes more reliable when the scale increases.",
        Part(
            "lowest ρ from 7 grades on less highest up to 4",
            lambda r: r.rise("aggregate"),
            greater_than(0),
        ),
    ),
    claim(
        "Fleiss' κ performs worse when the scale increases.",
        Part("ρ at 30 grades less ρ at 4", lambda r: r.change("fleiss"), less_than(0)),
    ),
)


@PDP.add(
    "fig5",
    title="Figure 5: consistency with quality",
    claims=_FIGURE_5,
    kind=ClaimKind.SIMULATED,
    deviation="By how much individual PDP leads is less than .01, so that another draw may have Φ"
    " ahead on some scale.",
)
def figure5(inputs: StudyInputs) -> Made:
    """Correlation of PDP and four coefficients of agreement with the quality of annotation."""
    qualities = batch_qualities(inputs)
    rho, levels = consistencies(qualities), qualities.levels.tolist()
    columns = "|".join(["grades", *(NAMES[name] for name in rho)])
    rows = zip(levels, *(values.tolist() for values in rho.values()), strict=True)
    title = "Consistency with the quality of annotation"
    return Made(
        held=[Held(SIMULATED, ClaimKind.SIMULATED, _Rho(levels, rho))],
        paragraphs=[
            "Spearman's ρ over the batches between the mean of each figure in a batch and σ, the"
            " error of its assessors, with the sign turned so that 1 is perfect. ε1 of Eq. 15 is"
            " drawn once for each assessor of a batch: the paper leaves it open, and this is the"
            " reading under which individual PDP comes out highest, as in the paper."
        ],
        tables=[artefact_table("fig5", title, columns, rows)],
        figures=[
            Figure(
                key="fig5",
                title=title,
                drawing=Lines(
                    lines=[Line(NAMES[name], levels, of.tolist()) for name, of in rho.items()],
                    x_label="number of grades",
                    y_label="Spearman's ρ with quality",
                ),
                caption="1: the figure orders the batches exactly as the error of their assessors.",
            )
        ],
    )


def consistencies(qualities: BatchQuality) -> dict[str, FloatArray]:
    """Spearman's ρ with quality for each figure, [scale]; PDP and σ both fall with quality."""
    rho = {}
    for name in (*MODES, *COEFFICIENT_NAMES):
        sign = 1.0 if name in MODES else -1.0
        values = qualities.values[name].T
        rho[name] = spearman_rho(sign * values, np.broadcast_to(qualities.sigma, values.shape))
    return rho


_READINGS = {
    "assessor": "once for each assessor of a batch",
    "assessor-topic": "anew for each topic",
    "annotation": "anew for each annotation",
}
# Which figure is highest on each scale.
_FIGURE_5_READINGS: tuple[Claim[Sequence[str]], ...] = tuple(
    claim(
        f"Individual PDP holds the highest consistency with quality (ε1 drawn {words}).",
        Part(
            "share of scales on which it does",
            lambda highest: float(np.mean([name == "individual" for name in highest])),
            equal_to(1),
        ),
        of=reading,
    )
    for reading, words in _READINGS.items()
)


@PDP.add(
    "fig5-readings",
    title="Figure 5: other readings of ε1",
    claims=_FIGURE_5_READINGS,
    kind=ClaimKind.SIMULATED,
    deviation="What the paper leaves open (for what ε1 is drawn) decides which figure follows"
    " quality best, by less than .01. Only the first reading gives its figure.",
)
def figure5_readings(inputs: StudyInputs) -> Made:
    """Figure 5 on some scales, under each reading of ε1 in Eq. 15."""
    rows = []
    highest: dict[str, Sequence[str]] = {}
    for bias in BIASES:
        # Figure 5 has the first one on all scales.
        levels = None if bias == BIASES[0] else _RANDOM_LEVELS
        found = batch_qualities(inputs, bias=bias, levels=levels)
        rho, best = consistencies(found), []
        for count in _RANDOM_LEVELS:
            place = found.levels.tolist().index(count)
            values = {name: float(of_scale[place]) for name, of_scale in rho.items()}
            best.append(max(values, key=lambda name: values[name]))
            rows.append((_READINGS[bias], count, NAMES[best[-1]], *values.values()))
        highest[bias] = best
    return Made(
        held=[Held(SIMULATED, ClaimKind.SIMULATED, of, bias) for bias, of in highest.items()],
        paragraphs=[
            "Eq. 15 adds σ ε1 to what an assessor perceives, and the paper does not say for what ε1"
            " is drawn. Which figure follows quality best depends on it."
        ],
        tables=[
            artefact_table(
                "fig5-readings",
                "Spearman's ρ with quality, by what ε1 is drawn for",
                "|".join(["epsilon 1 is drawn", "grades", "highest", *NAMES.values()]),
                rows,
                "As in Figure 5, over the means of all batches; 1 is perfect.",
            )
        ],
    )
