"""Qrels × runs × measures → scores. What a missing topic counts for is decided here, once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np

from qrelsmith.arrays import FloatArray, IntArray
from qrelsmith.data.judged import JudgedRun, judged_run
from qrelsmith.data.qrels import Qrels
from qrelsmith.data.runs import Run, distinct_names
from qrelsmith.data.text import FilePath
from qrelsmith.errors import InputError, UsageError, quoted
from qrelsmith.measures import MEASURES, MeasureFunction, looks_at_gains, needs_gmax
from qrelsmith.registry import Named
from qrelsmith.scales import Gains, grade_text

TopicRule = Literal["qrels", "intersection"]

# Topics that are scored at once: enough for numpy, few enough for memory.
_BATCH = 512


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """The scores of one measure.

    Attributes
    ----------
    measure : str
        Its label.
    systems, topics : tuple of str
        Names of the rows and columns.
    scores : float array [system, topic]
        nan where the topic does not count for the system (rule `intersection`).
    """

    measure: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    scores: FloatArray

    def means(self) -> FloatArray:
        """The mean over the topics that count [system]; nan where none does."""
        counted = ~np.isnan(self.scores)
        total = np.where(counted, self.scores, 0.0).sum(axis=1)
        count = counted.sum(axis=1)
        means: FloatArray = np.full(total.shape, np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return means


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of several measures, and what was decided on the way to them.

    Attributes
    ----------
    measures : tuple of str
        Labels.
    systems, topics : tuple of str
        Names of systems and topics.
    scores : float array [measure, system, topic]
        nan where the topic does not count for the system (rule `intersection`).
    cutoffs : tuple of int
        The cutoffs of the measures.
    ties : int array [cutoff, system]
        In how many topics a score tie reaches over the cutoff, so that the run order decides.
    notes : tuple of str
        What a reader of the scores must know: missing topics, topics without relevant docs, ….
    """

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    scores: FloatArray
    cutoffs: tuple[int, ...]
    ties: IntArray
    notes: tuple[str, ...]

    def tie_notes(self) -> tuple[str, ...]:
        """In how many topics a score tie reaches over a cutoff, a sentence each."""
        return tuple(
            f"run {quoted(system)}: a score tie reaches over rank {cutoff} in {count} topics"
            for cutoff, counts in zip(self.cutoffs, self.ties.tolist(), strict=True)
            for system, count in zip(self.systems, counts, strict=True)
        )

    def matrix(self, measure: str) -> ScoreMatrix:
        """The scores of one measure, by its label or any name that means it.

        Raises
        ------
        UsageError
            If it was not evaluated.
        """
        label = MEASURES.label(measure)
        if label not in self.measures:
            raise UsageError(f"{label} was not evaluated (evaluated: {', '.join(self.measures)})")
        return ScoreMatrix(
            measure=label,
            systems=self.systems,
            topics=self.topics,
            scores=self.scores[self.measures.index(label)],
        )


