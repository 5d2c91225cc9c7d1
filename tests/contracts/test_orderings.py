"""Rules for every registered ordering; they test a new one before it has its own tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.collection.pools import ORDERINGS, order_docs, pool_rankings

docnos = st.text("ab0é-", min_size=1, max_size=4)
rankings = st.lists(st.lists(docnos, unique=True, max_size=6), max_size=4)
found = st.lists(docnos, max_size=3)
seeds = st.integers(-(2**63), 2**63)

all_orderings = pytest.mark.parametrize("ordering", ORDERINGS.names())


@all_orderings
@given(runs=rankings, found=found, seed=seeds)
def test_every_doc_of_the_pool_is_shown_once(ordering, runs, found, seed):
    pool = pool_rankings(runs, depth=4, found=found)
    shown = order_docs(pool, ordering, topic="1", seed=seed)
    assert sorted(shown) == list(pool.docs)


@all_orderings
@given(runs=rankings, found=found, seed=seeds)
def test_one_seed_always_gives_one_order_regardless_of_the_input_order(ordering, runs, found, seed):
    first = pool_rankings(runs, depth=4, found=found)
    again = pool_rankings(runs[::-1], depth=4, found=found[::-1])
    assert order_docs(first, ordering, topic="1", seed=seed) == order_docs(
        again, ordering, topic="1", seed=seed
    )


@all_orderings
def test_every_ordering_is_documented(ordering):
    entry = ORDERINGS.get(ordering).entry
    assert entry.summary.endswith(".")
    assert entry.formula


@all_orderings
def test_an_empty_pool_stays_empty(ordering):
    assert order_docs(pool_rankings([], depth=1), ordering, topic="1", seed=0) == ()
