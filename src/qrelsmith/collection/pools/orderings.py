"""Orders in which the docs of a pool are shown to an assessor.

An ordering is reproducible: the same pool, topic and seed always give the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.registry import Registry
from qrelsmith.base.registry_entries import Named
from qrelsmith.base.rng import digest_key
from qrelsmith.collection.pools.pools import Pool

# A function that returns the positions of a pool's docs in the order shown [position].
OrderingFunction = Callable[..., IntArray]

ORDERINGS: Registry[OrderingFunction] = Registry(
    "ordering", arguments=("pool",), context=("topic", "seed"), facts={"reads_ranks": False}
)


@ORDERINGS.add(
    "prioritised",
    formula="runs that return the doc ↓, sum of its ranks there ↑, docno ↑",
    source="Sakai et al. (2023), section 1 (PRI; NTCIRPOOL)",
    reads_ranks=True,
)
def _prioritised(pool: Pool) -> IntArray:
    """Return the order by number of runs (descending), then sum of ranks and docno (ascending)."""
    return np.lexsort((np.arange(len(pool)), pool.rank_sums, -pool.runs_of))


@ORDERINGS.add(
    "randomised",
    formula="SHA-256(seed, topic, docno) ↑",
    source="Sakai et al. (2023), section 1 (RND)",
)
def _randomised(pool: Pool, *, topic: str, seed: int) -> IntArray:
    """Return a random order, determined by the seed and the topic."""
    keys = [digest_key(seed, "pool", topic, doc) for doc in pool.docs]
    return np.array(sorted(range(len(pool)), key=keys.__getitem__), dtype=np.int64)


@ORDERINGS.add("docno", formula="docno ↑")
def _docno(pool: Pool) -> IntArray:
    """Order by docno, comparing code points (which gives the same order as bytes)."""
    return np.arange(len(pool))


def reads_ranks(ordering: str) -> bool:
    """Return whether an ordering needs the ranks of docs in the runs."""
    return bool(_ordering_of(ordering).entry.about["reads_ranks"])


def takes_seed(ordering: str) -> bool:
    """Return whether an ordering depends on a seed."""
    return "seed" in _ordering_of(ordering).entry.takes


def order_docs(pool: Pool, ordering: str, *, topic: str, seed: int) -> tuple[str, ...]:
    """Return the docnos of a pool in one of `ORDERINGS`.

    Parameters
    ----------
    pool : Pool
        The pool.
    ordering : str
        A name in `ORDERINGS`.
    topic : str
        The topic; topic and seed together determine a random order.
    seed : int
        The seed, of the pools or of one assessor's assignment.

    Raises
    ------
    UnknownNameError
        If there is no such ordering.
    """
    places: IntArray = _ordering_of(ordering)(pool, topic=topic, seed=seed)
    return tuple(pool.docs[place] for place in places.tolist())


@cache
def _ordering_of(ordering: str) -> Named[OrderingFunction]:
    """Look up an ordering by name; cached, because HITs request it tens of thousands of times."""
    return ORDERINGS.get(ordering)
