"""Random extension of scales: simulated grades on a finer scale, given a coarse grade.

The random number of each annotation is reproducible: it depends only on a seed and on the
annotation's identity (topic, doc, assessor, repetition). The other rows of the file and the order
of rows do not matter; see `keyed_draws`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import ShapeError, UsageError, quoted
from qrelsmith.base.rng import Key, digest_key
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.judgments.scale_operations.codes import has_grade, level_numbers, on_scale

_MOST_LEVELS = 100_001


@dataclass(frozen=True, slots=True)
class Extension:
    """A random spread of the levels of a scale over the levels of a finer scale.

    P(t | g) = e^{−w|c(g) − t|} / Σ_{t'} e^{−w|c(g) − t'|} with the centre c(g) = g(m−1)/(n−1) of
    level g = 0 … n−1 among the levels t = 0 … m−1. Centres need not be whole numbers. The ends of
    both scales correspond, and an extension from 4 to 7 levels has the centres 0, 2, 4, 6.

    Attributes
    ----------
    levels : int
        m. It may be smaller than the number of source levels: the formula is the same.
    w : float
        The certainty of the draw, from 0 (uniform, whatever the grade) to infinity (the nearest
        level; each of two equally near ones with probability ½, which is the limit).

    References
    ----------
    Chu et al. 2021, Evaluating relevance judgments with pairwise discriminative power, Eq. 16,
    which is for n = 4 and m = 7.
    """

    levels: int
    w: float

    def __post_init__(self) -> None:
        if not 1 <= self.levels <= _MOST_LEVELS:
            raise UsageError(f"an extension has {self.levels} levels; expected 1 to {_MOST_LEVELS}")
        if math.isnan(self.w) or self.w < 0:
            raise UsageError(f"the extension has w = {self.w:g}; expected 0 or more, or inf")

    @classmethod
    def parse(cls, levels: str, w: str) -> Extension:
        """Parse an extension from its two options: `7` and `2`, or `7` and `inf`.

        >>> Extension.parse("7", "inf")
        Extension(levels=7, w=inf)
        """
        if not re.fullmatch(r"\s*[0-9]{1,6}\s*", levels):
            raise UsageError(f"an extension has {quoted(levels)} levels; expected a whole number")
        try:
            if "_" in w:
                raise ValueError
            certainty = float(w)
        except ValueError:
            raise UsageError(
                f"the extension has w = {quoted(w)}; expected a number, 0 or more, or inf"
            ) from None
        return cls(int(levels), certainty)

    @property
    def target(self) -> Scale:
        """The target scale: 0 … m−1."""
        return Scale(tuple(float(level) for level in range(self.levels)))

    def label(self, source: Scale) -> str:
        """Return the operation as a label: `4to7(0.5)`."""
        return f"{len(source.levels)}to{self.levels}({grade_text(self.w)})"

    def distribution(self, source: Scale) -> FloatArray:
        """Return P(t | g) as an array [source level, target level]; each row sums to 1.

        Raises
        ------
        UsageError
            If the source scale has only one level, which has no position on a finer scale.
        """
        count = len(source.levels)
        if count < 2:
            raise UsageError(f"the scale {source} has one level; expected at least two levels")
        # (n−1)·|c(g) − t| is a whole number, so that equal distances are exactly equal.
        centres = np.arange(count)[:, None] * (self.levels - 1)
        away = np.abs(centres - np.arange(self.levels) * (count - 1))
        away = away - away.min(axis=1, keepdims=True)
        if math.isinf(self.w):
            weights = (away == 0).astype(np.float64)
        else:
            weights = np.exp(-self.w * away / (count - 1))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def apply(self, grades: ArrayLike, draws: ArrayLike, *, source: Scale) -> FloatArray:
        """Return a level of the finer scale for each annotation.

        Parameters
        ----------
        grades : array_like, [...]
            Grades on the source scale; nan and codes below 0 do not change.
        draws : array_like, [...]
            A number in [0, 1) for each annotation, as from `keyed_draws`; ignored for missing
            grades. The level t is the first whose cumulative probability is above it.
        source : Scale
            The scale of the grades.

        Returns
        -------
        ndarray, [...]
            Levels 0 … m−1.

        Raises
        ------
        ShapeError
            If there is not one draw for each annotation.
        UsageError
            If a grade is not on the scale, or a draw outside [0, 1).
        """
        values = on_scale(grades, source)
        uniform = float_array(draws, name="draws")
        if uniform.shape != values.shape:
            raise ShapeError(
                f"grades and draws must have the same shape; found {values.shape} and "
                f"{uniform.shape}"
            )
        held = has_grade(values)
        if not ((uniform[held] >= 0) & (uniform[held] < 1)).all():
            raise UsageError("a random number is outside [0, 1)")
        upto = self.distribution(source).cumsum(axis=1)[:, :-1]
        number = np.where(held, level_numbers(values, source), -1)
        extended = values.copy()
        for level, bounds in enumerate(upto):
            chosen = number == level
            extended[chosen] = np.searchsorted(bounds, uniform[chosen], side="right")
        return extended


def keyed_draws(keys: Iterable[Sequence[Key]], *, seed: int) -> FloatArray:
    """Return reproducible uniform numbers in [0, 1), one for each list of keys.

    Each number is given by the first 53 bits of SHA-256(seed, "extend", keys). A drawn level could
    differ between computers only if a number is within 10⁻¹⁵ (rounding) of a bound between levels.

    Parameters
    ----------
    keys : iterable of sequences of str and int
        The identity of each draw: the ids of topic, doc and assessor, and the number of the
        repetition if there are several.
    seed : int
        The seed.

    Returns
    -------
    ndarray, [key]

    Examples
    --------
    >>> keyed_draws([("topic-7", "doc-1", "Anne"), ("topic-7", "doc-2", "Anne")], seed=0).round(4)
    array([0.9476, 0.6558])
    """
    whole = (int.from_bytes(digest_key(seed, "extend", *key)[:8], "big") >> 11 for key in keys)
    return np.fromiter(whole, dtype=np.float64) * 2.0**-53
