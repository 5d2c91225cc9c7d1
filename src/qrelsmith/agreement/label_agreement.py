"""Agreement of the labels of a campaign: overall, and by topic, pair, assessor or group."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np

from qrelsmith.agreement import (
    COEFFICIENTS,
    AgreementResult,
    PairwiseAgreement,
    agreement_interval,
    mean_over_topics,
    pairwise,
)
from qrelsmith.agreement.assessor_groups import group_places
from qrelsmith.agreement.labels import Labels
from qrelsmith.agreement.pair_tables import (
    PairAgreement,
    label_pairs,
    pair_estimator,
    pairs_of_each,
)
from qrelsmith.agreement.rating_levels import check_not_displayed, levels_to_the_top
from qrelsmith.agreement.registry import UNDEFINED_REASON
from qrelsmith.agreement.scoped_agreement import (
    BETWEEN,
    AgreementOptions,
    ScopedAgreement,
    Undefined,
)
from qrelsmith.agreement.topic_interval import topics_of_units
from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.judgments.judgment_events import Judgments

__all__ = ["BREAKDOWNS", "AgreementOptions", "LabelAgreement", "ScopedAgreement", "Undefined"]

_NO_INTERVAL = (
    "a mean over pairs of assessors has no interval; for groups, use --by group-pair, which has"
    " intervals over topics"
)


class LabelAgreement:
    """The ratings of a campaign, and their agreement by scope.

    Parameters
    ----------
    judgments : Judgments
        The labels; only the current grade per assessor and doc counts.
    options : AgreementOptions
        How agreement is computed.

    Attributes
    ----------
    assessors : tuple of str
        The assessors, sorted.
    assumed_top : float or None
        The assumed highest level, if the coefficient depends on it and no scale was given.

    Raises
    ------
    UnknownNameError
        If there is no such coefficient.
    UsageError
        If −2 should count as 0 but the scale has no 0.
    """

    def __init__(self, judgments: Judgments, options: AgreementOptions) -> None:
        named = COEFFICIENTS.get(options.coefficient)
        ratings = judgments.ratings(errors=options.errors)
        self._current = judgments.current()
        self._options = options
        self._label = named.label
        self._about = named.entry.about
        self._most = self._about["raters"] or len(ratings.assessors)
        self._values = ratings.values
        self.assessors = ratings.assessors
        self._docs = np.array([doc for _, doc in ratings.units], dtype=object)
        self._topics = np.array([topic for topic, _ in ratings.units], dtype=str)
        self._topic = topics_of_units(self._topics, self._topics.size)[1]
        self._levels: Sequence[float] | None = None
        self.assumed_top: float | None = None
        if options.scale is not None:
            check_not_displayed(self._current, options.scale, options.errors)
            self._levels = options.scale.levels
        elif self._about["scale_matters"]:
            self._levels = levels_to_the_top(ratings.values)
            self.assumed_top = None if self._levels is None else self._levels[-1]

    def overall(self) -> ScopedAgreement:
        """All labels together."""
        return self._of("all", np.ones(self._docs.size, dtype=bool))

    def by_topic(self) -> Iterator[ScopedAgreement]:
        """Return the mean agreement over topics, and the agreement on each topic."""
        options = self._options
        topics = sorted(set(self._topics.tolist()))
        values = self._values
        for topic in topics:
            if len(_active(values[:, self._topics == topic])) > self._most:
                values = values.copy() if values is self._values else values
                values[:, self._topics == topic] = np.nan
        mean = mean_over_topics(
            values,
            self._topics,
            options.coefficient,
            scale=self._levels,
            undefined=options.undefined,
        )
        notes = []
        if mean.skipped:
            notes.append(
                f"the mean leaves out {mean.skipped} of {len(topics)} topics, in which the"
                " coefficient is undefined"
            )
        if options.resamples and mean.reason:
            notes.append(mean.reason)
        units = (~np.isnan(values)).sum(axis=0) >= 2
        yield ScopedAgreement(
            scope="mean",
            coefficient=mean.coefficient,
            value=mean.value,
            low=mean.low if options.resamples else math.nan,
            high=mean.high if options.resamples else math.nan,
            units=int(mean.units.sum()),
            assessors=len(_active(values[:, units])),
            note="; ".join(notes),
            pairs=label_pairs(~np.isnan(values)),
            over="topics" if options.resamples else "",
            topics=mean.defined,
        )
        for topic in topics:
            kept: BoolArray = self._topics == topic
            yield self._of(topic, kept)

    def by_pair(self) -> Iterator[ScopedAgreement]:
        """Return the agreement of all pairs of assessors, on the docs that both labelled."""
        options = self._options
        named, labels = COEFFICIENTS.get(options.coefficient), None
        if not options.resamples or options.over == "topics":
            labels = Labels.of(self._values, scale=self._levels)
        if labels is None or pair_estimator(named, labels, undefined=options.undefined) is None:
            for first, second in combinations(self.assessors, 2):
                yield self.pair(first, second)
            return
        for row in pairs_of_each(
            named, labels, self._topic, np.unique(self._topics),
            undefined=options.undefined, has_interval=bool(options.resamples),
        ):  # fmt: skip
            yield from self._pairs_of(row)

    def _pairs_of(self, pairs: PairAgreement) -> Iterator[ScopedAgreement]:
        """Return the agreement of an assessor with each assessor that follows in the list."""
        columns = (pairs.value, pairs.expected, pairs.units, pairs.topics, pairs.low, pairs.high)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        own = self.assessors[pairs.first]
        for place, (value, expected, units, topics, low, high) in enumerate(rows):
            other = self.assessors[pairs.second[place]]
            if not units:
                yield self.pair(own, other)
                continue
            yield ScopedAgreement(
                scope=own + BETWEEN + other,
                coefficient=self._label,
                value=value,
                low=low,
                high=high,
                units=units,
                assessors=2,
                note=UNDEFINED_REASON if expected == 0 else pairs.reasons[place],
                pairs=units,
                over="topics" if self._options.resamples else "",
                topics=topics,
            )

    def pair(self, first: str, second: str) -> ScopedAgreement:
        """Return the agreement of two assessors, on the docs that both labelled."""
        members = [self.assessors.index(first), self.assessors.index(second)]
        both = np.asarray(~np.isnan(self._values[members]).any(axis=0))
        return self._of(first + BETWEEN + second, both, members)

    def pairs_by_topic(self) -> Iterator[tuple[str, list[str], PairwiseAgreement]]:
        """Return the agreement of all pairs of assessors on every topic."""
        for topic in sorted(set(self._topics.tolist())):
            values = self._values[:, self._topics == topic]
            active = _active(values)
            pairs = pairwise(
                values[active],
                self._options.coefficient,
                scale=self._levels,
                undefined=self._options.undefined,
            )
            yield topic, [self.assessors[place] for place in active.tolist()], pairs

    def by_assessor(self) -> Iterator[ScopedAgreement]:
        """Return each assessor's mean coefficient with the other assessors, without an interval."""
        values, present = self._pairwise(), ~np.isnan(self._values)
        twice = present.sum(axis=0) >= 2
        for place, assessor in enumerate(self.assessors):
            common = present[:, present[place] & twice]
            pairs = int((common.sum(axis=0) - 1).sum())
            yield self._mean(assessor, np.delete(values[place], place), common, pairs)

    def by_group(self) -> Iterator[ScopedAgreement]:
        """Return the agreement within each group, and the mean over assessor pairs of two groups.

        Assessors without a group are skipped.

        Raises
        ------
        UsageError
            If the judgments name no groups, or an assessor is in two groups.
        """
        groups = group_places(self._current)
        values, present = self._pairwise(), ~np.isnan(self._values)
        for name, members in sorted(groups.items()):
            if len(members) > 1:
                every = np.ones(self._docs.size, dtype=bool)
                yield self._of(name, every, members)
        for first, second in combinations(sorted(groups), 2):
            a, b = groups[first], groups[second]
            both = present[a].any(axis=0) & present[b].any(axis=0)
            yield self._mean(
                first + BETWEEN + second,
                values[np.ix_(a, b)].ravel(),
                present[a + b][:, both],
                int((present[a].sum(axis=0) * present[b].sum(axis=0)).sum()),
            )

    def _of(
        self, scope: str, units: BoolArray, members: Sequence[int] | None = None
    ) -> ScopedAgreement:
        """Return the agreement of the given assessors (default: all) on the selected units."""
        values = (self._values if members is None else self._values[members])[:, units]
        active = _active(values)
        if len(active) > self._most:
            more = self._about["for_more"]
            hint = f"; coefficients for more assessors are {more}" if more else ""
            return self.undefined_part(
                scope, f"{self._label} is for {self._most} assessors, not {len(active)}{hint}"
            )
        shared = self._topic[units][(~np.isnan(values)).sum(axis=0) > 1]
        topics = int(np.count_nonzero(np.bincount(shared)))
        return ScopedAgreement.of(scope, self._measure(values, units), topics=topics)

    def _measure(self, values: FloatArray, units: BoolArray) -> AgreementResult:
        """Return the coefficient with the requested interval."""
        options = self._options
        name, scale, undefined = options.coefficient, self._levels, options.undefined
        if not options.resamples:
            measure: Callable[..., AgreementResult] = COEFFICIENTS.get(name)
            return measure(values, scale=scale, undefined=undefined)
        return agreement_interval(
            values,
            self._topics[units],
            name,
            over=options.over,
            scale=scale,
            undefined=undefined,
            docs=self._docs[units].tolist(),
            seed=options.seed,
            resamples=options.resamples,
        )

    def _mean(
        self, scope: str, values: FloatArray, present: BoolArray, pairs: int
    ) -> ScopedAgreement:
        """Return the mean over assessor pairs; `present[assessor, doc]` is true for common docs."""
        defined = values[~np.isnan(values)]
        if not defined.size:
            return self.undefined_part(scope, "no pair of assessors has a value")
        notes = []
        if left_out := values.size - defined.size:
            notes.append(
                f"{left_out} of {values.size} pairs of assessors have no value and are not in the"
                " mean"
            )
        if self._options.resamples:
            notes.append(_NO_INTERVAL)
        return ScopedAgreement(
            scope=scope,
            coefficient=self._label,
            value=float(defined.mean()),
            low=math.nan,
            high=math.nan,
            units=present.shape[1],
            assessors=int(present.any(axis=1).sum()),
            note="; ".join(notes),
            pairs=pairs,
        )

    def undefined_part(self, scope: str, note: str) -> ScopedAgreement:
        """Return a result whose value is undefined, with the reason in a note."""
        return ScopedAgreement(scope, self._label, math.nan, math.nan, math.nan, 0, 0, note)

    def _pairwise(self) -> FloatArray:
        """Return the coefficient between all pairs of assessors [assessor, assessor]."""
        return pairwise(
            self._values,
            self._options.coefficient,
            scale=self._levels,
            undefined=self._options.undefined,
        ).values


BREAKDOWNS: dict[str, Callable[[LabelAgreement], Iterator[ScopedAgreement]]] = {
    "topic": LabelAgreement.by_topic,
    "pair": LabelAgreement.by_pair,
    "assessor": LabelAgreement.by_assessor,
    "group": LabelAgreement.by_group,
}


def _active(values: FloatArray) -> IntArray:
    """Return the assessors with at least one label."""
    return np.flatnonzero((~np.isnan(values)).any(axis=1))
