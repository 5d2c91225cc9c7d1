"""The matrix of coincidences behind Krippendorff's α.

Coincidences are additive over units, and over merged levels. A search for the best cuts of a scale
can use prefix sums of one matrix instead of recounting for every cut.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.distance import ratio_distance
from qrelsmith.agreement.labels import Labels
from qrelsmith.agreement.result import chance_corrected, fill_for
from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import ShapeError, UnknownNameError
from qrelsmith.base.scipy_parts import sparse


@dataclass(frozen=True, slots=True, eq=False)
class Coincidences:
    """Counts of pairs of levels within units.

    Attributes
    ----------
    values : ndarray, [level]
        The levels in ascending order.
    counts : ndarray, [level, level]
        o_ck: pairs of labels (c, k) of one unit, each unit's pairs divided by m_u − 1, so that
        the margin n_c is the number of labels c; symmetric.
    """

    values: FloatArray
    counts: FloatArray


def coincidences(ratings: ArrayLike, *, scale: ArrayLike | None = None) -> Coincidences:
    """Count the coincidences of levels inside units.

    o_ck = Σ_u n_uc (n_uk − [c = k]) / (m_u − 1) over the units with m_u ≥ 2 labels.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    scale : array_like, [level], optional
        Every level, ascending. Without it, the values that occur are used.

    Returns
    -------
    Coincidences
        All zeros if no unit has two labels. The matrix is dense: 101 levels take 80 kB, but
        10,000 distinct values take 800 MB.

    Raises
    ------
    ShapeError, UsageError
        As `krippendorff_alpha` raises them.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C.
    """
    labels = Labels.of(ratings, scale=scale)
    counts = labels.counts[labels.pairable]
    share = 1.0 / (labels.per_unit[labels.pairable] - 1)
    meetings = (counts.T @ sparse.diags_array(share) @ counts).toarray()
    themselves = counts.T @ share
    meetings[np.diag_indices_from(meetings)] -= themselves
    return Coincidences(values=labels.levels, counts=meetings)


def alpha_of_coincidences(
    counts: ArrayLike, values: ArrayLike, *, level: str = "ordinal", undefined: str = "nan"
) -> FloatArray:
    """Return Krippendorff's α, computed from matrices of coincidences.

    Parameters
    ----------
    counts : array_like, [..., level, level]
        Coincidences, symmetric.
    values : array_like, [level]
        The levels, ascending; only interval and ratio use their values.
    level : str
        `nominal`, `ordinal`, `interval` or `ratio`.
    undefined : str
        Value for 0/0: `nan`, `one` or `zero`.

    Returns
    -------
    ndarray, [...]
        α; nan where the matrix is all zeros.

    Raises
    ------
    ShapeError
        If the shapes do not fit together.
    UsageError
        If an option is unknown.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability, sections D and E.
    """
    o = float_array(counts, name="counts")
    x = float_array(values, name="values", ndim=1)
    if o.ndim < 2 or o.shape[-2:] != (x.size, x.size):
        raise ShapeError(
            f"counts must have the shape [..., {x.size}, {x.size}], as values; found {o.shape}"
        )
    fill = fill_for(undefined)
    margins = o.sum(axis=-1)
    total = margins.sum(axis=-1)
    delta = _delta(level, x, margins)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (o * delta).sum(axis=(-2, -1)) / total
        chance = (margins[..., :, None] * margins[..., None, :] * delta).sum(axis=(-2, -1))
        expected = chance / (total * (total - 1))
    return chance_corrected(observed, expected, fill)


def _delta(level: str, x: FloatArray, margins: FloatArray) -> FloatArray:
    """δ²[..., level, level]."""
    if level == "nominal":
        return 1.0 - np.eye(x.size)
    if level == "ordinal":
        ranks = np.cumsum(margins, axis=-1) - margins / 2
        return (ranks[..., :, None] - ranks[..., None, :]) ** 2
    if level == "interval":
        return (x[:, None] - x[None, :]) ** 2
    if level == "ratio":
        return ratio_distance(x[:, None], x[None, :])
    raise UnknownNameError(
        "level of measurement", level, ("nominal", "ordinal", "interval", "ratio")
    )
