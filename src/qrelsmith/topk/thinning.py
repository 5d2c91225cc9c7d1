"""Candidates for preference judgments, selected by grade (topk-preferences 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray, float_array
from qrelsmith.base.errors import UsageError


@dataclass(frozen=True, slots=True, eq=False)
class Thinned:
    """The candidates of each topic.

    Attributes
    ----------
    kept : bool array [..., doc]
        Mask of the candidates.
    lowest : float array [...]
        The lowest grade of a candidate; nan without candidates.
    """

    kept: BoolArray
    lowest: FloatArray

    @property
    def sizes(self) -> IntArray:
        """The number of candidates of each topic."""
        return np.asarray(self.kept.sum(axis=-1, dtype=np.int64))


def thin(grades: ArrayLike, *, k: int) -> Thinned:
    """Select the docs of the highest grades, adding whole grades until there are k or more.

    Parameters
    ----------
    grades : array_like [..., doc]
        One grade per doc. Docs with a grade of 0, a code below 0 or nan (unjudged) are never
        candidates.
    k : int
        Number of top docs to find, at least 1.

    Returns
    -------
    Thinned
        All docs above 0 if there are fewer than k.

    Raises
    ------
    UsageError
        If k is below 1.

    References
    ----------
    topk-preferences, 4.1: C ← G_i ∪ C for i = g, g − 1, … while |C| < k and i > 0. The k-th highest
    grade above 0 is the last one added.

    Examples
    --------
    >>> thin([3, 2, 2, 1, 0], k=2).kept
    array([ True,  True,  True, False, False])
    """
    check_k(k)
    values = float_array(grades, name="grades")
    worth = np.where(values > 0, values, np.nan)
    # nan stands last, so place k − 1 holds the k-th highest grade, or nan where there are fewer.
    ordered = -np.sort(-worth, axis=-1)
    enough = ordered[..., k - 1] if worth.shape[-1] >= k else np.full(worth.shape[:-1], np.nan)
    least = np.min(worth, axis=-1, initial=np.inf, where=~np.isnan(worth))
    lowest = np.where(np.isnan(enough), np.where(np.isinf(least), np.nan, least), enough)
    return Thinned(kept=worth >= lowest[..., None], lowest=np.asarray(lowest))


def check_k(k: int) -> None:
    """Raise `UsageError` unless k is 1 or more."""
    if k < 1:
        raise UsageError(f"k is {k}; expected 1 or more")
