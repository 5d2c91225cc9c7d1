"""Effectiveness measures: arrays of grades in, arrays of scores out."""

from qrelsmith.evaluation.measures import binary, cascade, graded, ideal
from qrelsmith.evaluation.measures.registry import (
    MEASURES,
    MeasureFunction,
    looks_at_gains,
    needs_gmax,
)

__all__ = [
    "MEASURES",
    "MeasureFunction",
    "binary",
    "cascade",
    "graded",
    "ideal",
    "looks_at_gains",
    "needs_gmax",
]
