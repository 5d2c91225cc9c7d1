"""Pools: the docs that are to be judged, and who brought them."""

from qrelsmith.pooling.contributions import Contributions, contributions

__all__ = ["Contributions", "contributions"]
