"""A test without a specific cause: topics whose labels other sets explain far less than usual."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.scipy_parts import special
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.plain_facts import robust_scores
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.row_correlations import row_correlations

LEAST_DOCS, LEAST_TOPICS = 10, 6
LEAST_SPREAD = 0.15  # minimum spread of Fisher's z, if topics hardly differ
ODD, USUAL = 0.25, 0.35  # correlations


@DAMAGES.add(
    "unexplained",
    culprit="topic",
    sentence="the labels of topic {names} do not follow the pattern of other topics "
    "({value:.0%} of the variance is unexplained)",
    otherwise="an ambiguous topic",
    action="judge some docs of the topic again",
    mirrored="same",
    open_ended=True,
    formula="Fisher's z of the topic's correlation, against other topics' median (MAD)",
    source="ours",
)
def unexplained(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find topics with grades unrelated to another set's grades, unlike in the other topics.

    Null: a topic's correlation with the other set differs from the median of all topics no more
    than usual. Leniency in a topic does not affect the test. Value: the unexplained share of the
    variance within the topic.

    Candidates: each topic with 10 docs on which both sets vary.
    """
    r, count = row_correlations(labels.topic_ranks(examined), labels.topic_ranks(other))
    topics = np.flatnonzero(~np.isnan(r) & (count >= LEAST_DOCS))
    if len(topics) < LEAST_TOPICS:
        return Evidence.none()
    fisher = np.arctanh(np.clip(r[topics], -0.999, 0.999))
    least = np.maximum(LEAST_SPREAD, 1 / np.sqrt(count[topics] - 3))
    odd = robust_scores(fisher, least)
    usual = float(np.tanh(np.median(fisher)))
    return Evidence.of(
        [(topic,) for topic in topics.tolist()],
        1 - np.clip(r[topics], 0, 1) ** 2,
        special.stdtr(len(topics) - 2, -odd),
        large=(r[topics] < ODD) & (usual >= USUAL),
    )