def evaluate(
    qrels: Qrels,
    runs: Sequence[Run | FilePath],
    measures: Sequence[str],
    *,
    order: str = "trec",
    topics: TopicRule = "qrels",
    gains: Gains | None = None,
    gmax: float | None = None,
    condensed: bool = False,
    jobs: int | None = None,
    advance: Callable[[], None] | None = None,
) -> Evaluation:
    """Score runs.

    Parameters
    ----------
    qrels : Qrels
        The judgments.
    runs : sequence of Run or path
        The systems; files are read part by part and never held whole.
    measures : sequence of str
        Names as in `qrelsmith measures`: `nDCG@10`, `AP`, `RBP(p=0.8)`.
    order : str
        How the docs of a file are ranked: one of `RUN_ORDERS`.
    topics : {'qrels', 'intersection'}
        `qrels`: every topic of the qrels counts, and a topic that a run lacks scores 0.
        `intersection`: only the topics that the run has count, the others are nan.
    gains : Gains, optional
        What each grade is worth; by default a grade is its own gain.
    gmax : float, optional
        The gain of the scale's top level; by default the highest that the qrels hold.
    condensed : bool
        Remove unjudged docs from the runs first.
    jobs : int, optional
        Threads; by default one a processor. The scores do not depend on it.
    advance : callable, optional
        Called after each run, to show progress.

    Raises
    ------
    InputError
        At the first line of a run that is not as it should be; if the qrels are empty.
    UsageError
        If a measure cannot be parsed, or a grade lacks a gain.
    """
    if not len(qrels):
        raise InputError("there are no judgments in the qrels; expected at least one")
    if topics not in ("qrels", "intersection"):
        raise UsageError(f"topics={quoted(topics)}: expected 'qrels' or 'intersection'")
    named = {measure.label: measure for measure in map(MEASURES.get, measures)}
    jobs = jobs or os.cpu_count() or 1
    scorer = _Scorer(qrels, list(named.values()), gains, gmax)
    systems: list[str] = []
    scores = np.zeros((len(named), len(runs), len(qrels.topics)))
    notes = _Notes(qrels, topics, scorer)
    cutoffs = sorted({m.cutoff for m in named.values() if isinstance(m.cutoff, int)})
    ties = np.zeros((len(cutoffs), len(runs)), dtype=np.int64)
    for place, run in enumerate(_judged_runs(runs, qrels, order, condensed, jobs)):
        scores[:, place] = scorer.scores(run)
        if topics == "intersection":
            scores[:, place, run.retrieved < 0] = np.nan
        systems.append(run.name)
        notes.add(run)
        ties[:, place] = [run.topics_tied_at(cutoff) for cutoff in cutoffs]
        if advance is not None:
            advance()
    paths = [run.name if isinstance(run, Run) else run for run in runs]
    names = distinct_names(systems, paths)
    return Evaluation(
        measures=tuple(named),
        systems=tuple(names),
        topics=qrels.topics,
        scores=scores,
        cutoffs=tuple(cutoffs),
        ties=ties,
        notes=tuple(notes.texts()),
    )


