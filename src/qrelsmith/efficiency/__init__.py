"""How fast assessors judge: criteria of each (assessor, topic), from the times of the judgments."""

from qrelsmith.efficiency.caps import NO_CAPS, PAPER_CAPS, Caps
from qrelsmith.efficiency.criteria import CRITERIA, Criteria, criteria
from qrelsmith.efficiency.intervals import JudgingIntervals, intervals
from qrelsmith.efficiency.logs import JudgingLog

__all__ = [
    "CRITERIA",
    "NO_CAPS",
    "PAPER_CAPS",
    "Caps",
    "Criteria",
    "JudgingIntervals",
    "JudgingLog",
    "criteria",
    "intervals",
]
