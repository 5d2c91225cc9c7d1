"""Whether the rankings under a label set and the reference can be compared."""

from __future__ import annotations

import numpy as np

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.wording import count

_ROUNDING = 1e-12  # scores closer than this are treated as equal


def ranking_obstacle(inputs: AuditInputs, name: str) -> str:
    """Return why rankings under a set and the reference cannot be compared, or an empty string."""
    if not inputs.runs:
        return "there are no runs to rank"
    if len(inputs.runs) == 1:
        return "there is only one run to rank"
    topics = inputs.topics_with_reference(name)
    if not topics:
        return f"no topic in common with {inputs.reference}"
    for each in (inputs.reference, name):
        if not (inputs.label_sets[each].restricted_to(topics).grade >= 0).any():
            where = count(len(topics), "topic", "topics")
            return f"{each} grades no doc of the {where} in common"
    return ""


def same_scores(inputs: AuditInputs, name: str) -> bool:
    """Return whether every system has the same score under both label sets, except for rounding.

    Equal labels may be summed in a different order if the sets have different topics or docs.
    """
    first, second = inputs.scores_beside(name, inputs.measures[0])
    return np.allclose(first.scores, second.scores, rtol=0.0, atol=_ROUNDING, equal_nan=True)
