import pytest

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.collection.pools import order_docs, pool_rankings
from qrelsmith.collection.pools.pool_files import Pools, write_pools
from qrelsmith.collection.pools.pool_sets import PoolSet, read_pool_set

PRIORITISED = Pools("prioritised", 3, 0, {"1": ("c", "b", "a"), "2": ("x",)})
RANDOMISED = Pools("randomised", 3, 5, {"1": ("a", "b", "c"), "2": ("x",)})


def test_files_with_the_same_docs_form_one_set(tmp_path):
    for name, pools in (("p", PRIORITISED), ("r", RANDOMISED)):
        write_pools(pools, tmp_path / name)
    found = read_pool_set([tmp_path / "r", tmp_path / "p"])
    assert found == PoolSet((RANDOMISED, PRIORITISED))
    assert found.topics == ("1", "2")
    assert found.depth == 3
    assert found.docs("1") == ("a", "b", "c")
    assert found.order_docs("1", ordering="prioritised", seed=9) == ("c", "b", "a")
    assert found.order_docs("1", ordering="prioritised", seed=9, among={"a", "b"}) == ("b", "a")
    pool = pool_rankings([], depth=1, found=["a", "c"])
    for seed in range(4):
        shown = found.order_docs("1", ordering="randomised", seed=seed, among={"a", "c"})
        assert shown == order_docs(pool, "randomised", topic="1", seed=seed)


def test_an_ordering_by_rank_needs_a_file_in_that_order():
    assert PoolSet((RANDOMISED,)).can_show("docno")
    assert not PoolSet((RANDOMISED,)).can_show("prioritised")
    assert PoolSet((RANDOMISED, PRIORITISED)).can_show("prioritised")
    with pytest.raises(UsageError, match="expected pools created in prioritised order"):
        PoolSet((RANDOMISED,)).order_docs("1", ordering="prioritised", seed=0)


def test_files_with_different_docs_and_no_files_are_errors(tmp_path):
    write_pools(PRIORITISED, tmp_path / "p")
    for name, docs in (("less", {"1": ("c", "b", "a")}), ("other", {"1": ("c",), "2": ("x",)})):
        write_pools(Pools("docno", 3, 0, docs), tmp_path / name)
        with pytest.raises(
            InputError, match=f"{name}: the pool of topic '.' differs from the pool in"
        ):
            read_pool_set([tmp_path / "p", tmp_path / name])
    with pytest.raises(UsageError, match="no pool file"):
        read_pool_set([])
