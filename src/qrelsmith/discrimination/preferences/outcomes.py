"""Preference tests, and the combination of several assessors' judgments into one outcome."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import ShapeError


@dataclass(frozen=True, slots=True)
class PreferenceTests:
    """Preference tests, each of which compares two docs of a topic.

    Attributes
    ----------
    topics : int array [test]
        The topic.
    left, right : int array [test]
        The two docs, as positions on the doc axis of the grades.
    outcomes : float array [test]
        From −2 (left much better) over 0 (tie) to 2 (right much better). Section 3.4.2 of the paper
        uses the opposite sign, and section 5.1.1 the same sign.
    """

    topics: IntArray
    left: IntArray
    right: IntArray
    outcomes: FloatArray

    def __post_init__(self) -> None:
        shapes = {array.shape for array in (self.topics, self.left, self.right, self.outcomes)}
        if len(shapes) != 1 or len(next(iter(shapes))) != 1:
            raise ShapeError(
                "topics, left, right and outcomes of preference tests must have the same length"
            )
        if not (np.abs(self.outcomes) <= 2.0).all():
            wrong = self.outcomes[~(np.abs(self.outcomes) <= 2.0)][0]
            raise ShapeError(f"the outcome of a preference test is {wrong:g}; expected −2 to 2")
        if self.topics.size and min(self.topics.min(), self.left.min(), self.right.min()) < 0:
            raise ShapeError(
                "a topic or doc of a preference test has a position below 0; expected 0 or more"
            )
        if (same := self.left == self.right).any():
            raise ShapeError(
                f"a preference test compares doc {self.left[same][0]} of topic "
                f"{self.topics[same][0]} with itself; expected two docs"
            )

    def __len__(self) -> int:
        return int(self.topics.size)


def settle(
    topics: ArrayLike,
    left: ArrayLike,
    right: ArrayLike,
    outcomes: ArrayLike,
    assessors: ArrayLike | None = None,
) -> PreferenceTests:
    """Return one test per judged pair of docs, with the median of the assessors' outcomes.

    Parameters
    ----------
    topics, left, right : array_like of int [judgment]
        The topic and the two docs; the sides of the docs do not matter here.
    outcomes : array_like [judgment]
        −2 … 2; negative: left better.
    assessors : array_like of int [judgment], optional
        The assessor of each judgment. Several outcomes of one assessor for one pair are first
        reduced to their median, so that each assessor counts once; without assessors, every
        judgment counts.

    Returns
    -------
    PreferenceTests
        In the order of topic, left, right, with left < right. With two middle outcomes, the median
        is the mean of the two, so it has the sign of the stronger outcome.

    Raises
    ------
    ShapeError
        If the lists differ in length, an outcome is not from −2 to 2, or a doc is compared with
        itself.

    References
    ----------
    pdp, 3.4.2 and 5.1.1.
    """
    judged = PreferenceTests(
        topics=_integers(topics, name="topics"),
        left=_integers(left, name="left"),
        right=_integers(right, name="right"),
        outcomes=float_array(outcomes, name="outcomes", ndim=1),
    )
    turned = judged.left > judged.right
    values = np.where(turned, -judged.outcomes, judged.outcomes)
    pairs = np.stack(
        [
            judged.topics,
            np.minimum(judged.left, judged.right),
            np.maximum(judged.left, judged.right),
        ],
        axis=1,
    )
    if assessors is not None:
        who = _integers(assessors, name="assessors")
        if who.shape != judged.topics.shape:
            raise ShapeError(
                "found different numbers of assessors and outcomes; expected one assessor "
                "per outcome"
            )
        keys, values = _medians(np.column_stack([pairs, who]), values)
        pairs = keys[:, :3]
    keys, values = _medians(pairs, values)
    return PreferenceTests(
        topics=keys[:, 0].copy(), left=keys[:, 1].copy(), right=keys[:, 2].copy(), outcomes=values
    )


def _integers(values: ArrayLike, *, name: str) -> IntArray:
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise ShapeError(f"{name} must be a list of whole numbers")
    return array.astype(np.int64)


def _medians(keys: IntArray, values: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the distinct rows of keys [row, part], ascending, and the median value of each row."""
    distinct, group, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    ordered = values[np.lexsort((values, group.ravel()))]
    starts = np.cumsum(counts) - counts
    middle = (ordered[starts + (counts - 1) // 2] + ordered[starts + counts // 2]) / 2.0
    return distinct, middle
