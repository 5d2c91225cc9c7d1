"""What is to be judged, in which order, and by whom."""

from qrelsmith.pooling.contributions import Contributions, contributions
from qrelsmith.pooling.orderings import ORDERINGS, OrderingFunction, order_docs
from qrelsmith.pooling.pools import Pool, pool_rankings

__all__ = [
    "ORDERINGS",
    "Contributions",
    "OrderingFunction",
    "Pool",
    "contributions",
    "order_docs",
    "pool_rankings",
]
