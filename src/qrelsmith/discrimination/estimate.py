"""An estimate of a setting's PDP that can be repeated with different weights of the tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import ShapeError
from qrelsmith.base.scipy_parts import sparse
from qrelsmith.discrimination.preferences.batches import batch_codes
from qrelsmith.discrimination.preferences.doc_matrix import GradeSamples, doc_matrix, grade_samples
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix, matrix_of_tally
from qrelsmith.discrimination.preferences.kinds import WeightedTests
from qrelsmith.discrimination.preferences.tally import GradeTally, tally_tests
from qrelsmith.discrimination.setting import DocLists, Setting
from qrelsmith.discrimination.topics import Pdp, topic_pdp


@dataclass(frozen=True, slots=True)
class Estimate:
    """A setting whose matrices can be estimated again with different weights of the tests.

    Attributes
    ----------
    matrix : GradeMatrix
        The grade-level matrix of the setting.
    tally : GradeTally or None
        The counted tests behind the matrix; None if the matrix was given.
    looks : GradeSamples
        The cells of the matrix that each doc pair of each list uses.
    list_topics : int array [list]
        The topic of each list.
    topics : float array [topic]
        The mean PDP of each topic's lists; nan if undefined.
    """

    setting: Setting
    matrix: GradeMatrix
    tally: GradeTally | None
    looks: GradeSamples
    lists: Pdp
    list_topics: IntArray
    topics: FloatArray


def estimate(
    setting: Setting, *, exact_docs: int, samples: int, rng: np.random.Generator
) -> Estimate:
    """Estimate the matrices of a setting and the PDP of its lists."""
    grades = float_array(setting.grades, name="grades", ndim=3)
    lists = setting.lists
    if lists is None:
        topics, docs, _ = grades.shape
        lists = DocLists(topics=np.arange(topics), docs=np.tile(np.arange(docs), (topics, 1)))
    shown = _grades_of_lists(grades, lists)
    list_batches: ArrayLike | None = None
    if setting.batches is not None:
        list_batches = batch_codes(setting.batches, topics=len(grades))[lists.topics]
    tally: GradeTally | None = None
    if isinstance(setting.evidence, GradeMatrix):
        matrix = setting.evidence
    else:
        tally = tally_tests(
            setting.evidence,
            grades,
            levels=setting.levels,
            mode=setting.mode,
            strength=setting.strength,
            batches=setting.batches,
        )
        if setting.weights is not None:
            weights = setting.weights
            weights = weights.weights if isinstance(weights, WeightedTests) else weights
            tally = tally.reweight(float_array(weights, name="weights", ndim=1))
        matrix = matrix_of_tally(tally, smoothing=setting.smoothing, untested=setting.untested)
    lists_pdp = topic_pdp(
        doc_matrix(matrix, shown, batches=list_batches),
        exact_docs=exact_docs,
        samples=samples,
        rng=rng,
    )
    return Estimate(
        setting=setting,
        matrix=matrix,
        tally=tally,
        looks=grade_samples(matrix, shown, batches=list_batches),
        lists=lists_pdp,
        list_topics=lists.topics,
        topics=topic_means(lists_pdp.value, lists.topics, topics=len(grades)),
    )


def topic_means(values: FloatArray, list_topics: IntArray, *, topics: int) -> FloatArray:
    """Return the mean over the lists of each topic.

    Parameters
    ----------
    values : float array [..., list]
        The values; nan is ignored.
    list_topics : int array [list]
        The topic of each list.
    topics : int
        The number of topics.

    Returns
    -------
    float array [..., topic]
        nan for a topic without any value.
    """
    flat = values.reshape(-1, list_topics.size)
    counted = ~np.isnan(flat)
    ones = np.ones(list_topics.size)
    belongs = sparse.csr_array(
        (ones, (np.arange(list_topics.size), list_topics)), shape=(list_topics.size, topics)
    )
    total: FloatArray = np.asarray(np.where(counted, flat, 0.0) @ belongs)
    count: FloatArray = np.asarray(counted.astype(np.float64) @ belongs)
    means = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return np.asarray(means.reshape(*values.shape[:-1], topics))


def _grades_of_lists(grades: FloatArray, lists: DocLists) -> FloatArray:
    """Return the grades of the docs of each list [list, k, assessor]; nan after the list's end."""
    topics, docs, _ = grades.shape
    if lists.topics.size and not 0 <= lists.topics.min() <= lists.topics.max() < topics:
        raise ShapeError(f"a list names an unknown topic; expected one of the {topics} topics")
    if lists.docs.size and not -1 <= lists.docs.min() <= lists.docs.max() < docs:
        raise ShapeError(f"a list names an unknown doc; expected one of the {docs} docs")
    shown = grades[lists.topics[:, None], lists.docs]
    shown[lists.docs < 0] = np.nan
    return np.asarray(shown)
