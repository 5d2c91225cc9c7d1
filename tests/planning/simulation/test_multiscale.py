from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.planning.simulation import (
    AssessorDesign,
    MultiscaleCollection,
    MultiscaleDesign,
    Systems,
    simulate_multiscale,
    slice_grades,
)

SMALL = MultiscaleDesign(
    topics=3,
    docs=50,
    scales=(2, 4, 101),
    crowd=AssessorDesign(count=40, noise=(0.1, 0.3), bias=0.1, inattention=(0.0, 0.1)),
    systems=Systems(count=5),
    run_depth=12,
)


@pytest.fixture(scope="module")
def paper() -> MultiscaleCollection:
    return simulate_multiscale(MultiscaleDesign(), seed=0)


def test_the_sizes_are_those_of_the_paper(paper: MultiscaleCollection) -> None:
    # Han et al. 2019, 3.1: 18 topics, 4,269 docs, 10 workers per doc, HITs of 8; 90.9% of the docs
    # have experts' labels on two levels and 18.9% on four (Table 3: 3,881 and 805).
    assert paper.truth.size == 4269
    assert np.unique(paper.topic).size == 18
    assert int(np.isfinite(paper.two).sum()) == 3881
    assert int(np.isfinite(paper.four).sum()) == 805
    assert [crowd.levels for crowd in paper.crowds] == [2, 4, 101]
    assert paper.ranked.shape[:2] == (129, 18)
    for crowd in paper.crowds:
        assert crowd.grade.size == 42_690
        assert np.bincount(crowd.doc).tolist() == [10] * 4269


def test_a_worker_labels_a_doc_once_and_a_hit_contains_docs_of_one_topic(
    paper: MultiscaleCollection,
) -> None:
    for crowd in paper.crowds:
        pairs = crowd.doc * 10_000 + crowd.worker
        assert np.unique(pairs).size == pairs.size
        sizes = np.bincount(crowd.hit)
        assert sizes.max() == 8
        for values in (crowd.worker, paper.topic[crowd.doc]):
            of_hit = np.stack([crowd.hit, values])
            assert np.unique(of_hit, axis=1).shape[1] == sizes.size
        first = np.flatnonzero(crowd.position == 1)
        assert first.size == sizes.size


def test_grades_are_on_their_scales(paper: MultiscaleCollection) -> None:
    for crowd in paper.crowds:
        assert np.isin(crowd.grade, np.arange(crowd.levels)).all()
        assert np.unique(crowd.grade).size > crowd.levels / 2
    assert set(np.unique(paper.four[np.isfinite(paper.four)])) == {0.0, 1.0, 2.0, 3.0}
    assert set(np.unique(paper.two[np.isfinite(paper.two)])) == {0.0, 1.0}


def test_the_expert_of_four_levels_judged_mostly_relevant_docs(paper: MultiscaleCollection) -> None:
    # So4 skipped many docs that TREC had labelled as not relevant (3.1).
    judged = np.isfinite(paper.four)
    assert np.isfinite(paper.two[judged]).all()
    assert judged[paper.two == 1].all()
    assert judged[paper.two == 0].mean() < 0.1


def test_another_scale_leaves_the_others_unchanged() -> None:
    all_three = simulate_multiscale(SMALL, seed=1)
    alone = simulate_multiscale(replace(SMALL, scales=(4,)), seed=1)
    np.testing.assert_array_equal(alone.crowds[0].grade, all_three.crowds[1].grade)
    np.testing.assert_array_equal(alone.crowds[0].worker, all_three.crowds[1].worker)
    np.testing.assert_array_equal(alone.ranked, all_three.ranked)


def test_a_seed_determines_the_collection() -> None:
    first, again, other = (simulate_multiscale(SMALL, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.crowds[2].grade, again.crowds[2].grade)
    np.testing.assert_array_equal(first.four, again.four)
    assert not np.array_equal(first.truth, other.truth)


def test_assessors_without_errors_give_true_grades() -> None:
    design = replace(
        SMALL,
        crowd=AssessorDesign(count=40, noise=(0.0, 0.0), bias=0.0),
        leniency=0.0,
        rounding=0.0,
        expert_noise=0.0,
        four=1.0,
        two=1.0,
        systems=Systems(count=2, noise=(0.0, 0.0)),
    )
    found = simulate_multiscale(design, seed=3)
    for crowd in found.crowds:
        np.testing.assert_array_equal(
            crowd.grade, slice_grades(found.truth[crowd.doc], crowd.levels)
        )
    np.testing.assert_array_equal(found.two, found.truth >= 0.25)
    np.testing.assert_array_equal(found.four, slice_grades(found.truth, 4))
    worth = found.truth[found.ranked[0, 0]]
    assert (np.diff(worth) <= 0).all()


def test_an_invalid_design_is_refused() -> None:
    with pytest.raises(UsageError, match="expected a worker for each HIT"):
        replace(SMALL, crowd=AssessorDesign(count=5))
    with pytest.raises(UsageError, match="expected different scales"):
        replace(SMALL, scales=(4, 4))
    with pytest.raises(UsageError, match="a share from 0 to 1"):
        replace(SMALL, four=1.5)
    with pytest.raises(UsageError, match=r"leniency=1; expected at least 0 and less than 1"):
        replace(SMALL, leniency=1)
    with pytest.raises(UsageError, match="one or more for each topic"):
        replace(SMALL, docs=2)
