"""Input and result of the tests that compare independent groups.

The input is a list of samples or summary statistics, never a matrix of topics × systems.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, same_shape
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.inputs import finite
from qrelsmith.stats.ties import pair_differences


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GroupResult:
    """A test of all pairs of independent groups.

    Attributes
    ----------
    test : str
        The test's name in INDEPENDENT_TESTS.
    means : float array, shape (m,)
        Mean of each group.
    sizes : int array, shape (m,)
        The number of values in each group.
    first, second : int array, one per pair
        The groups i < j of each pair.
    difference : float array, one per pair
        means[first] − means[second]; exactly 0 if the means are tied.
    p : float array, one per pair
        Two-sided p-value; nan if the groups are too small to estimate a variance.
    effect_size : float array, one per pair
        nan where nothing differs and nothing varies (0/0).
    effect : str
        Kind of effect size: `ES_E1` or `Cohen's d`.
    freedom : float array, one per pair
        Degrees of freedom.
    """

    test: str
    means: FloatArray
    sizes: IntArray
    first: IntArray
    second: IntArray
    difference: FloatArray
    p: FloatArray
    effect_size: FloatArray
    effect: str
    freedom: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Checked means and sizes of independent groups, and the pairs of groups.

    Attributes
    ----------
    means : float array, shape (m,)
        Mean of each group.
    sizes : int array, shape (m,)
        The number of values in each group.
    first, second : int array, one per pair
        The groups i < j of each pair.
    difference : float array, one per pair
        means[first] − means[second], 0 where tied.
    """

    means: FloatArray
    sizes: IntArray
    first: IntArray
    second: IntArray
    difference: FloatArray

    def inverse_sizes(self) -> FloatArray:
        """Compute 1/n_i + 1/n_j for every pair."""
        return np.asarray(1 / self.sizes[self.first] + 1 / self.sizes[self.second])


def independent_groups(means: ArrayLike, sizes: ArrayLike) -> Groups:
    """Check means and sizes, and list the pairs of groups.

    Raises
    ------
    ShapeError
        If means and sizes do not fit together, or a size is not a whole number of 1 or more.
    """
    mean = finite(means, name="means", axes=("group",), ndim=1)
    size = finite(sizes, name="sizes", axes=("group",), ndim=1)
    same_shape(mean, size, names=("means", "sizes"))
    wrong = (size < 1) | (size != np.floor(size))
    if wrong.any():
        raise ShapeError(
            f"sizes must be whole numbers of 1 or more: group {int(np.argmax(wrong))} "
            f"has {size[wrong][0]:g}"
        )
    first, second = (index.astype(np.int64) for index in np.triu_indices(len(mean), 1))
    return Groups(mean, size.astype(np.int64), first, second, pair_differences(mean, first, second))
