"""Qrels and measures, prepared for scoring many runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.registry_entries import Named
from qrelsmith.base.scales import Gains, grade_text
from qrelsmith.collection.judged import JudgedRun
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.subtopics import docs_of_subtopics
from qrelsmith.evaluation.measures import (
    MeasureFunction,
    is_computed_elsewhere,
    looks_at_gains,
    needs_gmax,
)
from qrelsmith.evaluation.measures.graded import check_top
from qrelsmith.evaluation.outside_scores import OutsideScores, number_judgments, places_of

# Number of topics on which a plug-in's measure is checked individually.
_TRIED = 8
# Number of topics scored at once: enough for numpy, few enough for memory.
_BATCH = 512


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRun:
    """The scores of a run, and the counts that notes report.

    Attributes
    ----------
    name : str
        The tag, or the file's name if there is no tag.
    others : tuple of str
        Topics of the run that the qrels lack.
    scores : float array [measure, topic]
        A missing topic has the score of an empty ranking.
    retrieved : int array [topic]
        Number of docs returned; −1 for a missing topic.
    ties : int array [cutoff]
        Number of topics with a score tie across each cutoff.
    """

    name: str
    others: tuple[str, ...]
    scores: FloatArray
    retrieved: IntArray
    ties: IntArray


class Scorer:
    """Qrels and measures, prepared for scoring many runs."""

    def __init__(
        self,
        qrels: Qrels,
        measures: Sequence[Named[MeasureFunction]],
        gains: Gains | None,
        gmax: float | None,
        highest: float | None = None,
    ) -> None:
        self.labels, qrels = qrels, docs_of_subtopics(qrels)
        self.qrels = qrels
        self.measures = measures
        self.gains = gains
        worth = self._worth = qrels.grade if gains is None else gains.of(qrels.grade)
        self.gmax_assumed = gmax is None and gains is None and any(map(needs_gmax, measures))
        seen = float(max(worth.max(), 0.0)) if highest is None else highest
        top = seen if gains is None else gains.top
        self.gmax = top if gmax is None else gmax
        knowing = [measure.label for measure in measures if needs_gmax(measure)]
        if knowing:
            check_top(", ".join(knowing), worth, self.gmax)
        elsewhere = [measure for measure in measures if is_computed_elsewhere(measure)]
        self.outside: OutsideScores | None = None
        self.joined = qrels
        if elsewhere:
            self.outside = OutsideScores(self.labels, qrels, elsewhere, gains, self.gmax)
            self.joined = number_judgments(qrels)
        self._starts = np.searchsorted(qrels.topic, np.arange(len(qrels.topics) + 1))
        self._ideal_grades = self._descending(qrels.grade)
        self._ideal_gains = self._ideal_grades if gains is None else self._descending(worth)
        # The ideal grades and gains of each batch of topics: the same for all runs.
        self._ideals: dict[int, tuple[FloatArray, FloatArray]] = {}
        cutoffs = [cutoff for cutoff in map(rank_cutoff, measures) if cutoff is not None]
        self._depth = max(cutoffs) if len(cutoffs) == len(measures) else None
        self.cutoffs = sorted({cutoff for cutoff in cutoffs if cutoff})
        # A plug-in's function is checked on single topics at its first call.
        self._untried = {measure.label for measure in measures if not measure.entry.is_ours}

    def without_relevant(self) -> list[tuple[str, list[int]]]:
        """Return the topics without relevant docs, for each definition of relevance in use."""
        levels = {measure.parameters.get("rel") for measure in self.measures}
        meanings = [
            (f"a grade of {grade_text(rel)} or more", self.qrels.grade >= rel)
            for rel in sorted(level for level in levels if isinstance(level, int | float))
        ]
        if any(map(looks_at_gains, self.measures)):
            meanings.append(("a gain above 0", self._worth > 0))
        lists: list[tuple[str, list[int]]] = []
        for what, relevant in meanings:
            counts = np.bincount(self.qrels.topic[relevant], minlength=len(self.qrels.topics))
            lacking: list[int] = np.flatnonzero(counts == 0).tolist()
            if lacking and lacking not in [known for _, known in lists]:
                lists.append((what, lacking))
        return lists

    def score(self, run: JudgedRun) -> ScoredRun:
        """Return the scores of a run, and the counts that notes report."""
        ties = np.array([run.topics_tied_at(cutoff) for cutoff in self.cutoffs], dtype=np.int64)
        return ScoredRun(run.name, run.others, self.scores(run), run.retrieved, ties)

    def scores(self, run: JudgedRun) -> FloatArray:
        """Return the scores of a run that is joined with the qrels [measure, topic].

        A missing topic counts as an empty ranking.
        """
        count = len(self.qrels.topics)
        scores = np.zeros((len(self.measures), count))
        if self.outside is not None:
            theirs = [is_computed_elsewhere(measure) for measure in self.measures]
            scores[theirs] = self.outside.scores(run)
            run = replace(run, grade=self.qrels.grade[places_of(run)])
        for begin in range(0, count, _BATCH):
            end = min(begin + _BATCH, count)
            grades = self._grades_by_rank(run, begin, end)
            worth = grades if self.gains is None else self.gains.of(grades)
            if begin not in self._ideals:
                ideal = self._ideal(self._ideal_grades, begin, end)
                gains = self._ideal_gains
                worthy = ideal if self.gains is None else self._ideal(gains, begin, end)
                self._ideals[begin] = ideal, worthy
            ideal_grades, ideal_gains = self._ideals[begin]
            retrieved = np.maximum(run.retrieved[begin:end], 0)
            for place, measure in enumerate(self.measures):
                if is_computed_elsewhere(measure):
                    continue
                ranked, ideal = (
                    (worth, ideal_gains) if looks_at_gains(measure) else (grades, ideal_grades)
                )
                values = measure(ranked, ideal, gmax=self.gmax, retrieved=retrieved)
                if measure.label in self._untried:
                    self._untried.discard(measure.label)
                    _check_plug_in(measure, values, ranked, ideal, self.gmax, retrieved)
                scores[place, begin:end] = values
        return scores

    def _grades_by_rank(self, run: JudgedRun, begin: int, end: int) -> FloatArray:
        """Return the grades at each rank of the given topics [topic, rank]."""
        first, last = np.searchsorted(run.topic, (begin, end))
        topic, rank = run.topic[first:last] - begin, run.rank[first:last]
        grade = run.grade[first:last]
        if self._depth is not None:
            inside = rank <= self._depth
            topic, rank, grade = topic[inside], rank[inside], grade[inside]
        grades = np.full((end - begin, int(rank.max(initial=1))), np.nan)
        grades[topic, rank - 1] = grade
        return grades

    def _descending(self, values: FloatArray) -> FloatArray:
        """Return the values of all judgments, in descending order within each topic [judgment]."""
        return values[np.lexsort((-values, self.qrels.topic))]

    def _ideal(self, values: FloatArray, begin: int, end: int) -> FloatArray:
        """Return each topic's values in descending order, padded with nan [topic, judged doc]."""
        starts = self._starts[begin : end + 1]
        sizes: IntArray = np.diff(starts)
        ideal = np.full((end - begin, int(sizes.max(initial=1))), np.nan)
        inside = np.arange(ideal.shape[1]) < sizes[:, None]
        ideal[inside] = values[starts[0] : starts[-1]]
        return ideal


