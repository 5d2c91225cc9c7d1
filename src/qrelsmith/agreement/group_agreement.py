"""Agreement topic by topic between groups, environments, and assessors and groups, and its test.

ordering-gold-bronze, section 5 (Tables 5, 6 and 7).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.agreement.label_agreement import (
    AgreementOptions,
    LabelAgreement,
    ScopedAgreement,
    TopicPair,
)
from qrelsmith.agreement.scoped_agreement import BETWEEN
from qrelsmith.agreement.topic_interval import bounds_of
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.judgments.environments import Session, sessions_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.effects import residual_variance_one_way
from qrelsmith.stats.population import mean_interval
from qrelsmith.stats.unpaired_tukey import unpaired_tukey

#: Between what agreement is asked for, and the scopes that a pair of sessions belongs to.
GROUP_BREAKDOWNS: dict[str, Callable[[Session, Session], Sequence[tuple[str, str]]]] = {
    "group-pair": lambda a, b: _pair(a.group, b.group),
    "environment-pair": lambda a, b: _pair(a.environment, b.environment),
    "assessor-group": lambda a, b: [
        (one.assessor, other.group)
        for one, other in ((a, b), (b, a))
        if a.group and b.group and a.group != b.group
    ],
}


@dataclass(frozen=True, slots=True, eq=False)
class TopicValues:
    """A coefficient between two sides, topic by topic.

    Attributes
    ----------
    scope : str
        The two sides with ` ~ ` between them.
    topics : tuple of str
        The topics on which both sides have labels.
    values : float array [topic]
        The coefficient, the mean over the pairs of assessors of the two sides; nan where no pair
        has a value.
    units : int
        Docs that two assessors of the two sides labelled (of several pairs on a topic the most).
    assessors : int
        The assessors of both sides.
    pairs : int
        Pairs of labels of one doc, one of each side.
    """

    scope: str
    topics: tuple[str, ...]
    values: FloatArray
    units: int
    assessors: int
    pairs: int = 0

    @property
    def known(self) -> FloatArray:
        """The values that there are."""
        return self.values[~np.isnan(self.values)]


@dataclass(frozen=True, slots=True)
class ScopesCompared:
    """The mean agreement of two scopes compared.

    Attributes
    ----------
    first, second : str
        The scopes.
    topics : (int, int)
        Topics with a value.
    means : (float, float)
        Means over these topics.
    difference, p, effect_size : float
        Of the unpaired Tukey HSD test; the effect size is ES_E1.
    """

    first: str
    second: str
    topics: tuple[int, int]
    means: tuple[float, float]
    difference: float
    p: float
    effect_size: float


def topic_values(agreement: LabelAgreement, judgments: Judgments, by: str) -> list[TopicValues]:
    """The agreement of every scope, topic by topic; scopes sorted.

    Parameters
    ----------
    agreement : LabelAgreement
        The labels.
    judgments : Judgments
        The same, with groups and orderings.
    by : str
        One of `GROUP_BREAKDOWNS`.

    Raises
    ------
    UsageError
        If the judgments name no groups.
    UndefinedError
        If no two sides have judged a topic.
    """
    if judgments.group is None:
        raise UsageError("the judgments name no groups; expected a column `group`")
    sessions = {(s.assessor, s.topic): s for s in sessions_of(judgments.current()).sessions}
    by_scope: dict[tuple[str, str], dict[str, list[TopicPair]]] = {}
    for pair in agreement.pairs_by_topic():
        if not pair.units:
            continue
        a, b = (sessions[name, pair.topic] for name in (pair.first, pair.second))
        for scope in GROUP_BREAKDOWNS[by](a, b):
            by_scope.setdefault(scope, {}).setdefault(pair.topic, []).append(pair)
    if not by_scope:
        raise UndefinedError(f"no doc was judged by two sides of one {by}")
    return [
        TopicValues(
            scope=BETWEEN.join(scope),
            topics=tuple(pairs),
            values=np.array([_mean([pair.value for pair in of]) for of in pairs.values()]),
            units=sum(max(pair.units for pair in of) for of in pairs.values()),
            assessors=len({n for of in pairs.values() for p in of for n in (p.first, p.second)}),
            pairs=sum(pair.units for of in pairs.values() for pair in of),
        )
        for scope, pairs in sorted(by_scope.items())
    ]


def mean_agreement(values: TopicValues, options: AgreementOptions) -> ScopedAgreement:
    """The mean over the topics of a scope, with a 95 % interval over topics (Student's t).

    Parameters
    ----------
    values : TopicValues
        The topics.
    options : AgreementOptions
        The coefficient; no resamples: no interval.
    """
    defined, named = values.known, COEFFICIENTS.get(options.coefficient)
    lost = values.values.size - defined.size
    notes = []
    if lost:
        notes.append(
            f"undefined in {lost} of {values.values.size} topics, which the mean leaves out"
        )
    low = high = math.nan
    if options.resamples:
        interval = mean_interval(defined, bounds=bounds_of(named))
        low, high = float(interval.low), float(interval.high)
        notes += [interval.reason] if interval.reason else []
    return ScopedAgreement(
        scope=values.scope,
        coefficient=named.label,
        value=_mean(defined.tolist()),
        low=low,
        high=high,
        units=values.units,
        assessors=values.assessors,
        note="; ".join(notes),
        pairs=values.pairs,
        over="topics" if options.resamples else "",
        topics=defined.size,
    )


def compared_scopes(scopes: Sequence[TopicValues]) -> tuple[list[ScopesCompared], float]:
    """Unpaired Tukey HSD over the topics' values of every scope, and its residual variance V_E1.

    Scopes without a value are left out. As in the paper, topics that two scopes share are not
    paired: the test is for scopes of different topics.

    Raises
    ------
    UndefinedError
        If fewer than two scopes have a value.
    """
    nonempty = [values for values in scopes if values.known.size]
    if len(nonempty) < 2:
        raise UndefinedError(
            f"a test takes two scopes with a value or more; there are {len(nonempty)}"
        )
    samples = [values.known for values in nonempty]
    result = unpaired_tukey(samples)
    rows = [
        ScopesCompared(
            first=nonempty[a].scope,
            second=nonempty[b].scope,
            topics=(samples[a].size, samples[b].size),
            means=(float(samples[a].mean()), float(samples[b].mean())),
            difference=float(result.difference[pair]),
            p=float(result.p[pair]),
            effect_size=float(result.effect_size[pair]),
        )
        for pair, (a, b) in enumerate(combinations(range(len(nonempty)), 2))
    ]
    return rows, residual_variance_one_way(samples)


def _pair(first: str, second: str) -> list[tuple[str, str]]:
    """Two different sides in the order of their names; none if one has no name."""
    if not first or not second or first == second:
        return []
    return [(min(first, second), max(first, second))]


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
