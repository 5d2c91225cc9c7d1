"""Probability of a correct answer to a pair, by the distance between the two docs.

Each doc has a worth: a fixed amount per grade plus a random residual. The probability of preferring
the better doc grows with the difference in worth. The probability therefore depends on the distance
in grades and, through the residual, on the distance in the true ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import AnyArray, FloatArray, IntArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scipy_parts import special


class Reliability(Protocol):
    """Model of the probability of correct answers, for simulations."""

    def worth(self, grades: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return a random worth for each doc, in the shape of the grades."""

    def preference(self, gaps: AnyArray) -> AnyArray:
        """Return the probability that the better doc is preferred, by difference in worth."""


@dataclass(frozen=True, slots=True)
class ByDistance:
    """Answers that are more often correct for more distant docs.

    Attributes
    ----------
    grade : float
        Worth of one grade.
    spread : float
        Standard deviation of the worth of docs of one grade, 0 or more.

    Notes
    -----
    A worth is u = grade · g + spread · z with z ~ N(0, 1), and p(a over b) = 1/(1 + e^{u_b − u_a}).
    """

    grade: float
    spread: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.grade) and 0 <= self.spread < np.inf):
            raise UsageError(
                f"grade and spread are {self.grade} and {self.spread}; expected finite "
                "numbers, and a spread of 0 or more"
            )

    def worth(self, grades: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Draw the worth of each doc."""
        return np.asarray(self.grade * grades + self.spread * rng.standard_normal(grades.shape))

    def preference(self, gaps: AnyArray) -> AnyArray:
        """Return the logistic function of the differences."""
        return np.asarray(special.expit(gaps))


@dataclass(frozen=True, slots=True)
class Constant:
    """Answers with a constant probability of being correct.

    Attributes
    ----------
    right : float
        The probability, from ½ (guessing) to 1.
    """

    right: float

    def __post_init__(self) -> None:
        if not 0.5 <= self.right <= 1:
            raise UsageError(f"the reliability is {self.right:g}; expected 0.5 to 1")

    def worth(self, grades: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Draw a random order of the docs, independent of grades."""
        # Whole numbers, so that no two docs come so close that rounding makes them equal.
        return np.argsort(rng.random(grades.shape), axis=-1).astype(np.float64)

    def preference(self, gaps: AnyArray) -> AnyArray:
        """Return the constant probability that the better doc is preferred."""
        return np.where(gaps > 0, self.right, 1.0 - self.right).astype(gaps.dtype)


@dataclass(frozen=True, slots=True, eq=False)
class RightByDistance:
    """Probability of a correct answer by distance.

    Attributes
    ----------
    grade_distance : int array [row]
        Grade of the truly better doc minus the grade of the other doc; negative if the grades are
        reversed.
    rank_distance : int array [row]
        Distance in the true ranking of the candidates, from 1.
    right : float array [row]
        Probability that the better doc is preferred.
    share : float array [row]
        Share of all pairs at this distance.
    """

    grade_distance: IntArray
    rank_distance: IntArray
    right: FloatArray
    share: FloatArray


def right_by_distance(
    reliability: Reliability,
    pools: Sequence[ArrayLike],
    *,
    rng: np.random.Generator,
    draws: int = 200,
) -> RightByDistance:
    """Average the probability of a correct answer over random worths of the candidates.

    Parameters
    ----------
    reliability : Reliability
        The model of answers.
    pools : sequence of array_like [candidate]
        The grades of the candidates of each topic; whole numbers.
    rng : numpy.random.Generator
        Draws the worths.
    draws : int
        Number of draws.

    """
    total: dict[tuple[int, int], tuple[float, int]] = {}
    for pool in pools:
        grades = float_array(pool, name="grades", ndim=1)
        worth = reliability.worth(np.broadcast_to(grades, (draws, grades.size)), rng)
        order = np.argsort(-worth, axis=1)
        ranked = np.take_along_axis(worth, order, axis=1)
        graded = grades[order].round().astype(np.int64)
        for distance in range(1, grades.size):
            right = reliability.preference(ranked[:, :-distance] - ranked[:, distance:])
            apart = graded[:, :-distance] - graded[:, distance:]
            low = int(apart.min())
            sums = np.bincount((apart - low).ravel(), weights=right.ravel())
            counts = np.bincount((apart - low).ravel())
            for step in np.flatnonzero(counts).tolist():
                before = total.get((low + step, distance), (0.0, 0))
                total[low + step, distance] = (before[0] + sums[step], before[1] + counts[step])
    keys = sorted(total)
    pairs = np.array([total[key][1] for key in keys], dtype=np.float64)
    return RightByDistance(
        grade_distance=np.array([grade for grade, _ in keys], dtype=np.int64),
        rank_distance=np.array([rank for _, rank in keys], dtype=np.int64),
        right=np.array([total[key][0] for key in keys]) / pairs,
        share=pairs / pairs.sum(),
    )