def _judged_runs(
    runs: Sequence[Run | FilePath], qrels: Qrels, order: str, condensed: bool, jobs: int
) -> Iterator[JudgedRun]:
    """The runs joined with the qrels, in their order, several at the same time."""
    at_once = min(jobs, len(runs))

    def join(run: Run | FilePath) -> JudgedRun:
        inner = max(1, jobs // max(1, at_once))
        return judged_run(run, qrels, order=order, condensed=condensed, jobs=inner)

    if at_once <= 1:
        yield from map(join, runs)
        return
    with ThreadPoolExecutor(at_once) as pool:
        yield from pool.map(join, runs)


class _Scorer:
    """Qrels and measures made ready to score one run after another."""

    def __init__(
        self,
        qrels: Qrels,
        measures: Sequence[Named[MeasureFunction]],
        gains: Gains | None,
        gmax: float | None,
    ) -> None:
        self._qrels = qrels
        self._measures = measures
        self._gains = gains
        worth = qrels.grade if gains is None else gains.of(qrels.grade)
        self.gmax_assumed = gmax is None and gains is None and any(map(needs_gmax, measures))
        top = gains.top if gains is not None else float(max(worth.max(), 0.0))
        self.gmax = top if gmax is None else gmax
        self._starts = np.searchsorted(qrels.topic, np.arange(len(qrels.topics) + 1))
        self._ideal_grades = self._descending(qrels.grade)
        self._ideal_gains = self._ideal_grades if gains is None else self._descending(worth)
        cutoffs = [measure.cutoff for measure in measures]
        ranks_only = all(isinstance(cutoff, int) for cutoff in cutoffs)
        whole_ranks = all(not m.entry.about.get("cutoff_is_recall") for m in measures)
        self._depth = max(map(int, filter(None, cutoffs))) if ranks_only and whole_ranks else None

    @property
    def positive(self) -> FloatArray:
        """How many docs of each topic have a grade above 0 [topic]."""
        topics = self._qrels.topic[self._qrels.grade > 0]
        return np.bincount(topics, minlength=len(self._qrels.topics)).astype(np.float64)

    def scores(self, run: JudgedRun) -> FloatArray:
        """The scores of a run [measure, topic]; 0 where it lacks the topic."""
        count = len(self._qrels.topics)
        scores = np.zeros((len(self._measures), count))
        for begin in range(0, count, _BATCH):
            end = min(begin + _BATCH, count)
            grades = self._ranked(run, begin, end)
            worth = grades if self._gains is None else self._gains.of(grades)
            ideal_grades, ideal_gains = (
                self._ideal(values, begin, end)
                for values in (self._ideal_grades, self._ideal_gains)
            )
            retrieved = np.maximum(run.retrieved[begin:end], 0)
            for place, measure in enumerate(self._measures):
                ranked, ideal = (
                    (worth, ideal_gains) if looks_at_gains(measure) else (grades, ideal_grades)
                )
                scores[place, begin:end] = measure(
                    ranked, ideal, gmax=self.gmax, retrieved=retrieved
                )
        scores[:, run.retrieved < 0] = 0.0
        return scores

    def _ranked(self, run: JudgedRun, begin: int, end: int) -> FloatArray:
        """The grades at each rank of some topics [topic, rank]."""
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
        """The values of all judgments, inside each topic the highest first [judgment]."""
        return values[np.lexsort((-values, self._qrels.topic))]

    def _ideal(self, values: FloatArray, begin: int, end: int) -> FloatArray:
        """The values of some topics, descending, padded with nan [topic, judged doc]."""
        starts = self._starts[begin : end + 1]
        sizes: IntArray = np.diff(starts)
        ideal = np.full((end - begin, int(sizes.max(initial=1))), np.nan)
        inside = np.arange(ideal.shape[1]) < sizes[:, None]
        ideal[inside] = values[starts[0] : starts[-1]]
        return ideal


class _Notes:
    """What a reader of the scores must know, gathered run by run."""

    def __init__(self, qrels: Qrels, topics: TopicRule, scorer: _Scorer) -> None:
        self._qrels = qrels
        self._missing = (
            "score 0 there" if topics == "qrels" else "are averaged over the topics they have"
        )
        self._texts: list[str] = []
        if scorer.gmax_assumed:
            self._texts.append(
                f"no scale was given: the top level is taken to be {grade_text(scorer.gmax)}, the"
                " highest grade of the qrels"
            )
        without = np.flatnonzero(scorer.positive == 0)
        if without.size:
            shown = ", ".join(qrels.topics[topic] for topic in without[:5])
            more = ", …" if without.size > 5 else ""
            self._texts.append(
                f"{without.size} of {len(qrels.topics)} topics have no relevant doc, so that every"
                f" system scores 0 there: {shown}{more}"
            )
        self._lacking: list[tuple[str, int]] = []
        self._other = 0

    def add(self, run: JudgedRun) -> None:
        """Take note of a run."""
        lacking = int((run.retrieved < 0).sum())
        if lacking == len(self._qrels.topics):
            self._texts.append(f"run {quoted(run.name)} has none of the qrels' topics")
        elif lacking:
            self._lacking.append((run.name, lacking))
        self._other = max(self._other, run.other_topics)

    def texts(self) -> list[str]:
        """The notes, a sentence each."""
        texts = list(self._texts)
        if self._lacking:
            name, count = max(self._lacking, key=lambda pair: pair[1])
            texts.append(
                f"{len(self._lacking)} runs lack topics of the qrels and {self._missing}"
                f" (most: {quoted(name)}, {count} of {len(self._qrels.topics)})"
            )
        if self._other:
            texts.append(f"up to {self._other} topics of a run are not in the qrels: passed over")
        return texts
