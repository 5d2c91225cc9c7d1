import numpy as np
import pytest

from qrelsmith.errors import ShapeError, UsageError
from qrelsmith.simulate import prioritised_pool


def test_docs_of_many_runs_first_then_by_ranks_then_by_number():
    # Within depth 3: doc 4 in three runs; 7 in two (ranks 1 + 3), 2 in two (3 + 2); 9 and 1 in one
    # at rank 2; rank 4 is outside.
    ranked = [[7, 4, 2, 8], [4, 2, 7, 5], [4, 9, 1, 2]]
    assert prioritised_pool(ranked, depth=3).tolist() == [4, 7, 2, 9, 1]
    assert prioritised_pool(ranked, depth=1).tolist() == [4, 7]
    assert prioritised_pool([[3, 1], [1, 3]], depth=2).tolist() == [1, 3]


def test_a_pool_is_the_union_of_the_tops():
    rng = np.random.default_rng(0)
    ranked = np.array([rng.permutation(40) for _ in range(6)])
    pool = prioritised_pool(ranked, depth=5)
    assert sorted(pool.tolist()) == sorted(set(ranked[:, :5].ravel().tolist()))
    assert prioritised_pool(np.empty((2, 0), dtype=int), depth=5).size == 0


def test_what_is_no_ranking_is_an_error():
    with pytest.raises(ShapeError, match="numbers of docs"):
        prioritised_pool([[0.5, 1.0]], depth=1)
    with pytest.raises(ShapeError, match="numbers of docs"):
        prioritised_pool([1, 2], depth=1)
    with pytest.raises(UsageError, match="depth=0"):
        prioritised_pool([[1, 2]], depth=0)
