"""The PDP of a setting for different weights of the preference tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.discrimination.estimate import estimate
from qrelsmith.discrimination.plackett_luce import EXACT_DOCS
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix
from qrelsmith.discrimination.resampling import Resampler
from qrelsmith.discrimination.setting import Setting


def weighted_pdp(
    setting: Setting,
    weights: ArrayLike,
    *,
    rng: np.random.Generator,
    exact_docs: int = EXACT_DOCS,
    samples: int = 10_000,
) -> FloatArray:
    """Return the PDP of each topic under many weightings of the preference tests.

    A weight is the number of times that a test counts. If the weights are the numbers of
    occurrences of each test in samples, the result is the PDP of every sample.

    Parameters
    ----------
    setting : Setting
        Grades, preference tests and their interpretation.
    weights : array_like [variant, test]
        Weights of 0 or more; without smoothing, only their proportions matter.
    rng : numpy.random.Generator
        Source of randomness, for more docs than `exact_docs`.
    exact_docs, samples
        As in `entropy`.

    Returns
    -------
    float array [variant, topic]
        The mean over the topic's lists. nan for a topic without PDP, or a topic that needs a pair
        of grades whose tests all have weight 0 (unless the setting's `untested` fills the cell).

    Raises
    ------
    UsageError
        If the setting has a grade-level matrix instead of tests.
    ShapeError
        If there is not one weight for each test, or a weight is below 0 or nan.
    UndefinedError
        If a required pair of grades has no tests at all.
    """
    if isinstance(setting.evidence, GradeMatrix):
        raise UsageError("the setting has a grade-level matrix; expected preference tests")
    rows = float_array(weights, name="weights", ndim=2)
    count = len(setting.evidence)
    if rows.shape[1] != count or not (rows >= 0).all():
        raise ShapeError(f"expected a weight of 0 or more for each of the {count} tests")
    found = estimate(setting, exact_docs=exact_docs, samples=samples, rng=rng)
    again = Resampler.of(found, exact_docs=exact_docs)
    return again.topics(rows, exact_docs=exact_docs, samples=samples, rng=rng)
