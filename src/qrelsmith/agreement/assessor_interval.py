"""Intervals of agreement coefficients over assessors, and over topics and assessors jointly."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.labels import Labels
from qrelsmith.agreement.registry import COEFFICIENTS
from qrelsmith.agreement.result import AgreementResult
from qrelsmith.agreement.topic_interval import bounds_of, topic_interval, with_interval
from qrelsmith.base.scipy_parts import special
from qrelsmith.stats.population import jackknife_interval

FEWEST_ASSESSORS = 4


def assessor_interval(
    ratings: ArrayLike,
    coefficient: str = "alpha-ordinal",
    *,
    scale: ArrayLike | None = None,
    undefined: str = "nan",
    confidence: float = 0.95,
) -> AgreementResult:
    """Estimate a coefficient with an interval that generalises to similar assessors.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    coefficient, scale, undefined, confidence
        As in `topic_interval`.

    Returns
    -------
    AgreementResult
        With `low`, `high`, `se` and `over` = `assessors`. There is no interval with fewer than 4
        assessors, or if the coefficient is undefined without one of the assessors; `reason` then
        explains why.

    Raises
    ------
    ShapeError, UsageError
        If the coefficient raises them, or if the confidence is out of range.

    Notes
    -----
    θ ± t_{A−1}·se, where se is from the jackknife over assessors. Each assessor is left out with
    all labels.
    """
    named = COEFFICIENTS.get(coefficient)
    labels = Labels.of(ratings, scale=scale)
    grades, levels = labels.grades, labels.levels if labels.levels.size else None
    result: AgreementResult = named(ratings, scale=scale, undefined=undefined)
    without = np.full(labels.active.size, math.nan)
    if without.size >= FEWEST_ASSESSORS:
        for place, assessor in enumerate(labels.active):
            others = np.delete(grades, assessor, axis=0)
            without[place] = named(others, scale=levels, undefined=undefined).value
    interval = jackknife_interval(
        result.value,
        without,
        over="assessors",
        confidence=confidence,
        bounds=bounds_of(named),
        fewest=FEWEST_ASSESSORS,
    )
    missing = labels.active[np.isnan(without)]
    if missing.size and not interval.reason:
        interval = replace(
            interval,
            reason="no interval over assessors: without the assessor in row"
            f" {missing[0]} the coefficient is undefined",
        )
    return with_interval(result, interval, topics=0)


def topic_assessor_interval(
    ratings: ArrayLike,
    topics: ArrayLike,
    coefficient: str = "alpha-ordinal",
    *,
    scale: ArrayLike | None = None,
    undefined: str = "nan",
    confidence: float = 0.95,
) -> AgreementResult:
    """Return a coefficient with its interval over both topics and assessors.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    topics : array_like, [unit]
        The topic of every unit.
    coefficient, scale, undefined, confidence
        As in `topic_interval`.

    Returns
    -------
    AgreementResult
        With `low`, `high`, `se` and `over` = `topics,assessors`; nan if the interval over topics or
        over assessors is undefined.

    Raises
    ------
    ShapeError, UsageError
        As in `topic_interval`.

    Notes
    -----
    θ ± t_ν·se with se² = se_T² + se_A², the variances from the two jackknives, and Satterthwaite's
    ν = se⁴/(se_T⁴/(T−1) + se_A⁴/(A−1)). The interaction of topics and assessors is counted in both
    terms, so the interval is conservative.
    """
    by_topic = topic_interval(
        ratings, topics, coefficient, scale=scale, undefined=undefined, confidence=confidence
    )
    by_assessor = assessor_interval(
        ratings, coefficient, scale=scale, undefined=undefined, confidence=confidence
    )
    se = math.hypot(by_topic.se, by_assessor.se)
    least, largest = bounds_of(COEFFICIENTS.get(coefficient))
    half = 0.0
    if se != 0:
        parts = by_topic.se**4 / (by_topic.topics - 1)
        parts += by_assessor.se**4 / (by_assessor.assessors - 1)
        half = float(special.stdtrit(se**4 / parts, (1 + confidence) / 2)) * se
    return replace(
        by_topic,
        low=max(by_topic.value - half, least),
        high=min(by_topic.value + half, largest),
        se=se,
        confidence=math.nan if math.isnan(se) else confidence,
        over="topics,assessors",
        reason=by_topic.reason or by_assessor.reason,
    )
