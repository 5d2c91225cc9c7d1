"""The result of `estimate`: scores, differences and intervals, as tables and decisions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.content import Figure, Intervals
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.estimation.boundaries import labels_needed, quantiles
from qrelsmith.estimation.decisions import FEWEST_LABELS, Comparison, compare_systems
from qrelsmith.estimation.estimator import ScoreEstimates
from qrelsmith.estimation.placed_runs import PlacedRun, placed_table

Over = Literal["pool", "topics"]
OVER = {"pool": "the completely judged pool", "topics": "similar topics"}
Show = Literal["scores", "pairs", "order"]


class Decision(NamedTuple):
    """The decision between two systems.

    Attributes
    ----------
    better : str or None
        The better system; None if undecided.
    labels : float
        Approximate total number of labels needed to decide.
    """

    better: str | None
    labels: float


def places_of(names: Sequence[str], runs: Sequence[str]) -> tuple[int, ...]:
    """Return the indices of the named runs.

    Raises
    ------
    UsageError
        If a run is unknown.
    """
    for name in names:
        if name not in runs:
            raise UsageError(f"unknown run {quoted(name)} (choices: {', '.join(runs)})")
    return tuple(runs.index(name) for name in names)


@dataclass(frozen=True, slots=True, eq=False)
class MeasureEstimates:
    """Estimates of all systems by one measure.

    Attributes
    ----------
    measure : str
        The measure's full name.
    runs : tuple of str
        The systems.
    estimates : ScoreEstimates
        Scores and the parts of their errors.
    highest : float
        The highest possible score; the lowest is 0.
    labels : int
        Number of human labels used.
    looks, anytime, until
        As in `quantiles`.
    corrected : float array [system]
        The corrected scores used for ranking.
    """

    measure: str
    runs: tuple[str, ...]
    estimates: ScoreEstimates = field(repr=False)
    highest: float
    labels: int
    looks: int | None
    anytime: bool
    until: int | None
    corrected: FloatArray = field(repr=False)

    def scores(self) -> FloatArray:
        """Return every system's score with its interval, clipped to the valid range [system, 3]."""
        deviation, free = self.estimates.errors()
        reach = deviation * quantiles(
            free, labels=self.labels, looks=self.looks, anytime=self.anytime, until=self.until
        )
        score = self.estimates.score
        bounds = np.column_stack([score, score - reach, score + reach])
        return np.asarray(bounds.clip(0.0, self.highest))

    def pairs(self) -> tuple[IntArray, IntArray, FloatArray, FloatArray, BoolArray]:
        """All pairs of systems by name: indices, difference, half-width, decided."""
        by_name = np.array(sorted(range(len(self.runs)), key=self.runs.__getitem__))
        first, second = (by_name[side] for side in np.triu_indices(len(self.runs), 1))
        return first, second, *self._compare(first, second)

    def pair(self, run_a: int, run_b: int) -> Comparison:
        """Compare two systems."""
        return self._compare(np.array([run_a]), np.array([run_b]))

    def _compare(self, first: IntArray, second: IntArray) -> Comparison:
        return compare_systems(
            self.estimates, first, second, labels=self.labels, looks=self.looks,
            anytime=self.anytime, until=self.until,
        )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimated(Result):
    """Estimates from a sample's labels, shown as a table of scores, of pairs or of ranks.

    Attributes
    ----------
    show : str
        Content of the table: scores, pairs or order.
    over : str
        Population of the intervals: this pool, or similar topics.
    decided_runs : tuple of (str, str) or None
        Two runs whose comparison determines the exit status.
    placed : tuple of PlacedRun
        New runs placed among the old ones, if requested.
    """

    show: Show
    over: Over
    of_measures: tuple[MeasureEstimates, ...] = field(repr=False)
    decided_runs: tuple[str, str] | None = None
    placed: tuple[PlacedRun, ...] = ()

    def exit_status(self) -> int:
        """Return 0 if the first run is better, 3 if the second run is better, 4 if undecided."""
        if self.decided_runs is None:
            return 0
        better = self.decision(*self.decided_runs).better
        return 4 if better is None else 3 * self.decided_runs.index(better)

    def decision_note(self) -> str:
        """Return a sentence that says which of two runs is better, or that this is undecided."""
        first, second = self.decided_runs or ("", "")
        better, labels = self.decision(first, second)
        if better is not None:
            return f"{better} is better than {second if better == first else first}"
        about = (
            f"about {labels:,.0f} labels are" if math.isfinite(labels) else "no number of labels is"
        )
        return f"undecided between {first} and {second}; {about} enough for a decision"

    def figure(self) -> Figure | None:
        """Return a chart of the first measure's estimates with intervals, best first."""
        part = self.of_measures[0]
        rows = sorted(
            zip(part.runs, *part.scores().T.tolist(), strict=True),
            key=lambda row: (-row[1], row[0]),
        )
        return Figure(
            "estimates",
            f"Estimated {part.measure} of the runs",
            Intervals.of(rows, f"{part.measure}, 95% interval"),
            f"Estimates from {part.labels:,} labels; intervals generalise to {OVER[self.over]}.",
        )

    def table(self) -> Table:
        """Columns: run, measure, estimate, low, high, labels, over (population of the interval).

        Columns for pairs: measure, run_a, run_b, difference, low, high, decided. Columns for an
        order: measure, rank, run, score.
        """
        if self.placed:
            return replace(placed_table(self.placed), notes=self.notes)
        rows: list[tuple[Cell, ...]] = []
        if self.show == "pairs":
            columns = ["measure", "run_a", "run_b", "difference", "low", "high", "decided"]
            for part in self.of_measures:
                for a, b, difference, reach, decided in zip(
                    *map(_as_list, part.pairs()), strict=True
                ):
                    bounds = (
                        min(max(bound, -part.highest), part.highest)
                        for bound in (difference, difference - reach, difference + reach)
                    )
                    names = part.measure, part.runs[a], part.runs[b]
                    rows.append((*names, *bounds, bool(decided)))
        elif self.show == "order":
            columns = ["measure", "rank", "run", "score"]
            for part in self.of_measures:
                order = sorted(
                    range(len(part.runs)), key=lambda s: (-part.corrected[s], part.runs[s])
                )
                rows += [
                    (part.measure, rank, part.runs[s], float(part.corrected[s]))
                    for rank, s in enumerate(order, start=1)
                ]
        else:
            columns = ["run", "measure", "estimate", "low", "high", "labels", "over"]
            for part in self.of_measures:
                for run, bounds in zip(part.runs, part.scores().tolist(), strict=True):
                    rows.append((run, part.measure, *bounds, part.labels, self.over))
        return Table.of(columns, rows, notes=self.notes).sorted()

    def decision(self, run_a: str, run_b: str) -> Decision:
        """Return which run is better by the first measure, or how many labels would decide.

        A named pair is decided by its interval alone, because it is not selected from many pairs.
        With fewer than 50 labels, the pair stays undecided.

        Raises
        ------
        UsageError
            If a run is unknown, or both runs are the same.
        """
        first = self.of_measures[0]
        a, b = places_of((run_a, run_b), first.runs)
        if run_a == run_b:
            raise UsageError(f"{quoted(run_a)} is compared with itself; expected different runs")
        found = first.pair(a, b)
        difference, reach = float(found.difference[0]), float(found.reach[0])
        if found.decided[0]:
            return Decision(run_a if difference > 0 else run_b, float(first.labels))
        needed = labels_needed(difference, reach, first.labels)
        return Decision(None, max(needed, float(FEWEST_LABELS)))

    @cached_property
    def decided(self) -> tuple[float, ...]:
        """The share of decided pairs for each measure."""
        found = []
        for part in self.of_measures:
            is_decided = part.pairs()[-1]
            found.append(float(is_decided.mean()) if is_decided.size else math.nan)
        return tuple(found)


def _as_list(values: np.ndarray) -> list[object]:
    return list(values.tolist())
