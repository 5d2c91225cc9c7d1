"""Conversion of grades on one scale into grades on another.

Every operation leaves nan and codes below 0 unchanged, and describes itself in `label`.
"""

from qrelsmith.judgments.scale_operations.cuts import NAMED_CUTS, Cuts, Reduction
from qrelsmith.judgments.scale_operations.extension import Extension, keyed_draws
from qrelsmith.judgments.scale_operations.logarithm import log_sum, log_sum_scale
from qrelsmith.judgments.scale_operations.relabelling import Relabelling

__all__ = [
    "NAMED_CUTS",
    "Cuts",
    "Extension",
    "Reduction",
    "Relabelling",
    "keyed_draws",
    "log_sum",
    "log_sum_scale",
]
