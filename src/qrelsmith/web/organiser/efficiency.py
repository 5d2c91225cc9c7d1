"""The time per judgment: active time if it is logged, otherwise wall-clock time."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.scales import levels_seen
from qrelsmith.judging_times.efficiency import efficiency
from qrelsmith.judging_times.judging_efficiency import JudgingEfficiency, judging_efficiency
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.web.project import current_instance

RELEVANT = 1.0


def efficiency_of(judgments: Judgments) -> JudgingEfficiency:
    """Return the efficiency of every (assessor, topic).

    Active time is used if it is known for every judgment that has a time. Otherwise wall-clock time
    is used, without intervals above three minutes.
    """
    high = highly_relevant(judgments)
    if not len(judgments):  # no judgments yet
        return judging_efficiency(judgments, relevant=RELEVANT, high=high)
    return efficiency(
        judgments,
        relevant=RELEVANT,
        high=high,
        clock="active" if _has_active_times(judgments) else "wall",
    ).judging


def highly_relevant(judgments: Judgments) -> float:
    """Return the lowest highly relevant grade: the scale's top or, if undefined, the top label."""
    scale = current_instance().campaign.scale
    top = max(levels_seen(judgments.grade), default=0.0) if scale is None else scale.top
    return max(float(top), RELEVANT)


def _has_active_times(judgments: Judgments) -> bool:
    if judgments.active_ms is None or judgments.shown_at is None:
        return False
    timed = ~np.isnat(judgments.shown_at) & (judgments.grade != -1)
    return bool((~np.isnan(judgments.active_ms[timed])).all())
