"""Pools: the docs to judge, and the runs that returned them."""

from qrelsmith.pooling.contributions import Contributions, contributions

__all__ = ["Contributions", "contributions"]
