"""The best cuts of a data set: by topic, for the collection, or for all labels pooled."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.cuts import CUT_METHODS, CutAlphas, CutSets, best_cuts, closeness, source_alpha
from qrelsmith.cuts.cut_topics import ALL, CutTopics
from qrelsmith.judgments.scale_operations import Cuts

SELECTIONS = ("max", "closest", "tau")
_KEPT = 10_000_000  # maximum of topics × sets of cuts for which α is cached: 170 MB
_NO_RUNS = "selection by tau needs runs and reference qrels"
Taus = Callable[[Sequence[int]], FloatArray]
"""Indices of topics → τ of the system ranking on these topics under every set of cuts, [set]."""


@dataclass(frozen=True, slots=True)
class CutOptions:
    """Options of the search for cuts: evaluation and choice.

    Attributes
    ----------
    method : str
        A name of `CUT_METHODS`.
    by : str
        Aggregation of several labels.
    level : str
        Level of measurement of α.
    undefined : str
        Value when agreement is undefined (0/0).
    select : str
        Criterion for the best cuts: maximal α (`max`), α closest to the source scale's (`closest`),
        or τ of the system ranking to a reference (`tau`).
    ties : str
        Choice among equally good cuts.
    """

    method: str
    by: str = "median"
    level: str = "ordinal"
    undefined: str = "nan"
    select: str = "max"
    ties: str = "middle"

    def __post_init__(self) -> None:
        if self.select not in SELECTIONS:
            raise UnknownNameError("way to select cuts", self.select, SELECTIONS)
        if self.select == "closest" and self.needs_target:
            raise UsageError(
                f"{self.method} compares labels with grades on the target scale, so it has no α "
                "on the source scale; expected a method that uses only one data set"
            )

    @property
    def needs_target(self) -> bool:
        """Whether the method compares the labels with a second data set."""
        return bool(CUT_METHODS.get(self.method).entry.about["needs_target"])

    @property
    def order(self) -> str:
        """Whether transformed labels are aggregated and then cut (`at`), or cut first (`ta`)."""
        return str(CUT_METHODS.get(self.method).entry.about["order"])


@dataclass(frozen=True, slots=True)
class ChosenCuts:
    """The chosen cuts.

    Attributes
    ----------
    topic : str
        A topic, or `all`.
    place : int
        Index of the set of cuts; −1 if no set has a value.
    alpha : float
        α under the chosen cuts (for the collection: the mean over topics); nan if undefined.
    tied : int
        Number of equally good sets.
    degenerate : int
        Number of topics left with only one level.
    units : int
        Number of HITs or docs with a value.
    of : int
        Number of units with or without a value.
    """

    topic: str
    place: int
    cuts: Cuts | None
    alpha: float
    tied: int
    degenerate: int
    units: int
    of: int


@dataclass(frozen=True, slots=True, eq=False)
class CollectionAlphas:
    """Mean α over topics, under every set of cuts.

    Attributes
    ----------
    alpha : ndarray, [set]
        Mean over the topics with a value; nan if no topic has a value.
    topics : ndarray of int, [set]
        Number of topics with a value.
    units : ndarray of int, [set]
        Number of HITs or docs with a value, over all topics.
    of : int
        Number of units with or without a value.
    degenerate : ndarray of int, [set]
        Number of topics left with only one level.
    """

    alpha: FloatArray
    topics: IntArray
    units: IntArray
    of: int
    degenerate: IntArray


class LabelCuts:
    """A data set, with all ways to cut it.

    Parameters
    ----------
    options : CutOptions
        How cuts are evaluated and chosen.
    taus : callable, optional
        τ under every set of cuts; required for the selection `tau`.
    """

    def __init__(
        self, topics: CutTopics, sets: CutSets, options: CutOptions, *, taus: Taus | None = None
    ) -> None:
        if options.select == "tau" and taus is None:
            raise UsageError(_NO_RUNS)
        self.topics = topics
        self.sets = sets
        self.options = options
        self._method = CUT_METHODS.get(options.method)
        self._keeps = len(topics.topics) * len(sets) <= _KEPT
        self._known: dict[int, CutAlphas] = {}
        self._taus = taus

    def alphas(self, place: int) -> CutAlphas:
        """α of one topic under every set of cuts."""
        if place in self._known:
            return self._known[place]
        options = self.options
        alphas: CutAlphas = self._method(
            self.topics.labels[place],
            self.sets,
            by=options.by,
            level=options.level,
            undefined=options.undefined,
        )
        if self._keeps:
            self._known[place] = alphas
        return alphas

    def source_alpha(self, place: int) -> float:
        """α of one topic on the source scale; undefined for methods with a second data set."""
        options = self.options
        return source_alpha(
            options.method,
            self.topics.labels[place],
            by=options.by,
            level=options.level,
            undefined=options.undefined,
        )

    def per_topic(self) -> Iterator[tuple[ChosenCuts, CutAlphas]]:
        """Return the best cuts of each topic, with all alternatives."""
        for place, topic in enumerate(self.topics.topics):
            found = self.alphas(place)
            yield self._choose(topic, found, self.objective([place], found.alpha)), found

    def single(
        self, *, advance: Callable[[], None] | None = None
    ) -> tuple[ChosenCuts, CollectionAlphas]:
        """Return one set of cuts for the collection, with all alternatives."""
        found = self.mean(advance=advance)
        places = range(len(self.topics.topics))
        return self._choose(ALL, found, self.objective(places, found.alpha)), found

    def mean(self, *, advance: Callable[[], None] | None = None) -> CollectionAlphas:
        """Return the mean over topics under every set of cuts.

        Parameters
        ----------
        advance : callable, optional
            Called after each topic, to show progress.
        """
        total = np.zeros(len(self.sets))
        topics, units, degenerate = (np.zeros(len(self.sets), dtype=np.int64) for _ in range(3))
        unit_count = 0
        for place in range(len(self.topics.topics)):
            topic_alphas = self.alphas(place)
            known = ~np.isnan(topic_alphas.alpha)
            total[known] += topic_alphas.alpha[known]
            topics += known
            units += topic_alphas.units
            degenerate += topic_alphas.degenerate
            unit_count += topic_alphas.of
            if advance is not None:
                advance()
        with np.errstate(divide="ignore", invalid="ignore"):
            alpha = np.where(topics > 0, total / topics, np.nan)
        return CollectionAlphas(alpha, topics, units, unit_count, degenerate)

    def objective(self, places: Sequence[int], alpha: FloatArray) -> FloatArray:
        """Return the objective under every set of cuts, [set]; the highest is best.

        Parameters
        ----------
        places : sequence of int
            The topics used for the choice.
        alpha : ndarray, [set]
            α on these topics, or the mean of α over the topics.
        """
        if self.options.select == "max":
            return alpha
        if self.options.select == "closest":
            known = [value for value in map(self.source_alpha, places) if not math.isnan(value)]
            return closeness(alpha, float(np.mean(known)) if known else math.nan)
        if self._taus is None:
            raise UsageError(_NO_RUNS)
        return self._taus(places)

    def _choose(
        self, topic: str, alphas: CutAlphas | CollectionAlphas, objective: FloatArray
    ) -> ChosenCuts:
        """Return the best cuts with their statistics."""
        best = best_cuts(objective, self.sets, ties=self.options.ties)
        if best.place < 0:
            return ChosenCuts(topic, -1, None, math.nan, 0, 0, 0, alphas.of)
        return ChosenCuts(
            topic=topic,
            place=best.place,
            cuts=self.sets.cuts(best.place),
            alpha=float(alphas.alpha[best.place]),
            tied=int(best.tied.size),
            degenerate=int(alphas.degenerate[best.place]),
            units=int(alphas.units[best.place]),
            of=alphas.of,
        )
