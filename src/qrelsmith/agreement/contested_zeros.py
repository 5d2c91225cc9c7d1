"""Check whether independent judges contest a reference's non-relevant labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.kappa import cohen_kappa
from qrelsmith.base.arrays import BoolArray, FloatArray, float_array
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.population import PopulationInterval, jackknife_interval


@dataclass(frozen=True, slots=True, eq=False)
class ContestedZeros:
    """The docs that a reference graded 0, and other label sets' votes on these docs.

    Attributes
    ----------
    share : PopulationInterval
        The share that is not contested, with its interval over topics.
    zeros : int
        Number of zeros with at least one vote.
    contested : bool array, shape (units,)
        Units that more than half of the votes call highly relevant.
    topics : int
        The number of topics with such zeros.
    """

    share: PopulationInterval
    zeros: int
    contested: BoolArray
    topics: int


def independent_votes(
    reference: ArrayLike, labels: ArrayLike, families: Sequence[str], *, same: float
) -> tuple[tuple[int, ...], ...]:
    """Group the label sets so that similar sets have one vote together.

    Parameters
    ----------
    reference : array_like, shape (units,)
        The reference's grades; nan: missing.
    labels : array_like, shape (sets, units)
        The label sets' grades; nan: missing.
    families : sequence of str
        The model family of each set; empty if unknown.
    same : float
        Two sets share one vote if their κ given the reference's grade (`kappa_given`) is at least
        this value.

    Returns
    -------
    tuple of tuple of int
        Ascending indices of the sets of each vote; chains of similar sets are merged.
    """
    grades = float_array(labels, name="labels")
    one = float_array(reference, name="reference")
    vote = list(range(len(grades)))
    for first in range(len(grades)):
        for second in range(first):
            is_family = bool(families[first]) and families[first] == families[second]
            if is_family or kappa_given(one, grades[first], grades[second]) >= same:
                old, new = vote[first], vote[second]
                vote = [new if each == old else each for each in vote]
    return tuple(
        tuple(place for place, each in enumerate(vote) if each == number)
        for number in dict.fromkeys(vote)
    )


def kappa_given(reference: FloatArray, first: FloatArray, second: FloatArray) -> float:
    """Cohen's κ of two label sets within each reference grade, averaged over grades.

    Grades are weighted by their number of docs; the result is nan if no grade has a value. Shared
    errors that the reference does not explain show that two sets are not independent.
    """
    both = ~(np.isnan(reference) | np.isnan(first) | np.isnan(second))
    total = weight = 0.0
    for grade in np.unique(reference[both]):
        here = both & (reference == grade)
        kappa = cohen_kappa(np.stack([first[here], second[here]])).value
        if not np.isnan(kappa):
            total, weight = total + kappa * here.sum(), weight + here.sum()
    return float(total / weight) if weight else float("nan")


def contested_zeros(
    reference: ArrayLike, votes: ArrayLike, topics: Sequence[str], *, high: float
) -> ContestedZeros:
    """Return the share of a reference's zeros that at most half of the votes grade highly relevant.

    Parameters
    ----------
    reference : array_like, shape (units,)
        The reference's grades; nan: missing.
    votes : array_like, shape (votes, units)
        The grade of each vote; nan: unit not judged.
    topics : sequence of str
        The topic of each unit.
    high : float
        The lowest highly relevant grade.

    Returns
    -------
    ContestedZeros
        A zero is contested if more than half of its votes call it highly relevant. The interval is
        the jackknife over topics, for a ratio of sums.

    Raises
    ------
    ShapeError
        If the shapes do not fit together.
    """
    gold, said = float_array(reference, name="reference"), float_array(votes, name="votes")
    if said.ndim != 2 or said.shape[1:] != gold.shape or len(topics) != gold.size:
        raise ShapeError(
            f"votes must have the shape [votes, {gold.size} units]; found {list(said.shape)}"
        )
    voted = (~np.isnan(said)).sum(axis=0)
    with np.errstate(invalid="ignore"):
        contested = (gold == 0) & (2 * (said >= high).sum(axis=0) > voted)
    zero = (gold == 0) & (voted > 0)
    names, of = np.unique(np.asarray(topics, dtype=str)[zero], return_inverse=True)
    zeros = np.bincount(of, minlength=len(names)).astype(np.float64)
    kept = zeros - np.bincount(of, weights=contested[zero], minlength=len(names))
    with np.errstate(invalid="ignore", divide="ignore"):
        value = kept.sum() / zeros.sum()
        without = (kept.sum() - kept) / (zeros.sum() - zeros)
    share = jackknife_interval(value, without, bounds=(0.0, 1.0))
    return ContestedZeros(share, int(zeros.sum()), np.asarray(contested), len(names))
