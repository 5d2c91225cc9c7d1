"""Krippendorff's α.

All disagreements are computed from counts of levels per unit, without building pairs of labels. The
observed disagreement of a unit has a closed form in the unit's counts. The expected disagreement
has a closed form in the totals. The ordinal distance itself depends on the totals.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.distance import NOMINAL, QUADRATIC, RATIO, Distance
from qrelsmith.agreement.labels import Labels
from qrelsmith.agreement.registry import (
    Builder,
    Estimates,
    Estimator,
    add_coefficient,
    measure_agreement,
)
from qrelsmith.agreement.result import AgreementResult, chance_corrected
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UnknownNameError

_CELLS = 1 << 22  # labels × samples held in memory at a time


def krippendorff_alpha(
    ratings: ArrayLike,
    *,
    level: str = "ordinal",
    scale: ArrayLike | None = None,
    undefined: str = "nan",
) -> AgreementResult:
    """Krippendorff's α at a level of measurement.

    α = 1 − D_o/D_e with D_o = Σ_ck o_ck δ²_ck / n and D_e = Σ_ck n_c n_k δ²_ck / (n(n − 1)), where
    o_ck are the coincidences (`coincidences`), n_c their margins, n their sum, and δ²_ck is

    - nominal: 1 if c ≠ k
    - ordinal: (Σ_{g=c..k} n_g − (n_c + n_k)/2)², from the frequencies of the pairable labels
    - interval: (c − k)²
    - ratio: ((c − k)/(c + k))², with 0 for c = k = 0

    Units with fewer than two labels are ignored. Unused levels have no effect.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing. Continuous grades are supported. The running time is proportional
        to the number of labels; on the ratio level, to the square of the number of distinct grades.
    level : str
        `nominal`, `ordinal`, `interval` or `ratio`.
    scale : array_like, [level], optional
        Every level, ascending; a grade outside it is an error.
    undefined : str
        Value for 0/0 (all pairable labels equal): `nan`, `one` or `zero`.

    Returns
    -------
    AgreementResult
        `value` is nan with a `reason` if no unit has two labels, or for 0/0 (see `undefined`).

    Raises
    ------
    ShapeError
        If the ratings are not numbers in two dimensions.
    UsageError
        If a grade is outside the scale, infinite, or below 0 on the ratio level; if an option is
        unknown.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability, sections A to E;
    Krippendorff (2004), Content analysis, chapter 11.
    """
    if level not in _BUILDERS:
        raise UnknownNameError("level of measurement", level, _BUILDERS)
    return measure_agreement(f"alpha-{level}", ratings, scale=scale, undefined=undefined)


def _alpha_of_distance(labels: Labels, fill: float, *, distance: Distance) -> Estimator:
    """Return α for a distance that does not depend on the labels."""
    x = distance.coordinates(labels.levels)
    pairable = labels.pairable
    size = labels.per_unit[pairable]
    inside = 2 * distance.within_units(labels)[pairable] / (size - 1)
    counts = labels.counts[pairable]

    def estimate(weights: FloatArray) -> Estimates:
        chosen = weights[:, pairable]
        total = chosen @ size
        margins = (counts.T @ chosen.T).T
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = chosen @ inside / total
            expected = distance.between(margins, margins, x) / (total * (total - 1))
        return Estimates(chance_corrected(observed, expected, fill), observed, expected)

    return estimate


def _ordinal(labels: Labels, fill: float) -> Estimator:
    """Return α for the ordinal distance: the squared difference between levels' mid-ranks.

    Σ_{g=c..k} n_g − (n_c + n_k)/2 = R_k − R_c with R_c = Σ_{g<c} n_g + n_c/2. A unit's disagreement
    is therefore computed from the deviations of the mid-ranks from the unit's mean mid-rank. The
    mid-ranks are recomputed for every set of weights.
    """
    pairable = labels.pairable
    size = labels.per_unit[pairable]
    counts = labels.counts[pairable].tocoo()
    unit, level = counts.coords
    # Σ over the ordered pairs of a unit / (m − 1) = 2m/(m − 1) · Σ_c n_uc (R_c − R̄_u)²
    share = 2 * counts.data * (size / (size - 1))[unit]
    means = (counts.tocsr().multiply(1 / size[:, None])).tocsr()

    def estimate(weights: FloatArray) -> Estimates:
        chosen = weights[:, pairable]
        total = chosen @ size
        margins = (counts.T @ chosen.T).T
        ranks = np.cumsum(margins, axis=-1) - (margins + total[:, None]) / 2
        inside = np.empty(total.size)
        rows = max(1, _CELLS // max(1, unit.size))
        for part in (slice(start, start + rows) for start in range(0, total.size, rows)):
            mean = (means @ ranks[part].T).T
            apart = ranks[part][:, level] - mean[:, unit]
            inside[part] = (chosen[part][:, unit] * apart**2) @ share
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = inside / total
            expected = QUADRATIC.between(margins, margins, ranks) / (total * (total - 1))
        return Estimates(chance_corrected(observed, expected, fill), observed, expected)

    return estimate


_BUILDERS: dict[str, Builder] = {
    "nominal": partial(_alpha_of_distance, distance=NOMINAL),
    "ordinal": _ordinal,
    "interval": partial(_alpha_of_distance, distance=QUADRATIC),
    "ratio": partial(_alpha_of_distance, distance=RATIO),
}

for _level, _delta in {
    "nominal": "δ² = [c ≠ k]",
    "ordinal": "δ² = (Σ_{g=c..k} n_g − (n_c + n_k)/2)²",
    "interval": "δ² = (c − k)²",
    "ratio": "δ² = ((c − k)/(c + k))²",
}.items():
    add_coefficient(
        f"alpha-{_level}",
        _BUILDERS[_level],
        summary=f"Krippendorff's α for {_level} levels.",
        formula=f"1 − (n − 1)·Σ o_ck δ² / Σ n_c n_k δ², {_delta}",
        source="Krippendorff 2011, Computing Krippendorff's alpha-reliability",
        in_audit=_level == "ordinal",
        meant=("alpha", "krippendorff") if _level == "ordinal" else (),
    )
