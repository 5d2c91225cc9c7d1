"""Pools, which list the docs to be judged for each topic in order, and pool files."""

from qrelsmith.collection.pools.orderings import ORDERINGS, OrderingFunction, order_docs
from qrelsmith.collection.pools.pools import Pool, pool_rankings

__all__ = ["ORDERINGS", "OrderingFunction", "Pool", "order_docs", "pool_rankings"]
