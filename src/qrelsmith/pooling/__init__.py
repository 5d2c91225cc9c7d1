"""What is to be judged, in which order, and by whom."""

from qrelsmith.pooling.contributions import Contributions, contributions

__all__ = [
    "Contributions",
    "contributions",
]
