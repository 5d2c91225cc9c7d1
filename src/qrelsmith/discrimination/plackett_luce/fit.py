"""Scores of the Plackett–Luce model that best match a matrix of preferences."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray, float_array
from qrelsmith.base.errors import ShapeError
from qrelsmith.discrimination.plackett_luce.groups import certain_predecessors, groups_by_size
from qrelsmith.discrimination.plackett_luce.newton import CONVERGED, minimise

_COMPLEMENT = 1e-9


@dataclass(frozen=True, slots=True)
class PlackettLuce:
    """A distribution over the rankings of each topic's docs.

    A ranking is drawn from the top, with groups of docs in the order of `before`. Within a group,
    the next doc is i with probability exp(s_i)/Σ exp(s_j), where j runs over the remaining docs.

    Attributes
    ----------
    scores : float array [..., doc]
        Scores, with mean 0 in each group of a topic; nan if the doc is absent or the topic is
        undefined.
    before : int array [..., doc]
        The number of docs that certainly come before this doc; docs with equal numbers form a
        group. All 0 if nothing is certain; −1 if the score is nan.
    converged : bool array [...]
        False if no minimum was found; the scores are then the best scores found.
    gradient : float array [...]
        The largest relative slope of the loss at the scores; 0 at the minimum.
    """

    scores: FloatArray
    before: IntArray
    converged: BoolArray
    gradient: FloatArray

    @classmethod
    def from_scores(cls, scores: ArrayLike) -> PlackettLuce:
        """Return the model with given scores [..., doc] and zero gradient; nan: the doc is absent.

        Raises
        ------
        ShapeError
            If the scores are not numbers, infinite or without a dimension.
        """
        values = float_array(scores, name="scores")
        if values.ndim == 0 or np.isinf(values).any():
            raise ShapeError("scores must be finite numbers or nan, with docs on the last axis")
        absent = np.isnan(values)
        batch = values.shape[:-1]
        count = np.maximum((~absent).sum(axis=-1, keepdims=True), 1)
        return cls(
            scores=values - np.where(absent, 0.0, values).sum(axis=-1, keepdims=True) / count,
            before=np.where(absent, -1, 0),
            converged=np.ones(batch, dtype=np.bool_),
            gradient=np.zeros(batch),
        )

    @property
    def docs(self) -> IntArray:
        """The number of docs of each topic [...]; 0 if the topic is undefined."""
        return np.asarray((self.before >= 0).sum(axis=-1), dtype=np.int64)


def fit_scores(preferences: ArrayLike, *, max_iterations: int = 100) -> PlackettLuce:
    """Return the scores s* that minimise −Σ_{i≠j} p_ij · log(e^{s_i}/(e^{s_i} + e^{s_j})).

    The loss is convex: Newton's method finds the minimum, and L-BFGS is used if Newton's method
    fails. If preferences of 0 or 1 put the minimum at infinity, the result is the limit: an order
    of groups of docs, and scores within each group.

    Parameters
    ----------
    preferences : array_like [..., doc, doc]
        p(doc > other doc) in [0, 1], with p_ij + p_ji = 1. The diagonal shows only whether the doc
        is present: nan means absent, so that topics may have different numbers of docs. nan between
        two present docs makes the topic undefined.
    max_iterations : int
        The number of Newton steps before L-BFGS is used.

    Returns
    -------
    PlackettLuce
        Scores [..., doc]. A topic with one doc has the score 0.

    Raises
    ------
    ShapeError
        If the matrices are not square, contain a value outside [0, 1], or are not complementary.

    Warns
    -----
    RuntimeWarning
        If the minimum was not found for some topics (`converged` shows which).

    Notes
    -----
    A cell p_ij > 0 with p_ji = 1 exactly in 64-bit numbers (p_ij < 1.1e-16) counts as 0.

    References
    ----------
    pdp, Eq. 5, which minimises by stochastic gradient descent instead.
    """
    matrices = _check(preferences)
    *batch, docs, _ = matrices.shape
    flat = matrices.reshape(math.prod(batch), docs, docs)
    before = certain_predecessors(flat)
    scores = np.full(before.shape, np.nan)
    gradient = np.zeros(len(flat))
    for group in groups_by_size(before):
        rows = group.topics[:, None]
        if group.size == 1:
            scores[rows, group.docs] = 0.0
            continue
        wins = flat[rows[:, :, None], group.docs[:, :, None], group.docs[:, None, :]]
        scores[rows, group.docs], slope = minimise(wins, max_iterations=max_iterations)
        np.maximum.at(gradient, group.topics, slope)
    converged = gradient <= CONVERGED
    if not converged.all():
        warnings.warn(
            f"the scores of {np.count_nonzero(~converged)} of {len(flat)} topics did not converge",
            RuntimeWarning,
            stacklevel=2,
        )
    return PlackettLuce(
        scores=scores.reshape(*batch, docs),
        before=before.reshape(*batch, docs),
        converged=converged.reshape(batch),
        gradient=gradient.reshape(batch),
    )


def _check(preferences: ArrayLike) -> FloatArray:
    """Return the preferences as a float array of square, complementary matrices."""
    matrices = float_array(preferences, name="preferences")
    if matrices.ndim < 2 or matrices.shape[-1] != matrices.shape[-2]:
        raise ShapeError(
            f"preferences must have the shape [..., doc, doc]; found {list(matrices.shape)}"
        )
    with np.errstate(invalid="ignore"):
        outside = (matrices < 0.0) | (matrices > 1.0)
        lopsided = np.abs(matrices + matrices.swapaxes(-1, -2) - 1.0) > _COMPLEMENT
    off = ~np.eye(matrices.shape[-1], dtype=np.bool_)
    lopsided |= np.isnan(matrices) != np.isnan(matrices.swapaxes(-1, -2))
    if (wrong := outside & off).any():
        *_, first, second = place = tuple(axis[0] for axis in np.nonzero(wrong))
        raise ShapeError(
            f"the preference of doc {first} over doc {second} is {matrices[place]:g}; "
            "expected a number from 0 to 1"
        )
    if (wrong := lopsided & off).any():
        *_, first, second = place = tuple(axis[0] for axis in np.nonzero(wrong))
        other = matrices.swapaxes(-1, -2)[place]
        raise ShapeError(
            f"the preferences between doc {first} and doc {second} are {matrices[place]:g} and "
            f"{other:g}; expected two numbers that add up to 1"
        )
    return matrices
