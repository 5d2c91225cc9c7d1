"""What is to be judged, and in which order: depth-k pools and the orderings of their docs."""

from qrelsmith.pooling.orderings import ORDERINGS, OrderingFunction, order_docs
from qrelsmith.pooling.pools import Pool, pool_rankings

__all__ = ["ORDERINGS", "OrderingFunction", "Pool", "order_docs", "pool_rankings"]
