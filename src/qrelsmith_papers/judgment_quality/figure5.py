"""Figure 5: correlation of measures with the quality of annotations, by interpretation of ε1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.planning.simulation.design import BIASES
from qrelsmith.stats.spearman import spearman_rho
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.figure4 import RANDOM_LEVELS, SIMULATED
from qrelsmith_papers.judgment_quality.synthetic import (
    COEFFICIENT_NAMES,
    BatchQuality,
    batch_qualities,
)

NAMES = {
    "individual": "PDP, individual",
    "aggregate": "PDP, aggregate",
    "fleiss": "Fleiss' κ",
    "fleiss-quadratic": "weighted κ",
    "alpha-ordinal": "Krippendorff's α",
    "phi": "Φ",
}


class _Rho(NamedTuple):
    """Spearman's ρ between each measure and the quality of annotations [scale]."""

    levels: Sequence[int]
    of: Mapping[str, FloatArray]

    def lead(self) -> float:
        """Return the smallest difference in ρ between individual PDP and the best other measure."""
        others = [values for name, values in self.of.items() if name != "individual"]
        return float((self.of["individual"] - np.max(others, axis=0)).min())

    def at(self, name: str, chosen: Callable[[int], bool]) -> FloatArray:
        """Return the ρ of a measure on the chosen scales."""
        return self.of[name][[chosen(level) for level in self.levels]]

    def rise(self, name: str) -> float:
        """Return the lowest ρ for at least 7 grades minus the highest ρ for at most 4 grades."""
        fine, coarse = self.at(name, lambda g: g >= 7), self.at(name, lambda g: g <= 4)
        return float(fine.min() - coarse.max())

    def change(self, name: str) -> float:
        """Return ρ on the finest scale minus ρ on 4 grades."""
        return float(self.of[name][-1] - self.at(name, lambda g: g == 4)[0])

    def lowest(self, names: Sequence[str]) -> float:
        """Return the lowest ρ of the given measures across all scales."""
        return float(min(self.of[name].min() for name in names))


_FIGURE_5: tuple[c.Claim[_Rho], ...] = (
    c.claim(
        "PDP in individual mode holds the highest consistency with annotation quality on every"
        " scale.",
        ("smallest lead over the best other coefficient", _Rho.lead, c.at_least(0)),
    ),
    c.claim(
        "Individual PDP, Krippendorff's α, weighted κ and Φ keep high consistency with quality when"
        " the scale increases.",
        (
            "lowest ρ of the four coefficients",
            lambda r: r.lowest(("individual", "alpha-ordinal", "fleiss-quadratic", "phi")),
            c.at_least(0.9),
        ),
    ),
    c.claim(
        "Aggregate PDP becomes more reliable when the scale increases.",
        (
            "lowest ρ with 7 or more grades minus highest ρ with up to 4",
            lambda r: r.rise("aggregate"),
            c.over(0),
        ),
    ),
    c.claim(
        "Fleiss' κ performs worse when the scale increases.",
        ("ρ with 30 grades minus ρ with 4", lambda r: r.change("fleiss"), c.under(0)),
    ),
)


@PDP.add(
    "fig5",
    title="Figure 5: consistency with quality",
    claims=_FIGURE_5,
    kind=c.ClaimKind.SIMULATED,
    deviation="Individual PDP leads Φ by only about .01.",
)
def figure5(inputs: StudyInputs) -> Made:
    """Correlate PDP and four agreement coefficients with the quality of annotation."""
    qualities = batch_qualities(inputs)
    rho, levels = consistencies(qualities), qualities.levels.tolist()
    columns = "|".join(["grades", *(NAMES[name] for name in rho)])
    rows = zip(levels, *(values.tolist() for values in rho.values()), strict=True)
    title = "Consistency with the quality of annotation"
    return Made(
        held=[c.Held(SIMULATED, c.ClaimKind.SIMULATED, _Rho(levels, rho))],
        paragraphs=[
            "Spearman's ρ over the batches between a figure's mean in a batch and σ, the error of"
            " its assessors; 1 is perfect. ε1 of Eq. 15 is drawn once for each assessor of a"
            " batch: the paper leaves it open, and this reading agrees with it."
        ],
        tables=[table_of("fig5", title, columns, rows)],
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
    """Compute ρ between each measure and quality [scale]; PDP and σ both fall with quality."""
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
# The measure with the highest ρ on each scale.
_FIGURE_5_READINGS: tuple[c.Claim[Sequence[str]], ...] = tuple(
    c.claim(
        f"Individual PDP holds the highest consistency with quality (ε1 drawn {words}).",
        (
            "share of scales with the highest consistency",
            lambda highest: float(np.mean([name == "individual" for name in highest])),
            c.equal_to(1),
        ),
        of=reading,
    )
    for reading, words in _READINGS.items()
)


@PDP.add(
    "fig5-readings",
    title="Figure 5: other readings of ε1",
    claims=_FIGURE_5_READINGS,
    kind=c.ClaimKind.SIMULATED,
    deviation="Only the first reading of ε1 reproduces the figure; the readings differ by less"
    " than .01.",
)
def figure5_readings(inputs: StudyInputs) -> Made:
    """Plot Figure 5 on some scales, under each interpretation of ε1 in Eq. 15."""
    rows = []
    highest: dict[str, Sequence[str]] = {}
    for bias in BIASES:
        # Figure 5 shows the first reading on all scales.
        levels = None if bias == BIASES[0] else RANDOM_LEVELS
        found = batch_qualities(inputs, bias=bias, levels=levels)
        rho, best = consistencies(found), []
        for count in RANDOM_LEVELS:
            place = found.levels.tolist().index(count)
            values = {name: float(of_scale[place]) for name, of_scale in rho.items()}
            best.append(max(values, key=lambda name: values[name]))
            rows.append((_READINGS[bias], count, NAMES[best[-1]], *values.values()))
        highest[bias] = best
    return Made(
        held=[c.Held(SIMULATED, c.ClaimKind.SIMULATED, of, bias) for bias, of in highest.items()],
        paragraphs=[
            "Eq. 15 adds σ ε1 to what an assessor perceives, and the paper does not say for what ε1"
            " is drawn. Which figure follows quality best depends on it."
        ],
        tables=[
            table_of(
                "fig5-readings",
                "Spearman's ρ with quality, by what ε1 is drawn for",
                "|".join(["epsilon 1 is drawn", "grades", "highest", *NAMES.values()]),
                rows,
                "As in Figure 5, over the means of all batches; 1 is perfect.",
            )
        ],
    )
