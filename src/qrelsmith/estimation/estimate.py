"""The question `estimate`: what people's labels of a sample say about the systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Gains, Scale
from qrelsmith.base.tables import Cell, Table
from qrelsmith.estimation.boundaries import labels_needed, quantiles
from qrelsmith.estimation.estimator import ScoreEstimates, degrees, estimated
from qrelsmith.estimation.ordering import corrected_scores
from qrelsmith.estimation.sample import SampledDocs
from qrelsmith.estimation.sample_files import sample_rows
from qrelsmith.estimation.sources import sources_of
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike
from qrelsmith.judgments.sources import LabelSets, QrelsLike
from qrelsmith.judgments.topic_sources import TopicSet

Over = Literal["pool", "topics"]
Show = Literal["scores", "pairs", "order"]
_FEW_TOPICS = 8
_FEW_LABELS = 50


class Decision(NamedTuple):
    """Which of two systems is better, as far as it is decided.

    Attributes
    ----------
    better : str or None
        The better one; None where it is open.
    labels : float
        About how many labels in all decide it.
    """

    better: str | None
    labels: float


@dataclass(frozen=True, slots=True, eq=False)
class MeasureEstimates:
    """What is known about all systems by one measure.

    Attributes
    ----------
    measure : str
        Its full name.
    runs : tuple of str
        The systems.
    estimates : ScoreEstimates
        Scores and the parts of their errors.
    labels : int
        How many labels of people they rest on.
    looks, anytime
        As of `quantiles`.
    corrected : float array [system]
        The scores by which `--order` ranks.
    """

    measure: str
    runs: tuple[str, ...]
    estimates: ScoreEstimates = field(repr=False)
    labels: int
    looks: int | None
    anytime: bool
    corrected: FloatArray = field(repr=False)

    def reach(self, noise: FloatArray) -> FloatArray:
        """How far intervals reach to either side [...] for parts of errors [..., part]."""
        free = degrees(noise, over_topics=self.estimates.over_topics)
        factor = quantiles(free, labels=self.labels, looks=self.looks, anytime=self.anytime)
        return np.asarray(factor * np.sqrt((noise**2).sum(axis=-1)))

    def pairs(self) -> tuple[IntArray, IntArray, FloatArray, FloatArray, BoolArray]:
        """Every two systems, the first by name first: their places, difference, reach, decided."""
        by_name = np.array(sorted(range(len(self.runs)), key=self.runs.__getitem__))
        first, second = (by_name[side] for side in np.triu_indices(len(self.runs), 1))
        score, noise = self.estimates.score, self.estimates.noise
        difference = score[first] - score[second]
        reach = self.reach(noise[first] - noise[second])
        return first, second, difference, reach, np.abs(difference) > reach


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimated(Result):
    """What a sample's labels say about systems.

    Attributes
    ----------
    show : str
        What the table shows: scores, pairs or order.
    over : str
        For whom the intervals are: this pool, or topics like these.
    of_measures : tuple of MeasureEstimates
        One for each measure.
    """

    show: Show
    over: Over
    of_measures: tuple[MeasureEstimates, ...] = field(repr=False)

    def table(self) -> Table:
        """Columns: run, measure, estimate, low, high, labels, over; of pairs and order see there.

        Pairs: measure, run_a, run_b, difference, low, high, decided. Order: measure, rank, run,
        score.
        """
        rows: list[tuple[Cell, ...]] = []
        if self.show == "pairs":
            columns = ["measure", "run_a", "run_b", "difference", "low", "high", "decided"]
            for one in self.of_measures:
                for a, b, difference, reach, decided in zip(
                    *map(_listed, one.pairs()), strict=True
                ):
                    told = "true" if decided else "false"
                    bounds = difference - reach, difference + reach
                    rows.append((one.measure, one.runs[a], one.runs[b], difference, *bounds, told))
        elif self.show == "order":
            columns = ["measure", "rank", "run", "score"]
            for one in self.of_measures:
                order = sorted(range(len(one.runs)), key=lambda s: (-one.corrected[s], one.runs[s]))
                rows += [
                    (one.measure, rank, one.runs[s], float(one.corrected[s]))
                    for rank, s in enumerate(order, start=1)
                ]
        else:
            columns = ["run", "measure", "estimate", "low", "high", "labels", "over"]
            for one in self.of_measures:
                reach = one.reach(one.estimates.noise).tolist()
                for run, score, half in zip(
                    one.runs, one.estimates.score.tolist(), reach, strict=True
                ):
                    bounds = score - half, score + half
                    rows.append((run, one.measure, score, *bounds, one.labels, self.over))
        return Table.of(columns, rows, notes=self.notes).sorted()

    def decision(self, run_a: str, run_b: str) -> Decision:
        """Which of two systems is better by the first measure, or how many labels would say so.

        Raises
        ------
        UsageError
            If there is no such run, or it is the same.
        """
        one = self.of_measures[0]
        for run in (run_a, run_b):
            if run not in one.runs:
                raise UsageError(
                    f"there is no run {quoted(run)}; expected one of {', '.join(one.runs)}"
                )
        if run_a == run_b:
            raise UsageError(f"{quoted(run_a)} is compared with itself; expected two runs")
        a, b = one.runs.index(run_a), one.runs.index(run_b)
        noise = one.estimates.noise[a] - one.estimates.noise[b]
        difference = float(one.estimates.score[a] - one.estimates.score[b])
        reach = float(one.reach(noise))
        if abs(difference) > reach:
            return Decision(run_a if difference > 0 else run_b, float(one.labels))
        return Decision(None, labels_needed(difference, reach, one.labels))

    @cached_property
    def decided(self) -> tuple[float, ...]:
        """The share of pairs that are decided, for each measure."""
        found = []
        for one in self.of_measures:
            is_decided = one.pairs()[-1]
            found.append(float(is_decided.mean()) if is_decided.size else math.nan)
        return tuple(found)


@question("estimate", no_audit="a campaign's folder holds no sample", flags={"measures": "-m"})
def estimate(
    labels: LabelSets | None = None,
    runs: RunsLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    sample: FilePath | SampledDocs,
    judgments: QrelsLike | None = None,
    pairs: bool = False,
    order: bool = False,
    over: Over = "pool",
    looks: int | None = None,
    anytime: bool = False,
    label_set: str | Sequence[str] | None = None,
    topic_set: TopicSet | None = None,
    run_order: str = "trec",
    gains: Gains | None = None,
    scale: Scale | None = None,
) -> Estimated:
    """Scores of systems, or their differences, with intervals that hold, from few labels of people.

    Every doc's grade is predicted from the models' labels, by a fit to what people said of other
    docs; what they said where they were asked corrects it, weighted by 1/probability. So models'
    labels make intervals narrower, and cannot make them wrong.

    Parameters
    ----------
    labels, runs, measures
        As of `sample`; several measures are possible.
    sample : path or SampledDocs
        What `sample` drew.
    judgments : qrels, optional
        People's labels of the docs in the sample; by default a campaign's reference.
    pairs : bool
        Show the differences of every two systems and whether they are decided.
    order : bool
        Show an order of the systems: the models', corrected as far as the sample shows that they
        are wrong. It has no intervals.
    over : {'pool', 'topics'}
        For whom the intervals are: what judging this whole pool would say, or topics like these.
    looks : int, optional
        The intervals hold together for this many looks at a growing sample.
    anytime : bool
        They hold however often one looks.
    label_set, topic_set, run_order, gains, scale
        As of `sample`.

    Returns
    -------
    Estimated

    Raises
    ------
    InputError
        If a file is not as it should be, or a doc of the sample has no grade.
    UsageError
        If the measure is one for which no interval is known to hold.

    Examples
    --------
    >>> from qrelsmith import estimate, sample
    >>> runs = {"a": {"t1": {"d1": 2.0, "d2": 1.0}}, "b": {"t1": {"d3": 2.0, "d1": 1.0}}}
    >>> drawn = sample(runs=runs, measures="P@1", budget=2, wave=2)
    >>> people = {"t1": {"d1": 1, "d3": 0}}
    >>> sure = estimate(runs=runs, measures="P@1", sample=drawn, judgments=people, pairs=True)
    >>> list(sure.table().rows)
    [('P@1', 'a', 'b', 1.0, 1.0, 1.0, 'true')]
    """
    if pairs and order:
        raise UsageError("either pairs or the order, not both")
    if anytime and looks is not None:
        raise UsageError("either a number of looks or any number of them, not both")
    if looks is not None and looks < 1:
        raise UsageError(f"looks={looks}; expected 1 or more")
    sources = sources_of(
        labels, runs, measures, judgments=judgments, label_set=label_set, topic_set=topic_set,
        run_order=run_order, gains=gains, scale=scale,
    )  # fmt: skip
    if not (pairs or order):
        for measure in sources.measures:
            if measure.normalised:
                cutoff = measure.depth
                raise UsageError(
                    f"{measure.label} of one system cannot be estimated so that its interval holds"
                    f" on every collection; expected its differences (--pairs), or DCG@{cutoff},"
                    f" RBP(p=0.8)@{cutoff} or P@{cutoff}"
                )
    if over == "topics" and len(sources.units.topics) < _FEW_TOPICS:
        raise UsageError(
            f"{len(sources.units.topics)} topics; an interval over topics needs {_FEW_TOPICS}"
        )
    rows = sample_rows(sample)
    places, level = sources.places(rows), sources.levels(rows)
    found = []
    for measure in sources.measures:
        population = sources.population(measure)
        _, influence = population.fit(places, level, rows.probability)
        estimates = estimated(
            influence, places, level, rows.probability, population.topic,
            over_topics=over == "topics",
        )  # fmt: skip
        pool = estimated(influence, places, level, rows.probability, population.topic)
        corrected = estimates.score
        if order:
            corrected = corrected_scores(
                estimates.predicted, pool.score, pool.covariance, influence.rank_weight
            )
        found.append(
            MeasureEstimates(
                measure.label,
                sources.units.runs,
                estimates,
                len(rows.keys),
                looks,
                anytime,
                corrected,
            )
        )
    show: Show = "pairs" if pairs else "order" if order else "scores"
    result = Estimated(show=show, over=over, of_measures=tuple(found))
    notes = [*sources.notes, *_notes(result, len(sources.units.keys))]
    return Estimated(show=show, over=over, of_measures=tuple(found), notes=tuple(notes))


def _notes(result: Estimated, units: int) -> list[str]:
    """What must be said of estimates."""
    notes = []
    if result.show == "pairs":
        for one, share in zip(result.of_measures, result.decided, strict=True):
            notes.append(
                f"{one.measure}: {share:.0%} of the pairs decided with {one.labels} labels of"
                f" {units} docs; over {result.over}"
            )
    if result.of_measures[0].labels < _FEW_LABELS:
        notes.append(
            f"{result.of_measures[0].labels} labels are few: intervals are known to hold from about"
            f" {_FEW_LABELS} on"
        )
    return notes


def _listed(values: np.ndarray) -> list[object]:
    return list(values.tolist())
