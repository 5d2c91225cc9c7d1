"""Preference tests of docs that differ more than other docs with the same two grades.

The same number of tests may be drawn for each pair of grades of a fine scale. Such tests compare
docs at the ends of the scale as often as docs with neighbouring grades. For a coarse scale, such
tests are not a random sample. Tested docs with the coarse grades 0 and 1 are mostly far apart, so
the scale looks more reliable than it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.discrimination.missing_tests import median_grades
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

# Least difference: in standard errors, and as a share of the distance of all pairs of docs.
_SURE, _LARGE = 3.0, 0.1


@dataclass(frozen=True, slots=True)
class TooFar:
    """The distances between the docs of one setting's tests, in grades of another setting.

    Attributes
    ----------
    setting, by : str
        The setting whose pairs of grades are tested, and the setting whose grades measure the
        distance.
    tested, all : float
        The mean distance in grades of the docs in tests, and of all pairs of docs with the same
        grades as docs in the tests.
    error : float
        The standard error of `tested`.
    """

    setting: str
    by: str
    tested: float
    all: float
    error: float

    @property
    def is_notable(self) -> bool:
        """Whether the two distances differ significantly, and by more than a tenth."""
        more = self.tested - self.all
        return more > _SURE * self.error and more > _LARGE * abs(self.all)


def measure_distances(tests: PreferenceTests, grades: Mapping[str, FloatArray]) -> Iterator[TooFar]:
    """Yield the distances of each setting's tests, measured by the grades of every other setting.

    Parameters
    ----------
    tests : PreferenceTests
        Topics and docs are positions on the first two axes of the grades.
    grades : mapping of str to float array [topic, doc, assessor]
        The grades of each setting; nan and codes below 0 are missing; if a doc has several grades,
        the lower median is used.
    """
    medians = {
        name: median_grades(np.where(each >= 0, each, np.nan)) for name, each in grades.items()
    }
    for name, own in medians.items():
        for by, other in medians.items():
            if by != name:
                yield _measure(name, by, tests, own, other)


def note_tests_too_far(tests: PreferenceTests, grades: Mapping[str, FloatArray]) -> list[str]:
    """Return a sentence about the least representative tests, if any tests are too far apart."""
    notable = [each for each in measure_distances(tests, grades) if each.is_notable]
    if not notable:
        return []
    worst = max(notable, key=lambda each: each.tested / each.all if each.all > 0 else math.inf)
    others = len({each.setting for each in notable}) - 1
    more = f" (also true of {others} more)" if others else ""
    sentence = (
        f"the tests of {worst.setting} compare docs whose grades by {worst.by} differ by"
        f" {worst.tested:.2f} on average; all its pairs of docs differ by {worst.all:.2f}{more}."
        " Its PDP looks more certain than it is, and more such tests do not help. Draw the next"
        " tests by need with plan preferences --after LOG --budget N"
    )
    return [sentence]


def _measure(
    name: str, by: str, tests: PreferenceTests, own: FloatArray, other: FloatArray
) -> TooFar:
    both = ~(np.isnan(own) | np.isnan(other))
    levels, codes = np.unique(np.where(both, own, np.nan), return_inverse=True)
    codes = codes.reshape(own.shape)
    expected = _mean_distances(codes, both, other, int((~np.isnan(levels)).sum()))
    topics, left, right = tests.topics, tests.left, tests.right
    first, second = codes[topics, left], codes[topics, right]
    kept = both[topics, left] & both[topics, right] & (first != second)
    up = np.sign(second - first)[kept]
    apart = up * (other[topics, right] - other[topics, left])[kept]
    all_of = expected[np.maximum(first, second)[kept], np.minimum(first, second)[kept]]
    count = apart.size
    if count < 2:
        return TooFar(name, by, math.nan, math.nan, math.nan)
    error = float(np.std(apart - all_of, ddof=1)) / math.sqrt(count)
    return TooFar(name, by, float(apart.mean()), float(all_of.mean()), error)


def _mean_distances(
    codes: IntArray, both: np.ndarray, other: FloatArray, levels: int
) -> FloatArray:
    """Return the mean difference in another setting's grades between docs of two levels."""
    counts = np.stack([(both & (codes == level)).sum(axis=1) for level in range(levels)], axis=1)
    known = np.where(both, other, 0.0)
    sums = np.stack([(known * (codes == level)).sum(axis=1) for level in range(levels)], axis=1)
    pairs = counts.T @ counts
    far = sums.T @ counts - counts.T @ sums
    return np.asarray(np.divide(far, pairs, out=np.zeros(far.shape), where=pairs > 0))
