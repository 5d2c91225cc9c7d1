"""A coefficient of agreement, with an interval that generalises to a requested population."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.assessor_interval import assessor_interval, topic_assessor_interval
from qrelsmith.agreement.bootstrap import bootstrap_interval
from qrelsmith.agreement.result import AgreementResult
from qrelsmith.agreement.topic_interval import topic_interval
from qrelsmith.base.arrays import AnyArray
from qrelsmith.base.errors import ShapeError, UnknownNameError
from qrelsmith.base.rng import rng_for

POPULATIONS = ("topics", "docs", "assessors", "topics,assessors")


def agreement_interval(
    ratings: ArrayLike,
    topics: ArrayLike,
    coefficient: str = "alpha-ordinal",
    *,
    over: str = "topics",
    scale: ArrayLike | None = None,
    undefined: str = "nan",
    confidence: float = 0.95,
    docs: Sequence[str] | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> AgreementResult:
    """Return a coefficient with an interval that generalises to topics, docs or assessors.

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    topics : array_like, [unit]
        The topic of every unit.
    coefficient : str
        A name of `COEFFICIENTS`.
    over : str
        One of `POPULATIONS`: the population to generalise to.
    scale, undefined, confidence
        As in `topic_interval`.
    docs : sequence of str, optional
        The doc of every unit; only for intervals over docs, whose random draws depend on topics and
        docs.
    seed, resamples : int
        Seed and number of samples; only for intervals over docs, because other intervals are not
        random.

    Returns
    -------
    AgreementResult
        As in `topic_interval`, `bootstrap_interval`, `assessor_interval` or
        `topic_assessor_interval`. An interval over docs keeps the topics fixed, so it does not
        generalise to other topics.

    Raises
    ------
    UnknownNameError
        If there is no such population.
    ShapeError, UsageError
        As the functions named above raise them.
    """
    if over == "topics":
        return topic_interval(
            ratings, topics, coefficient, scale=scale, undefined=undefined, confidence=confidence
        )
    if over == "assessors":
        return assessor_interval(
            ratings, coefficient, scale=scale, undefined=undefined, confidence=confidence
        )
    if over == "topics,assessors":
        return topic_assessor_interval(
            ratings, topics, coefficient, scale=scale, undefined=undefined, confidence=confidence
        )
    if over != "docs":
        raise UnknownNameError("population", over, POPULATIONS)
    return bootstrap_interval(
        ratings,
        coefficient,
        rng=_rng_of_docs(np.asarray(topics), docs, seed=seed),
        scale=scale,
        undefined=undefined,
        resamples=resamples,
        confidence=confidence,
    )


def _rng_of_docs(topics: AnyArray, docs: Sequence[str] | None, *, seed: int) -> np.random.Generator:
    """Return a random generator seeded with the sorted names of topics and docs."""
    names = [str(number) for number in range(topics.size)] if docs is None else docs
    if len(names) != topics.size:
        raise ShapeError(f"docs must name {topics.size} docs, one per unit; found {len(names)}")
    keys = sorted(f"{topic}\t{doc}" for topic, doc in zip(topics.tolist(), names, strict=True))
    return rng_for(seed, "docs", *keys)
