"""Effectiveness measures, which turn arrays of grades into arrays of scores."""

from qrelsmith.base.registration import load_modules
from qrelsmith.evaluation.measures import answers, binary, cascade, elsewhere, graded, ideal
from qrelsmith.evaluation.measures.registry import (
    MEASURES,
    MeasureFunction,
    is_computed_elsewhere,
    is_of_answers,
    looks_at_gains,
    needs_gmax,
)

__all__ = [
    "MEASURES",
    "MeasureFunction",
    "answers",
    "binary",
    "cascade",
    "elsewhere",
    "graded",
    "ideal",
    "is_computed_elsewhere",
    "is_of_answers",
    "looks_at_gains",
    "needs_gmax",
]

# New files need no import here.
load_modules(__name__, __path__, "@MEASURES.add(")
