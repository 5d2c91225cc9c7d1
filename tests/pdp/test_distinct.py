from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.pdp import DocLists, Setting, collection_pdp, topic_pdp
from qrelsmith.pdp.distinct import distinct_lists
from qrelsmith.preferences import GradeMatrix, doc_matrix, grade_matrix
from qrelsmith.simulate import all_tests


def test_lists_of_the_same_grades_are_one_kind_whatever_their_order() -> None:
    codes = np.array([[[0, 1], [2, 2]], [[2, 2], [0, 1]], [[2, 2], [1, 0]], [[0, 1], [2, 2]]])
    places, kind = distinct_lists(codes, np.array([0, 0, 0, 1]))
    assert kind[0] == kind[1]
    assert len({kind[0], kind[2], kind[3]}) == 3
    assert sorted(places.tolist()) == [0, 2, 3]
    assert kind[places].tolist() == list(range(3))


@pytest.mark.parametrize("shape", [(0, 3, 2), (3, 0, 2), (1, 1, 1)])
def test_nothing_to_sort(shape: tuple[int, int, int]) -> None:
    places, kind = distinct_lists(np.zeros(shape, dtype=np.int64), np.zeros(shape[0], np.int64))
    assert places.size == min(1, shape[0])
    assert kind.tolist() == [0] * shape[0]


@given(st.integers(0, 10_000), st.sampled_from(["individual", "aggregate"]))
def test_the_pdp_of_a_list_is_what_it_is_alone(seed: int, mode: str) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.random((3, 6))
    grades = rng.integers(0, 3, size=(3, 6, 2)).astype(float)
    grades[rng.random(grades.shape) < 0.1] = np.nan
    lists = DocLists(
        topics=rng.integers(3, size=20),
        docs=np.array([rng.permutation(6)[:4] for _ in range(20)]),
    )
    lists.docs[::5, 3] = -1
    setting = Setting(
        grades,
        all_tests(truth),
        levels=range(3),
        mode=mode,  # type: ignore[arg-type]
        untested="half",
        batches=[0, 1, 0],
        lists=lists,
    )
    found = collection_pdp(setting, rng=rng, resamples=3)
    matrix = grade_matrix(
        all_tests(truth), grades, levels=range(3), mode=mode, untested="half", batches=[0, 1, 0]  # type: ignore[arg-type]
    )  # fmt: skip
    shown = grades[lists.topics[:, None], lists.docs]
    shown[lists.docs < 0] = np.nan
    plain = topic_pdp(doc_matrix(matrix, shown, batches=np.array([0, 1, 0])[lists.topics]))
    for name in ("value", "docs", "tests", "se"):
        np.testing.assert_allclose(getattr(found.lists, name), getattr(plain, name), atol=1e-9)


def test_lists_that_are_sampled_have_samples_of_their_own() -> None:
    matrix = GradeMatrix.given([[0.5, 0.2], [0.8, 0.5]], mode="individual")
    grades = np.tile(np.array([0.0, 1.0, 0.0, 1.0])[:, None], (6, 1, 1))
    setting = Setting(grades, matrix)
    sampled = collection_pdp(
        setting, rng=np.random.default_rng(0), resamples=0, exact_docs=2, samples=20
    )
    assert len(set(sampled.lists.value.tolist())) == 6
    exact = collection_pdp(replace(setting), rng=np.random.default_rng(0), resamples=0)
    assert len(set(exact.lists.value.tolist())) == 1