def _check_plug_in(
    measure: Named[MeasureFunction],
    values: FloatArray,
    ranked: FloatArray,
    ideal: FloatArray,
    gmax: float,
    retrieved: IntArray,
) -> None:
    """Check that a measure returns one number per ranking, independent of other rankings.

    Rankings may have any number of leading axes.
    """

    def check_shape(scores: FloatArray, shape: tuple[int, ...]) -> None:
        if np.shape(scores) != shape:
            raise UsageError(
                f"{measure.label} of a plug-in gives an array of shape {np.shape(scores)} for"
                f" rankings of shape {shape}; expected one number per ranking. Reduce over the"
                " last axis (axis=-1)"
            )

    check_shape(values, ranked.shape[:-1])
    for topic in range(0, len(ranked), -(-len(ranked) // _TRIED)):
        one = (None, slice(topic, topic + 1))
        alone = measure(ranked[one], ideal[one], gmax=gmax, retrieved=retrieved[one])
        check_shape(alone, (1, 1))
        score, among_others = float(alone[0, 0]), float(values[topic])
        if not math.isfinite(score):
            raise UsageError(
                f"{measure.label} of a plug-in gives a topic the score {score}; expected a finite"
                " number, and 0 if no doc is relevant"
            )
        if not math.isclose(score, among_others, rel_tol=1e-9, abs_tol=1e-12):
            raise UsageError(
                f"{measure.label} of a plug-in gives a topic {score:g} alone, but {among_others:g} "
                "with other topics; expected the same score. Reduce only over the last axis, -1"
            )


def rank_cutoff(measure: Named[MeasureFunction]) -> int | None:
    """Return the deepest rank that a measure uses, or None if it has no rank cutoff."""
    cutoff = measure.cutoff
    recall = measure.entry.about["cutoff_is_recall"]
    return cutoff if isinstance(cutoff, int) and not recall else None
