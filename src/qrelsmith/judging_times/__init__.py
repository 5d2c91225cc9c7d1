"""Speed of assessors: criteria for each pair of assessor and topic, from judging times."""

from qrelsmith.judging_times.caps import NO_CAPS, PAPER_CAPS, Caps
from qrelsmith.judging_times.criteria import CRITERIA, Criteria, criteria
from qrelsmith.judging_times.intervals import JudgingIntervals, intervals
from qrelsmith.judging_times.logs import JudgingLog

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
