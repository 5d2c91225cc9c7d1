from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.arrays import FloatArray
from qrelsmith.discrimination import DocLists, Setting, topic_pdp
from qrelsmith.discrimination.estimate import estimate
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.resampling import Resampler
from qrelsmith.discrimination.slopes import pdp_slopes

STEP = 1e-4
SAMPLING = {"exact_docs": 5, "samples": 2}


def preferences(topics: int, docs: int) -> FloatArray:
    p = np.random.default_rng(0).uniform(0.05, 0.95, size=(topics, docs, docs))
    upper = np.triu(p, 1)
    return np.asarray(upper + np.tril(1 - upper.swapaxes(1, 2), -1) + 0.5 * np.eye(docs))


def test_two_docs_have_the_derivative_of_the_entropy_of_one_probability() -> None:
    slopes = pdp_slopes(np.array([[[0.5, 0.8], [0.2, 0.5]], [[0.5, 0.5], [0.5, 0.5]]]))
    assert slopes[0, 0, 1] == pytest.approx(np.log(0.2 / 0.8), abs=1e-5)
    assert slopes[0, 1, 0] == pytest.approx(-np.log(0.2 / 0.8), abs=1e-5)
    assert slopes[1] == pytest.approx(np.zeros((2, 2)), abs=1e-5)


def test_derivatives_equal_small_differences_of_p() -> None:
    p = preferences(3, 4)
    slopes = pdp_slopes(p)
    for doc, other in ((0, 1), (3, 1), (2, 3)):
        step = np.zeros((4, 4))
        step[doc, other], step[other, doc] = STEP, -STEP
        moved = topic_pdp(p + step).value - topic_pdp(p - step).value
        assert slopes[:, doc, other] == pytest.approx(moved / (2 * STEP), abs=1e-5)


def test_a_missing_doc_has_no_derivative() -> None:
    p = preferences(1, 4)
    p[0, 2] = p[0, :, 2] = np.nan
    slopes = pdp_slopes(p)
    kept = [0, 1, 3]
    assert not slopes[0, 2].any()
    assert not slopes[0, :, 2].any()
    assert slopes[0][np.ix_(kept, kept)] == pytest.approx(pdp_slopes(p[:, kept][:, :, kept])[0])


@pytest.mark.parametrize("mode", ["individual", "aggregate"])
def test_derivatives_of_grades_equal_small_differences_of_the_grade_matrix(mode: str) -> None:
    rng = np.random.default_rng(1)
    topics = np.repeat(np.arange(4), 10)
    left, right = (np.tile(side, 4) for side in np.triu_indices(5, 1))
    one = Setting(
        rng.integers(0, 3, size=(4, 5, 2)).astype(float),
        PreferenceTests(topics, left, right, rng.choice([-1.0, 1.0], size=40)),
        levels=range(3),
        mode=mode,  # type: ignore[arg-type]
        untested="half",
        lists=DocLists(
            np.array([0, 0, 1, 3]), np.array([[0, 1, 2], [2, 3, 4], [0, 2, 4], [4, 1, 0]])
        ),
    )
    found = Resampler.of(estimate(one, **SAMPLING, rng=rng), exact_docs=5)  # type: ignore[arg-type]
    matrix = preferences(1, 3)[None]
    slopes = found.slopes(matrix)
    for low, high in ((0, 1), (0, 2), (1, 2)):
        step = np.zeros_like(matrix)
        step[..., high, low], step[..., low, high] = STEP, -STEP
        ends = [
            np.nanmean(found.topics_of(moved, **SAMPLING, rng=rng))  # type: ignore[arg-type]
            for moved in (matrix - step, matrix + step)
        ]
        assert slopes[0, 0, high, low] == pytest.approx((ends[1] - ends[0]) / (2 * STEP), abs=1e-5)
