"""Combination of several grades of one unit into one grade."""

# The families of aggregations are registered on import.
from qrelsmith.base.registration import load_modules
from qrelsmith.judgments.aggregation.dawid_skene import DawidSkeneResult, dawid_skene
from qrelsmith.judgments.aggregation.order import highest, lowest, majority, median
from qrelsmith.judgments.aggregation.registry import AGGREGATIONS, Aggregation, checked_ratings
from qrelsmith.judgments.aggregation.totals import log_of_sum, mean, total

__all__ = [
    "AGGREGATIONS",
    "Aggregation",
    "DawidSkeneResult",
    "checked_ratings",
    "dawid_skene",
    "highest",
    "log_of_sum",
    "lowest",
    "majority",
    "mean",
    "median",
    "total",
]

# A new file needs no line above.
load_modules(__name__, __path__, "@AGGREGATIONS.add(")
