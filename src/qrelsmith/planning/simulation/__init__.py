"""Simulated topics, docs, systems and assessors.

`design`, `batches`, `preference_tests`: the synthetic annotations of Chu et al. 2021, 4.1.
`multiscale`: a collection that crowds and experts labelled on several scales (Han et al. 2019).
`systems`, `assessors`, `judging_time`, `habits`, `campaign`: whole campaigns, beyond the paper.
"""

from qrelsmith.planning.simulation.assessors import (
    AssessorDesign,
    Assessors,
    draw_assessors,
    perceive,
)
from qrelsmith.planning.simulation.batches import (
    SyntheticBatch,
    batch_sigmas,
    batches,
    nearest_batches,
    simulate_batch,
)
from qrelsmith.planning.simulation.campaign import SimulatedCampaign, simulate_campaign
from qrelsmith.planning.simulation.campaign_design import CampaignDesign, GroupDesign
from qrelsmith.planning.simulation.design import Design
from qrelsmith.planning.simulation.events import Events
from qrelsmith.planning.simulation.habits import NO_HABITS, Habits, SessionLog, session_log
from qrelsmith.planning.simulation.judging_time import JudgingTime, judging_seconds
from qrelsmith.planning.simulation.multiscale import (
    CrowdLabels,
    MultiscaleCollection,
    MultiscaleDesign,
    simulate_multiscale,
)
from qrelsmith.planning.simulation.preference_tests import (
    all_tests,
    answers,
    limit_weights,
    sample_counts,
    sample_tests,
)
from qrelsmith.planning.simulation.second_round import second_round
from qrelsmith.planning.simulation.slices import slice_grades
from qrelsmith.planning.simulation.systems import Systems, rank_docs, system_scores

__all__ = [
    "NO_HABITS",
    "AssessorDesign",
    "Assessors",
    "CampaignDesign",
    "CrowdLabels",
    "Design",
    "Events",
    "GroupDesign",
    "Habits",
    "JudgingTime",
    "MultiscaleCollection",
    "MultiscaleDesign",
    "SessionLog",
    "SimulatedCampaign",
    "SyntheticBatch",
    "Systems",
    "all_tests",
    "answers",
    "batch_sigmas",
    "batches",
    "draw_assessors",
    "judging_seconds",
    "limit_weights",
    "nearest_batches",
    "perceive",
    "rank_docs",
    "sample_counts",
    "sample_tests",
    "second_round",
    "session_log",
    "simulate_batch",
    "simulate_campaign",
    "simulate_multiscale",
    "slice_grades",
    "system_scores",
]
