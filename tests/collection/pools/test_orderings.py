import hashlib
from collections import Counter

import pytest

from qrelsmith.base.errors import UnknownNameError
from qrelsmith.collection.pools import order_docs, pool_rankings


def order(pool, ordering, seed=0, topic="1"):
    return order_docs(pool, ordering, topic=topic, seed=seed)


def test_docs_of_many_runs_are_first_then_by_ranks_then_by_docno():
    # Within depth 3: d4 in three runs; d7 in two (ranks 1 + 3), d2 in two (3 + 2); d9 and d1 in one
    # at ranks 2 and 3; rank 4 is outside.
    runs = [["d7", "d4", "d2", "d8"], ["d4", "d2", "d7", "d5"], ["d4", "d9", "d1", "d2"]]
    pool = pool_rankings(runs, depth=3)
    assert order(pool, "prioritised") == ("d4", "d7", "d2", "d9", "d1")
    assert order(pool, "prioritised", seed=5, topic="x") == order(pool, "prioritised")
    assert order(pool_rankings([["b", "a"], ["a", "b"]], depth=2), "prioritised") == ("a", "b")


def test_docs_found_only_by_people_are_last_in_priority():
    pool = pool_rankings([["z"]], depth=1, found=["a", "b"])
    assert order(pool, "prioritised") == ("z", "a", "b")


def test_a_random_order_follows_the_digests_of_seed_topic_and_docno():
    pool = pool_rankings([["a", "b", "c", "d", "e"]], depth=5)

    def digest(doc):
        return hashlib.sha256(f"i:1:7\ns:4:pool\ns:2:t1\ns:1:{doc}".encode()).hexdigest()

    assert order(pool, "randomised", seed=7, topic="t1") == tuple(sorted("abcde", key=digest))


def test_random_orders_are_equally_likely_and_differ_by_topic():
    pool = pool_rankings([["a", "b", "c"]], depth=3)
    orders = Counter(order(pool, "randomised", seed=seed) for seed in range(1200))
    assert len(orders) == 6
    # The standard deviation of each count is 12.9.
    assert all(abs(count - 200) < 52 for count in orders.values())
    assert len({order(pool, "randomised", topic=str(topic)) for topic in range(50)}) == 6


def test_docno_order_is_byte_order():
    pool = pool_rankings([["é", "z", "Z", "10", "9"]], depth=5)
    assert order(pool, "docno") == ("10", "9", "Z", "z", "é")


def test_an_unknown_ordering_names_the_choices():
    with pytest.raises(UnknownNameError, match="prioritised, randomised, docno"):
        order(pool_rankings([["a"]], depth=1), "prioritized")
