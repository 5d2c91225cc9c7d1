"""Whether a label set and the reference can rank systems side by side."""

from __future__ import annotations

import numpy as np

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.wording import count


def ranking_obstacle(inputs: AuditInputs, name: str) -> str:
    """Why rankings under a set and the reference cannot be compared; empty if they can."""
    if len(inputs.runs) < 2:
        return f"there are {count(len(inputs.runs), 'run', 'runs')}, and nothing to rank"
    if not inputs.topics_with_reference(name):
        return f"no topic in common with {inputs.reference}"
    return ""


def same_scores(inputs: AuditInputs, name: str) -> bool:
    """Whether all systems score the same under a label set and under the reference."""
    measure = inputs.measures[0]
    first, second = inputs.scores_beside(name, measure)
    return bool(np.array_equal(first.scores, second.scores, equal_nan=True))
