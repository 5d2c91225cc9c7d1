"""Qrels × runs × measures → scores. What a missing topic counts for is decided here, once."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
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
from qrelsmith.measures.graded import check_top
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

    def restricted_to(self, topics: Collection[str]) -> ScoreMatrix:
        """The scores of some topics only."""
        kept = np.array([topic in topics for topic in self.topics], dtype=bool)
        return ScoreMatrix(
            measure=self.measure,
            systems=self.systems,
            topics=tuple(topic for topic in self.topics if topic in topics),
            scores=self.scores[:, kept],
        )

    def sorted(self) -> ScoreMatrix:
        """The same scores, with systems and topics in the order of their names."""
        rows = sorted(range(len(self.systems)), key=self.systems.__getitem__)
        columns = sorted(range(len(self.topics)), key=self.topics.__getitem__)
        return ScoreMatrix(
            measure=self.measure,
            systems=tuple(self.systems[row] for row in rows),
            topics=tuple(self.topics[column] for column in columns),
            scores=self.scores[np.ix_(rows, columns)],
        )

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
        """Where a score tie reaches over a cutoff, a sentence each."""
        return tuple(
            f"run {quoted(system)}: a score tie reaches over rank {cutoff} in {count} topics"
            for cutoff, counts in zip(self.cutoffs, self.ties.tolist(), strict=True)
            for system, count in zip(self.systems, counts, strict=True)
            if count
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
        `qrels`: every topic of the qrels counts, and a topic that a run lacks counts as one for
        which it returned nothing (score 0; `NumRel` and `RBPresidual` keep their meaning).
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
        If no measure is given or one cannot be parsed; if a grade lacks a gain or, for a measure
        that knows the top of the scale, has a gain above it; if two systems bear one name.
    """
    if not measures:
        raise UsageError("no measure was given; expected at least one, such as nDCG@10")
    if not len(qrels):
        raise InputError(
            f"there are no judgments in the qrels {quoted(qrels.name)}; expected at least one"
        )
    if topics not in ("qrels", "intersection"):
        raise UsageError(f"topics={quoted(topics)}: expected 'qrels' or 'intersection'")
    named = {measure.label: measure for measure in map(MEASURES.get, measures)}
    jobs = jobs or os.cpu_count() or 1
    scorer = _Scorer(qrels, list(named.values()), gains, gmax)
    systems: list[str] = []
    scores = np.zeros((len(named), len(runs), len(qrels.topics)))
    notes = _Notes(qrels, topics, scorer)
    cutoffs = sorted({cutoff for cutoff in map(_rank_cutoff, named.values()) if cutoff})
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
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two systems are called {quoted(twice)}; expected a name for each")
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


def _rank_cutoff(measure: Named[MeasureFunction]) -> int | None:
    """The last rank that a measure looks at; None where it has no cutoff or one in recall."""
    cutoff = measure.cutoff
    recall = measure.entry.about.get("cutoff_is_recall", False)
    return cutoff if isinstance(cutoff, int) and not recall else None


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
        worth = self._worth = qrels.grade if gains is None else gains.of(qrels.grade)
        self.gmax_assumed = gmax is None and gains is None and any(map(needs_gmax, measures))
        top = gains.top if gains is not None else float(max(worth.max(), 0.0))
        self.gmax = top if gmax is None else gmax
        knowing = [measure.label for measure in measures if needs_gmax(measure)]
        if knowing:
            check_top(", ".join(knowing), worth, self.gmax)
        self._starts = np.searchsorted(qrels.topic, np.arange(len(qrels.topics) + 1))
        self._ideal_grades = self._descending(qrels.grade)
        self._ideal_gains = self._ideal_grades if gains is None else self._descending(worth)
        cutoffs = [cutoff for cutoff in map(_rank_cutoff, measures) if cutoff is not None]
        self._depth = max(cutoffs) if len(cutoffs) == len(measures) else None

    def without_relevant(self) -> list[tuple[str, list[int]]]:
        """Which topics lack relevant docs, for each thing that relevant means to a measure."""
        levels = {measure.parameters.get("rel") for measure in self._measures}
        found = [
            (f"a grade of {grade_text(rel)} or more", self._qrels.grade >= rel)
            for rel in sorted(level for level in levels if isinstance(level, int | float))
        ]
        if any(map(looks_at_gains, self._measures)):
            found.append(("a gain above 0", self._worth > 0))
        lists: list[tuple[str, list[int]]] = []
        for what, relevant in found:
            counts = np.bincount(self._qrels.topic[relevant], minlength=len(self._qrels.topics))
            lacking: list[int] = np.flatnonzero(counts == 0).tolist()
            if lacking and lacking not in [known for _, known in lists]:
                lists.append((what, lacking))
        return lists

    def scores(self, run: JudgedRun) -> FloatArray:
        """The scores of a run [measure, topic]; a topic that it lacks is one without docs."""
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
        for what, lacking in scorer.without_relevant():
            shown = ", ".join(qrels.topics[topic] for topic in lacking[:5])
            more = ", …" if len(lacking) > 5 else ""
            self._texts.append(
                f"topics without {what}, where every measure of relevance is 0:"
                f" {len(lacking)} of {len(qrels.topics)} ({shown}{more})"
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
                f"runs that lack topics of the qrels and {self._missing}: {len(self._lacking)}"
                f" (most: {quoted(name)}, {count} of {len(self._qrels.topics)} topics)"
            )
        if self._other:
            texts.append(f"topics of a run that are not in the qrels: {self._other}, passed over")
        return texts
