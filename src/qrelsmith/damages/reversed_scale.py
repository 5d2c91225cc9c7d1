"""Topics whose grades are on a reversed scale."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.scipy_parts import special
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.row_correlations import row_correlations
from qrelsmith.damages.spoiled_labels import whole_topics

LEAST_DOCS = 10
HIGHEST = -0.2


@DAMAGES.add(
    "reversed",
    culprit="topic",
    sentence="the grades of topic {names} contradict the reference, as if the scale were reversed "
    "(correlation {value:.2f})",
    otherwise="one of the two judges understood the topic as its opposite",
    action="reverse the scale of this topic, or judge it again",
    mirrored="same",
    spoils=whole_topics,
    formula="Fisher's z of the correlation of within-topic ranks, below 0",
    source="Fisher 1921",
)
def reversed_scale(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find topics whose grades correlate negatively with the grades of another set.

    Null: the correlation is at least 0. Value: the correlation of the ranks within the topic, if at
    most −.2.

    Candidates: each topic in which both sets have more than one grade.
    """
    mine, theirs = labels.topic_ranks(examined), labels.topic_ranks(other)
    r, count = row_correlations(mine, theirs)
    chosen = np.flatnonzero(np.isfinite(r) & (count >= LEAST_DOCS))
    z = np.arctanh(np.clip(r[chosen], -0.999, 0.999)) * np.sqrt(count[chosen] - 3)
    return Evidence.of(
        [(topic,) for topic in chosen.tolist()],
        r[chosen],
        special.ndtr(z),
        large=r[chosen] <= HIGHEST,
    )
