"""Preference tests weighted to represent all pairs of docs.

Tests drawn for pairs of grades of a fine scale are not a random sample of the doc pairs with two
given grades of a coarse scale. Weights by the kind of pair correct this bias (post-stratification).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.discrimination.missing_tests import median_grades
from qrelsmith.discrimination.preferences.grade_matrix import matrix_of_tally
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.preferences.tally import GradeTally, tally_tests


@dataclass(frozen=True, slots=True)
class WeightedTests:
    """Preference tests, and the number of pairs of docs that each test represents.

    Attributes
    ----------
    tests : PreferenceTests
        The tests that were made, followed by estimated tests of kinds without a test.
    weights : float array [test]
        The number of pairs; 0 for a test of a doc without a grade in some setting.
    made : GradeTally
        The tests that were made, by kinds of docs.
    estimated : int array [estimate, 2]
        The kinds of the two docs of each estimate, which is a win and a loss at the end of `tests`.
    """

    tests: PreferenceTests
    weights: FloatArray
    made: GradeTally
    estimated: IntArray

    def estimate_again(self, drawn: FloatArray) -> FloatArray:
        """Return the weight of each test [resample, test] in samples of the completed tests.

        Parameters
        ----------
        drawn : float array [resample, test made]
            The number of times that each sample contains each test made; the estimated tests are
            computed from these numbers.
        """
        if not len(self.estimated):
            return drawn
        low, high = self.estimated.T
        tally, classes = self.made.collapse()
        counted = np.zeros((len(drawn), tally.test_count))
        np.add.at(counted.T, classes, drawn.T)
        chances = np.stack([_chances(tally, row)[low, high] for row in counted])
        first = _chances(self.made)[low, high]
        return np.hstack([drawn, chances / first, (1 - chances) / (1 - first)])


def weight_by_kind(tests: PreferenceTests, settings: Sequence[FloatArray]) -> WeightedTests:
    """Weight tests by the number of pairs of docs of the same kind.

    The kind of a doc is its median grade in every setting, and the kind of a pair consists of the
    kinds of its two docs. A test of a kind with N pairs of docs (within topics) and n tests
    represents N/n pairs. If no test compares two different kinds, the result is estimated by
    Bradley–Terry scores from the tests of both kinds with other kinds. Each pair of docs then gets
    a win and a loss, weighted by the estimated probabilities. The number of these added pairs is
    chosen so that each pair has the weight of an average test.

    Parameters
    ----------
    tests : PreferenceTests
        Topics and docs are positions on the first two axes of the grades.
    settings : sequence of float array [topic, doc, assessor]
        The grades of every setting; nan and codes below 0 are missing.

    Returns
    -------
    WeightedTests
        Kinds without known scores, because no chain of tests connects them, are not represented.

    References
    ----------
    Holt and Smith (1979), Post stratification.

    Examples
    --------
    >>> coarse, fine = np.array([[0, 0, 1.0]])[..., None], np.array([[0, 1, 2.0]])[..., None]
    >>> tests = PreferenceTests(np.zeros(2, int), np.array([0, 1]), np.array([2, 2]), -np.ones(2))
    >>> weight_by_kind(tests, [coarse, fine]).weights.tolist()
    [1.0, 1.0, 0.5, 0.5]
    """
    kinds, count = _kinds(settings)
    of_topic = np.stack([np.bincount(row[row >= 0], minlength=count) for row in kinds])
    pairs = of_topic.T @ of_topic
    np.fill_diagonal(pairs, (of_topic * (of_topic - 1) // 2).sum(axis=0))
    kind, defined = _kinds_of_pairs(kinds, tests.topics, tests.left, tests.right, count)
    made = np.bincount(kind[defined], minlength=count * count)
    weights = np.zeros(len(tests))
    weights[defined] = (pairs.ravel() / np.maximum(made, 1))[kind[defined]]
    tally = tally_tests(
        tests, np.where(kinds >= 0, kinds, np.nan)[..., None], levels=np.arange(count),
        mode="aggregate",
    )  # fmt: skip
    p = _chances(tally)
    mean = float(weights[defined].mean()) if defined.any() else 1.0
    places, item = _open_pairs(kinds, pairs, made.reshape(count, count) > 0, mean)
    chance = p[kinds[places[:, 0], places[:, 1]], kinds[places[:, 0], places[:, 2]]]
    told = ~np.isnan(chance)
    topics, left, right = places[told].T
    compared = np.column_stack([kinds[topics, left], kinds[topics, right]])
    chance, item = chance[told], item[told]
    wins = np.full(chance.size, -1.0)
    return WeightedTests(
        PreferenceTests(
            np.concatenate([tests.topics, topics, topics]),
            np.concatenate([tests.left, left, left]),
            np.concatenate([tests.right, right, right]),
            np.concatenate([tests.outcomes, wins, -wins]),
        ),
        np.concatenate([weights, item * chance, item * (1 - chance)]),
        tally,
        compared,
    )


def _chances(made: GradeTally, weights: FloatArray | None = None) -> FloatArray:
    """Return the probability that one kind of doc is preferred to another [kind, kind]."""
    p: FloatArray = matrix_of_tally(made, untested="interpolate", weights=weights).p[0]
    return p


def _kinds(settings: Sequence[FloatArray]) -> tuple[IntArray, int]:
    """Return each doc's kind [topic, doc] (−1: a setting has no grade), and the number of kinds."""
    medians = np.stack([median_grades(np.where(each >= 0, each, np.nan)) for each in settings])
    shape = medians.shape[1:]
    graded = ~np.isnan(medians).any(axis=0)
    kinds = np.full(shape, -1, dtype=np.int64)
    distinct, found = np.unique(medians[:, graded], axis=1, return_inverse=True)
    kinds[graded] = found.ravel()
    return kinds, distinct.shape[1]


def _kinds_of_pairs(
    kinds: IntArray, topics: IntArray, left: IntArray, right: IntArray, count: int
) -> tuple[IntArray, np.ndarray]:
    one, other = kinds[topics, left], kinds[topics, right]
    return np.minimum(one, other) * count + np.maximum(one, other), (one >= 0) & (other >= 0)


def _open_pairs(
    kinds: IntArray, pairs: IntArray, tested: np.ndarray, weight: float
) -> tuple[IntArray, FloatArray]:
    """Return doc pairs of untested pairs of kinds, and the number of pairs that each represents.

    The returned pairs are spread over all pairs of their kind; each represents about `weight`
    pairs.
    """
    count = len(pairs)
    rows: dict[int, list[IntArray]] = {}
    for topic, row in enumerate(kinds):
        graded = np.flatnonzero(row >= 0)
        first, second = (graded[side] for side in np.triu_indices(graded.size, 1))
        low, high = np.minimum(row[first], row[second]), np.maximum(row[first], row[second])
        free = (low != high) & ~tested[low, high]
        kind = (low * count + high)[free]
        places = np.column_stack([np.full(kind.size, topic), first[free], second[free]])
        for each in np.unique(kind).tolist():
            rows.setdefault(each, []).append(places[kind == each])
    chosen, stands_for = [np.empty((0, 3), dtype=np.int64)], [np.empty(0)]
    for every in (np.concatenate(parts) for parts in rows.values()):
        wanted = min(len(every), max(1, round(len(every) / weight)))
        chosen.append(every[np.linspace(0, len(every) - 1, wanted).astype(np.int64)])
        stands_for.append(np.full(wanted, len(every) / wanted))
    return np.concatenate(chosen), np.concatenate(stands_for)
