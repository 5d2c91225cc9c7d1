"""Pools: which docs of a topic are to be judged, in which order, and the files that say so."""

from qrelsmith.collection.pools.orderings import ORDERINGS, OrderingFunction, order_docs
from qrelsmith.collection.pools.pools import Pool, pool_rankings

__all__ = ["ORDERINGS", "OrderingFunction", "Pool", "order_docs", "pool_rankings"]
