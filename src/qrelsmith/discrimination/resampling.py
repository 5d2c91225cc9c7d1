"""The PDP of a setting with different weights of the tests.

Everything that is the same in all resamples is computed once. Tests with the same effect are
merged, and lists of docs with the same grades are also merged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.scipy_parts import sparse
from qrelsmith.discrimination.estimate import Estimate, topic_means
from qrelsmith.discrimination.preferences.doc_matrix import GradeSamples
from qrelsmith.discrimination.preferences.grade_matrix import JEFFREYS, matrix_of_tally
from qrelsmith.discrimination.preferences.tally import GradeTally
from qrelsmith.discrimination.slopes import pdp_slopes
from qrelsmith.discrimination.topics import topic_pdp

_CELLS_AT_ONCE = 1_000_000


@dataclass(frozen=True, slots=True)
class Resampler:
    """An estimate of PDP that can be repeated quickly with different weights of the tests.

    Attributes
    ----------
    tally : GradeTally or None
        The distinct effects of the tests; None if the matrix was given.
    summed : sparse array [test, class] or None
        The effect of each test.
    looks : GradeSamples
        The lists of docs with distinct grades.
    of_list : int array [list]
        The index of each list in `looks`.
    """

    found: Estimate
    tally: GradeTally | None
    summed: sparse.csr_array | None
    looks: GradeSamples
    of_list: IntArray

    @classmethod
    def of(cls, estimated: Estimate, *, exact_docs: int) -> Resampler:
        """Prepare an estimate; do not merge lists whose entropy is sampled."""
        looks, of_list = estimated.looks, np.arange(len(estimated.looks.codes))
        if looks.codes.shape[1] <= exact_docs:
            looks, of_list = _distinct(looks)
        if estimated.tally is None:
            return cls(estimated, None, None, looks, of_list)
        tally, classes = estimated.tally.collapse()
        ones, tests = np.ones(classes.size), np.arange(classes.size)
        summed = sparse.csr_array((ones, (tests, classes)), shape=(classes.size, tally.test_count))
        return cls(estimated, tally, summed, looks, of_list)

    def topics(
        self,
        weights: FloatArray,
        *,
        exact_docs: int,
        samples: int,
        rng: np.random.Generator,
        amount: float = JEFFREYS,
    ) -> FloatArray:
        """Return the PDP of each topic for different weights of the tests.

        Parameters
        ----------
        weights : float array [resample, test]
            The number of times that each test counts.
        exact_docs, samples, rng
            As in `entropy`.
        amount : float
            The amount that Jeffreys smoothing adds to each cell.

        Returns
        -------
        float array [resample, topic]
            The PDP of each topic, which is the same in every row if the matrix was given.
        """
        estimated = self.found
        if self.tally is None or self.summed is None:
            return np.broadcast_to(estimated.topics, (len(weights), estimated.topics.size))
        counted: FloatArray = np.asarray(weights @ self.summed)
        matrices = [
            matrix_of_tally(
                self.tally,
                smoothing=estimated.setting.smoothing,
                untested=estimated.setting.untested,
                weights=row,
                amount=amount,
            ).p
            for row in counted
        ]
        return self.topics_of(
            np.reshape(matrices, (-1, *self.tally.shape)),
            exact_docs=exact_docs, samples=samples, rng=rng,
        )  # fmt: skip

    def topics_of(
        self, matrices: FloatArray, *, exact_docs: int, samples: int, rng: np.random.Generator
    ) -> FloatArray:
        """Return the PDP of each topic [variant, topic] with different grade-level matrices.

        Parameters
        ----------
        matrices : float array [variant, batch, level, level]
            The matrices that replace the matrix of the estimate.
        exact_docs, samples, rng
            As in `entropy`.
        """
        estimated = self.found
        values = np.empty((len(matrices), estimated.topics.size))
        lists, docs, _ = self.looks.codes.shape
        step = max(1, _CELLS_AT_ONCE // max(1, lists * docs * docs))
        for start in range(0, len(matrices), step):
            means = self.looks.means(matrices[start : start + step])
            p = self.looks.finish(means, clip=estimated.matrix.clip)
            pdp = topic_pdp(
                p.reshape(-1, docs, docs), exact_docs=exact_docs, samples=samples, rng=rng
            )
            values[start : start + step] = topic_means(
                pdp.value.reshape(-1, lists)[:, self.of_list],
                estimated.list_topics,
                topics=estimated.topics.size,
            )
        return values

    def slopes(self, matrices: FloatArray) -> FloatArray:
        """Return the derivatives of mean PDP with respect to the cells of grade-level matrices.

        Parameters
        ----------
        matrices : float array [variant, batch, level, level]
            The matrices; probabilities strictly between 0 and 1.

        Returns
        -------
        float array [variant, batch, level, level]
            The increase of the mean if p of the cell rises and p of the opposite cell falls.
        """
        estimated, docs = self.found, self.looks.codes.shape[1]
        means = self.looks.means(matrices)
        p = self.looks.finish(means, clip=estimated.matrix.clip)
        by_list = pdp_slopes(p.reshape(-1, docs, docs)).reshape(p.shape)
        counts = np.bincount(estimated.list_topics)[estimated.list_topics]
        topics = np.unique(estimated.list_topics).size
        weights = np.bincount(
            self.of_list, weights=1.0 / (counts * topics), minlength=len(self.looks.codes)
        )
        return self.looks.cell_sums(by_list * weights[:, None, None])

    def unsmooth(
        self,
        values: FloatArray,
        weights: FloatArray,
        *,
        exact_docs: int,
        samples: int,
        rng: np.random.Generator,
    ) -> FloatArray:
        """Return the PDP of each topic [resample, topic] as if nothing were added to the counts.

        Smoothing moves the results of few tests towards ½. This effect is approximately linear in
        the amount added. To remove the effect, the values with twice the amount are subtracted from
        twice the values. Counts without smoothing cannot be used, because a pair has no finite
        scores if one of its grades always won.

        Parameters
        ----------
        values : float array [resample, topic]
            The result of `topics` for the weights.
        weights, exact_docs, samples, rng
            As in `topics`.
        """
        if self.tally is None or self.found.setting.smoothing != "jeffreys":
            return values
        more = self.topics(
            weights, exact_docs=exact_docs, samples=samples, rng=rng, amount=2 * JEFFREYS
        )
        return np.asarray(2 * values - more)

    def unsmooth_estimate(
        self, *, exact_docs: int, samples: int, rng: np.random.Generator
    ) -> FloatArray:
        """Return the estimate itself [topic] as if nothing were added to the counts."""
        count = 0 if self.summed is None else self.summed.shape[0]
        found = self.unsmooth(
            self.found.topics[None], np.ones((1, count)), exact_docs=exact_docs, samples=samples,
            rng=rng,
        )  # fmt: skip
        return np.asarray(found[0])


def _distinct(looks: GradeSamples) -> tuple[GradeSamples, IntArray]:
    """Return the distinct lists, and the index of each list among the distinct lists.

    The order of docs does not affect PDP. With five docs and four levels, for example, there are at
    most 56 distinct lists, but 63 runs × 53 topics have 3,339 lists.
    """
    lists, docs, samples = looks.codes.shape
    _, kinds = np.unique(looks.codes.reshape(-1, samples), axis=0, return_inverse=True)
    inside = np.sort(kinds.reshape(lists, docs), axis=1)
    keys = np.column_stack([looks.batch, inside])
    _, first, of_list = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return replace(looks, codes=looks.codes[first], batch=looks.batch[first]), of_list.ravel()
