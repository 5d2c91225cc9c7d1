"""Agreement of the labels of a campaign: all in all, and by topic, pair, assessor or group."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from qrelsmith.agreement import COEFFICIENTS, bootstrap_interval, mean_over_topics, pairwise
from qrelsmith.arrays import FloatArray
from qrelsmith.data.judgment_events import Judgments
from qrelsmith.errors import UsageError, quoted
from qrelsmith.rng import rng_for
from qrelsmith.scales import Scale

Undefined = Literal["nan", "one", "zero"]
_BETWEEN = " ~ "
_FOR_TWO = ("kappa", "kappa-linear", "kappa-quadratic")


@dataclass(frozen=True, slots=True)
class ScopedAgreement:
    """A coefficient on a part of the labels.

    Attributes
    ----------
    scope : str
        `all`, `mean` (over topics), a topic, an assessor, a group, or two of them with ` ~ `.
    coefficient : str
        Its name.
    value : float
        The coefficient; nan where it is undefined.
    low, high : float
        95 % interval from a bootstrap over docs (over topics for `mean`); nan where there is none.
    units : int
        Docs with at least two labels, over all topics.
    assessors : int
        Assessors with such docs.
    """

    scope: str
    coefficient: str
    value: float
    low: float
    high: float
    units: int
    assessors: int


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """How agreement is computed.

    Attributes
    ----------
    coefficient : str
        A name of `COEFFICIENTS`.
    scale : Scale or None
        The levels; None: from 0 to the highest grade where all grades are whole, else those seen.
    undefined : str
        What stands for 0/0.
    errors : str
        What the code −2 is: `missing` or the grade 0 (`nonrelevant`).
    resamples : int
        Bootstrap samples behind an interval; 0: no intervals.
    seed : int
        Seed of the bootstrap.
    """

    coefficient: str = "alpha-ordinal"
    scale: Scale | None = None
    undefined: Undefined = "nan"
    errors: Literal["missing", "nonrelevant"] = "missing"
    resamples: int = 1000
    seed: int = 0


class LabelAgreement:
    """The ratings of a campaign, and their agreement in parts.

    Parameters
    ----------
    judgments : Judgments
        The labels; of each assessor the current grade of a doc counts.
    options : AgreementOptions
        How agreement is computed.
    """

    def __init__(self, judgments: Judgments, options: AgreementOptions) -> None:
        ratings = judgments.ratings(errors=options.errors)
        self._judgments = judgments
        self._options = options
        self._values = ratings.values
        self.assessors = ratings.assessors
        self._topics = np.array([topic for topic, _ in ratings.units], dtype=object)
        self._levels = _levels(ratings.values, options.scale)

    def overall(self) -> ScopedAgreement:
        """All labels together."""
        named = COEFFICIENTS.get(self._options.coefficient)
        if named.entry.name in _FOR_TWO and len(self.assessors) > 2:
            # Cohen's κ is for two assessors; light, fleiss and conger are for more.
            return ScopedAgreement("all", named.label, math.nan, math.nan, math.nan, 0, 0)
        return self._of("all", self._values)

    def by_topic(self) -> Iterator[ScopedAgreement]:
        """The mean over the topics, and every topic."""
        options = self._options
        found = mean_over_topics(
            self._values,
            self._topics.astype(str),
            options.coefficient,
            scale=self._levels,
            undefined=options.undefined,
            rng=rng_for(options.seed, "agree", options.coefficient, "mean")
            if options.resamples
            else None,
            resamples=max(options.resamples, 1),
        )
        yield ScopedAgreement(
            scope="mean",
            coefficient=found.coefficient,
            value=found.value,
            low=found.low,
            high=found.high,
            units=int(found.units.sum()),
            assessors=len(self.assessors),
        )
        for topic in sorted(set(self._topics.tolist())):
            yield self._of(topic, self._values[:, self._topics == topic])

    def by_pair(self) -> Iterator[ScopedAgreement]:
        """Every two assessors, on the docs that both labelled."""
        for first, second in combinations(range(len(self.assessors)), 2):
            both = self._values[[first, second]]
            both = both[:, ~np.isnan(both).any(axis=0)]
            yield self._of(self.assessors[first] + _BETWEEN + self.assessors[second], both)

    def by_assessor(self) -> Iterator[ScopedAgreement]:
        """Every assessor: the mean of the coefficient with each of the others, without interval."""
        values, units = self._pairwise()
        for place, assessor in enumerate(self.assessors):
            others = np.delete(values[place], place)
            yield self._mean(assessor, others, int(np.delete(units[place], place).max(initial=0)))

    def by_group(self) -> Iterator[ScopedAgreement]:
        """Every group, and the mean over the pairs of assessors between two groups.

        Raises
        ------
        UsageError
            If the judgments name no groups, or an assessor is in two.
        """
        groups = self._groups()
        values, units = self._pairwise()
        for name, members in sorted(groups.items()):
            if len(members) > 1:
                yield self._of(name, self._values[members])
        for first, second in combinations(sorted(groups), 2):
            cells = np.ix_(groups[first], groups[second])
            yield self._mean(
                first + _BETWEEN + second, values[cells].ravel(), int(units[cells].max())
            )

    def _of(self, scope: str, values: FloatArray) -> ScopedAgreement:
        options = self._options
        measure: Callable[..., object] = COEFFICIENTS.get(options.coefficient)
        if options.resamples:
            result = bootstrap_interval(
                values,
                options.coefficient,
                rng=rng_for(options.seed, "agree", options.coefficient, scope),
                scale=self._levels,
                undefined=options.undefined,
                resamples=options.resamples,
            )
        else:
            result = measure(values, scale=self._levels, undefined=options.undefined)  # type: ignore[assignment]
        return ScopedAgreement(
            scope=scope,
            coefficient=result.coefficient,
            value=result.value,
            low=result.low,
            high=result.high,
            units=result.units,
            assessors=result.assessors,
        )

    def _mean(self, scope: str, values: FloatArray, units: int) -> ScopedAgreement:
        known = values[~np.isnan(values)]
        return ScopedAgreement(
            scope=scope,
            coefficient=COEFFICIENTS.label(self._options.coefficient),
            value=float(known.mean()) if known.size else math.nan,
            low=math.nan,
            high=math.nan,
            units=units,
            assessors=known.size + 1,
        )

    def _pairwise(self) -> tuple[FloatArray, np.ndarray]:
        found = pairwise(
            self._values,
            self._options.coefficient,
            scale=self._levels,
            undefined=self._options.undefined,
        )
        return found.values, found.units

    def _groups(self) -> dict[str, list[int]]:
        """The places of the assessors of each group."""
        if self._judgments.group is None:
            raise UsageError("the judgments name no groups; expected a column `group`")
        group_of: dict[int, str] = {}
        pairs = zip(self._judgments.assessor.tolist(), self._judgments.group, strict=True)
        for assessor, group in pairs:
            if group_of.setdefault(assessor, group) != group:
                raise UsageError(
                    f"assessor {quoted(self.assessors[assessor])} is in the groups"
                    f" {quoted(group_of[assessor])} and {quoted(group)}; expected one"
                )
        groups: dict[str, list[int]] = {}
        for assessor, group in sorted(group_of.items()):
            groups.setdefault(group, []).append(assessor)
        return groups


BREAKDOWNS: dict[str, Callable[[LabelAgreement], Iterator[ScopedAgreement]]] = {
    "topic": LabelAgreement.by_topic,
    "pair": LabelAgreement.by_pair,
    "assessor": LabelAgreement.by_assessor,
    "group": LabelAgreement.by_group,
}


def _levels(values: FloatArray, scale: Scale | None) -> Sequence[float] | None:
    """The levels of the scale: given, or 0 to the highest grade where all grades are whole."""
    if scale is not None:
        return scale.levels
    known = values[~np.isnan(values)]
    if known.size and (known == np.floor(known)).all() and known.max() <= 100_000:
        return tuple(float(level) for level in range(int(known.max()) + 1))
    return None
