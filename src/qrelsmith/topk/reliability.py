"""How often an answer to a pair is right, as a function of how far apart its docs are.

Each doc has a worth: so much for each grade, and a random rest that grades do not see. Whoever
compares two docs prefers the better one with a chance that grows with the difference of their
worths. So the chance of a right answer depends on the distance in grades and, through the rest, on
the distance in the true ranking.
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
    """The chance that an answer is right, for a simulation: by docs and by those who compare."""

    def worth(self, grades: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return a worth for each doc, drawn at random, of the shape of the grades."""

    def preference(self, gaps: AnyArray) -> AnyArray:
        """Return the chance that a doc is preferred to one whose worth is lower by each gap."""


@dataclass(frozen=True, slots=True)
class ByDistance:
    """Answers that are the more often right, the farther apart two docs are.

    Attributes
    ----------
    grade : float
        What one grade more is worth.
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
        """Return the logistic function of the gaps."""
        return np.asarray(special.expit(gaps))


@dataclass(frozen=True, slots=True)
class Constant:
    """Answers that are right with one chance, however far apart two docs are.

    Attributes
    ----------
    right : float
        The chance, from ½ (guessing) to 1.
    """

    right: float

    def __post_init__(self) -> None:
        if not 0.5 <= self.right <= 1:
            raise UsageError(f"the reliability is {self.right:g}; expected 0.5 to 1")

    def worth(self, grades: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Draw an order of the docs, in which grades play no part."""
        # Whole numbers, so that no two docs come so close that rounding makes them equal.
        return np.argsort(rng.random(grades.shape), axis=-1).astype(np.float64)

    def preference(self, gaps: AnyArray) -> AnyArray:
        """Return the one chance, for the better doc."""
        return np.where(gaps > 0, self.right, 1.0 - self.right).astype(gaps.dtype)


@dataclass(frozen=True, slots=True, eq=False)
class RightByDistance:
    """The chance of a right answer by distance.

    Attributes
    ----------
    grade_distance : int array [row]
        Grade of the truly better doc less that of the other; below 0 where grades have it the other
        way round.
    rank_distance : int array [row]
        Distance in the true ranking of the candidates, from 1 on.
    right : float array [row]
        The chance that the better doc is preferred.
    share : float array [row]
        The share of all pairs that are so far apart.
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
    """Average the chance of a right answer over random worths of the candidates.

    Parameters
    ----------
    reliability : Reliability
        Whose answers.
    pools : sequence of array_like [candidate]
        The grades of the candidates of each topic; whole numbers.
    rng : numpy.random.Generator
        Draws the worths.
    draws : int
        How often.
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
