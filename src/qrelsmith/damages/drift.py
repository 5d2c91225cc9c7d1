"""Grades that become more lenient or stricter from topic to topic."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.scipy_parts import special
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.stats.ties import average_ranks

LEAST_DOCS, LEAST_TOPICS = 5, 8
LEAST_CHANGE = 0.2


@DAMAGES.add(
    "drift",
    culprit="set",
    sentence="from first to last topic, grades change by {value:+.2f}, given the reference grade",
    otherwise="the topics are sorted by difficulty",
    action="judge some docs of early and late topics again, in mixed order",
    mirrored="value",
    formula="t of Spearman's ρ between a topic's place and its mean residual, two-sided",
    source="Spearman 1904",
)
def drift(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Test whether grades, relative to another set's grades, rise or fall from topic to topic.

    Null: a topic's mean residual does not depend on the topic's place in the order. Value: the
    change from the first topic to the last, in grades, if at least .2. A residual is a grade minus
    the set's mean grade for docs with the same grade in the other set.

    Candidate: the label set itself, if it has at least 8 topics.
    """
    residual = labels.residual(examined, other)
    count = (~np.isnan(residual)).sum(axis=1)
    chosen = count >= LEAST_DOCS
    topics = int(chosen.sum())
    if topics < LEAST_TOPICS:
        return Evidence.none()
    means = np.nansum(residual[chosen], axis=1) / count[chosen]
    place = average_ranks(labels.sequence[chosen])
    if np.ptp(means) < 1e-12:
        return Evidence.of([()], 0.0, 1.0, large=False)
    rho = float(np.clip(np.corrcoef(place, average_ranks(means))[0, 1], -0.9999, 0.9999))
    t = abs(rho) * np.sqrt((topics - 2) / (1 - rho**2))
    centred = place - place.mean()
    slope = float(centred @ means / (centred @ centred))
    rest = means - means.mean() - slope * centred
    error = np.sqrt(rest @ rest / (topics - 2) / (centred @ centred))
    change = slope * (topics - 1)
    half = float(special.stdtrit(topics - 2, 0.975)) * error * (topics - 1)
    return Evidence.of(
        [()],
        change,
        2 * special.stdtr(topics - 2, -t),
        large=abs(change) >= LEAST_CHANGE,
        low=change - half,
        high=change + half,
    )
