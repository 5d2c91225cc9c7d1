import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.collection.pools import pool_rankings

docnos = st.sampled_from("abcdefgh")
rankings = st.lists(st.lists(docnos, unique=True, max_size=6), max_size=5)


def test_a_pool_of_two_runs_is_as_computed_by_hand():
    pool = pool_rankings([["c", "a", "b"], ["b", "c", "d"]], depth=2)
    assert pool.docs == ("a", "b", "c")
    assert pool.runs_of.tolist() == [1, 1, 2]
    assert pool.rank_sums.tolist() == [2, 1, 1 + 2]
    assert pool.run.tolist() == [0, 0, 1, 1]
    assert pool.rank.tolist() == [1, 2, 1, 2]


@given(rankings, st.integers(1, 7), st.lists(docnos, max_size=3))
def test_a_pool_equals_a_doc_by_doc_count(runs, depth, found):
    pool = pool_rankings(runs, depth=depth, found=found)
    tops = [run[:depth] for run in runs]
    assert pool.docs == tuple(sorted({doc for top in tops for doc in top} | set(found)))
    assert pool.runs_of.tolist() == [sum(doc in top for top in tops) for doc in pool.docs]
    assert pool.rank_sums.tolist() == [
        sum(top.index(doc) + 1 for top in tops if doc in top) for doc in pool.docs
    ]


def test_a_doc_that_no_run_retrieved_is_pooled_and_counts_for_no_run():
    pool = pool_rankings([["a"]], depth=1, found=["z", "a"])
    assert pool.docs == ("a", "z")
    assert pool.runs_of.tolist() == [1, 0]


def test_runs_without_the_topic_and_no_runs_give_the_available_docs():
    assert pool_rankings([[], ["b"], []], depth=3).run.tolist() == [1]
    empty = pool_rankings([], depth=1)
    assert len(empty) == 0
    assert empty.runs_of.dtype == np.int64


def test_a_missing_depth_and_a_repeated_doc_are_errors():
    with pytest.raises(UsageError, match="depth=0"):
        pool_rankings([["a"]], depth=0)
    with pytest.raises(ShapeError, match="doc 'a' appears twice in the ranking of run 1"):
        pool_rankings([["a"], ["a", "b", "a"]], depth=3)
