"""Agreement by topic between groups, environments, or assessors and groups, with a test.

ordering-gold-bronze, section 5 (Tables 5, 6 and 7).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.agreement.label_agreement import AgreementOptions, LabelAgreement, ScopedAgreement
from qrelsmith.agreement.scoped_agreement import BETWEEN
from qrelsmith.agreement.topic_interval import bounds_of
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.judgments.environments import Session, sessions_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.effects import residual_variance_one_way
from qrelsmith.stats.population import mean_interval
from qrelsmith.stats.unpaired_tukey import unpaired_tukey

#: Kinds of pairs for which agreement is computed.
GROUP_BREAKDOWNS = ("group-pair", "environment-pair", "assessor-group")


@dataclass(frozen=True, slots=True, eq=False)
class TopicValues:
    """The values of a coefficient between two sides (assessors or groups), topic by topic.

    Attributes
    ----------
    scope : str
        The two sides with ` ~ ` between them.
    topics : tuple of str
        The topics on which both sides have labels.
    values : float array [topic]
        The mean of the coefficient over pairs of assessors from the two sides; nan if no pair has a
        value.
    units : int
        Docs labelled by an assessor of each side (per topic, the maximum over pairs).
    assessors : int
        The number of assessors of both sides.
    pairs : int
        Number of pairs of labels of one doc, one label from each side.
    """

    scope: str
    topics: tuple[str, ...]
    values: FloatArray
    units: int
    assessors: int
    pairs: int = 0

    @property
    def known(self) -> FloatArray:
        """The values of the topics where the coefficient is defined."""
        return self.values[~np.isnan(self.values)]


@dataclass(frozen=True, slots=True)
class ScopesCompared:
    """A comparison of the mean agreement of two scopes.

    Attributes
    ----------
    topics : (int, int)
        Topics with a value.
    means : (float, float)
        Means over these topics.
    difference, p, effect_size : float
        The difference of the means, and the p-value and effect size (ES_E1) of the unpaired Tukey
        HSD test.
    """

    first: str
    second: str
    topics: tuple[int, int]
    means: tuple[float, float]
    difference: float
    p: float
    effect_size: float


def topic_values(agreement: LabelAgreement, judgments: Judgments, by: str) -> list[TopicValues]:
    """Return the agreement of every scope, topic by topic; the scopes are sorted.

    Parameters
    ----------
    agreement : LabelAgreement
        The labels.
    judgments : Judgments
        The same labels, with groups and orderings.
    by : str
        One of `GROUP_BREAKDOWNS`.

    Raises
    ------
    UsageError
        If the judgments name no groups.
    UndefinedError
        If no topic was judged by two sides.
    """
    if judgments.group is None:
        raise UsageError("the judgments have no groups; expected a column `group`")
    sessions = {(s.assessor, s.topic): s for s in sessions_of(judgments.current()).sessions}
    by_scope: dict[tuple[str, str], list[_OfTopic]] = {}
    for topic, names, pairs in agreement.pairs_by_topic():
        for scope, a, b in _scopes(by, [sessions[name, topic] for name in names]):
            units = pairs.units[np.ix_(a, b)]
            if not units.any():
                continue
            values = pairs.values[np.ix_(a, b)]
            members = [*a[units.any(axis=1)].tolist(), *b[units.any(axis=0)].tolist()]
            part = _OfTopic(topic, values[units > 0], units, {names[place] for place in members})
            by_scope.setdefault(scope, []).append(part)
    if not by_scope:
        raise UndefinedError(
            f"no doc was judged by two groups with the same {by}; expected at least one"
        )
    return [
        TopicValues(
            scope=BETWEEN.join(scope),
            topics=tuple(each.topic for each in parts),
            values=np.array([_mean(each.values) for each in parts]),
            units=sum(int(each.units.max()) for each in parts),
            assessors=len(set().union(*(each.assessors for each in parts))),
            pairs=sum(int(each.units.sum()) for each in parts),
        )
        for scope, parts in sorted(by_scope.items())
    ]


class _OfTopic(NamedTuple):
    """On one topic, the values and units of all pairs between two sides, and their assessors."""

    topic: str
    values: FloatArray
    units: IntArray
    assessors: set[str]


def _scopes(
    by: str, sessions: Sequence[Session]
) -> Iterator[tuple[tuple[str, str], IntArray, IntArray]]:
    """Find the scopes of a topic's sessions, with the session indices of both sides."""
    sides: dict[str, list[int]] = {}
    for place, session in enumerate(sessions):
        name = session.environment if by == "environment-pair" else session.group
        if name:
            sides.setdefault(name, []).append(place)
    members = {name: np.array(places) for name, places in sorted(sides.items())}
    if by != "assessor-group":
        for first, second in combinations(members, 2):
            yield (first, second), members[first], members[second]
        return
    for place, session in enumerate(sessions):
        for group, of_group in members.items():
            if session.group and session.group != group:
                yield (session.assessor, group), np.array([place]), of_group


def mean_agreement(values: TopicValues, options: AgreementOptions) -> ScopedAgreement:
    """Return the mean over the topics of a scope, with a 95% interval over topics (Student's t).

    Parameters
    ----------
    values : TopicValues
        The topics.
    options : AgreementOptions
        The coefficient and its options; if `resamples` is 0, no interval is computed.
    """
    defined, named = values.known, COEFFICIENTS.get(options.coefficient)
    lost = values.values.size - defined.size
    notes = []
    if lost:
        notes.append(
            f"the mean leaves out {lost} of {values.values.size} topics, in which the coefficient"
            " is undefined"
        )
    low = high = math.nan
    if options.resamples:
        interval = mean_interval(defined, bounds=bounds_of(named))
        low, high = float(interval.low), float(interval.high)
        notes += [interval.reason] if interval.reason else []
    return ScopedAgreement(
        scope=values.scope,
        coefficient=named.label,
        value=_mean(defined),
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
    """Compare all scopes by unpaired Tukey HSD over topics; also return residual variance.

    Scopes without a value are left out. As in the paper, topics that two scopes share are not
    paired, because the test assumes different topics.

    Raises
    ------
    UndefinedError
        If fewer than two scopes have a value.
    """
    nonempty = [values for values in scopes if values.known.size]
    if len(nonempty) < 2:
        raise UndefinedError(
            f"found {len(nonempty)} groups with a value; expected at least 2 for a test"
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


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.sum() / known.size) if known.size else math.nan
