"""The question `plan sample`: what a budget of people's labels would decide."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scales import Gains, Scale
from qrelsmith.base.tables import Cell, Table
from qrelsmith.estimation.decisions import FEWEST_LABELS, few_labels
from qrelsmith.estimation.sampling_trials import sampling_trial
from qrelsmith.estimation.simulated_people import simulate_people
from qrelsmith.estimation.sources import sources_of
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike
from qrelsmith.judgments.sources import LabelSets
from qrelsmith.judgments.topic_sources import TopicSet

BUDGETS = (100, 200, 300, 500, 1000)


@dataclass(frozen=True, eq=False, kw_only=True)
class SamplePlan(Result):
    """Widths and decided pairs of samples of several sizes.

    Attributes
    ----------
    rows : tuple of tuples
        As in the table.
    """

    rows: tuple[tuple[Cell, ...], ...] = field(repr=False)

    def table(self) -> Table:
        """Columns: measure, budget, width, width_difference, decided.

        The mean width of the interval of a score (nan where it is refused) and of a difference, and
        the share of pairs decided.
        """
        columns = ("measure", "budget", "width", "width_difference", "decided")
        return Table.of(columns, self.rows, notes=self.notes)


@question(
    "plan sample",
    no_audit="it says what to judge, before there is anything to audit",
    flags={"measures": "-m"},
)
def plan_sample(
    labels: LabelSets | None = None,
    runs: RunsLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    budget: int | Sequence[int] = BUDGETS,
    agreement: float = 0.6,
    draws: int = 5,
    label_set: str | Sequence[str] | None = None,
    topic_set: TopicSet | None = None,
    run_order: str = "trec",
    gains: Gains | None = None,
    scale: Scale | None = None,
    seed: int = 0,
    advance: Callable[[], None] | None = None,
) -> SamplePlan:
    """Forecast widths and decided pairs for a budget of labels from models' labels alone.

    People's grades are simulated: they agree with the models to a degree that is assumed, and
    favour the docs of runs that the models say are good. Samples are drawn as `sample` draws them,
    and estimated as `estimate` does.

    Parameters
    ----------
    labels, runs, measures
        As of `sample`; several measures are possible.
    budget : int or list of int
        How many docs people judge.
    agreement : float
        How far people and the models agree, as α of one with the other; 0 to 1.
    draws : int
        How many samples are drawn for each budget.
    label_set, topic_set, run_order, gains, scale, seed
        As of `sample`.
    advance : callable, optional
        Called after each budget of a measure.

    Returns
    -------
    SamplePlan
        measure, budget, width, width_difference, decided.

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If there is no label set, or a measure is no sum over docs.

    Examples
    --------
    >>> from qrelsmith import plan_sample
    >>> runs = {"a": {"t1": {"d1": 2.0, "d2": 1.0}}, "b": {"t1": {"d3": 2.0, "d1": 1.0}}}
    >>> model = {"t1": {"d1": 1, "d2": 0, "d3": 0}}
    >>> print(
    ...     plan_sample(model, runs, "P@1", budget=3, draws=2).table()
    ... )  # doctest: +NORMALIZE_WHITESPACE
    measure  budget   width  width, differences  decided
    ───────  ──────  ──────  ──────────────────  ───────
    P@1           3  0.0000              0.0000   1.0000
    note: people are supposed to agree with the models to α = 0.6; 2 draws each; 3 docs
    """
    budgets = [budget] if isinstance(budget, int) else list(budget)
    if not budgets or min(budgets) < 1 or draws < 1:
        raise UsageError(f"budget={budget}, draws={draws}; expected 1 or more")
    if not 0 <= agreement <= 1:
        raise UsageError(f"agreement={agreement}; expected 0 to 1")
    sources = sources_of(
        labels, runs, measures, label_set=label_set, topic_set=topic_set, run_order=run_order,
        gains=gains, scale=scale,
    )  # fmt: skip
    if not sources.label_sets:
        raise UsageError("no label set of a model was given; expected one to plan with")
    topics = sorted({topic for topic, _ in sources.units.keys})
    rows: list[tuple[Cell, ...]] = []
    for measure in sources.measures:
        population = sources.population(measure)
        for size in sorted(set(budgets)):
            answers = []
            for draw in range(draws):
                rng = rng_for(seed, "plan sample", draw, *topics)
                people = simulate_people(population, agreement, rng)
                trial = sampling_trial(population, people, size, rng)
                pairs = trial.pairs()
                width = 2 * trial.reach().mean()
                answers.append((width, 2 * _mean(pairs.reach), _mean(pairs.decided)))
            width, apart, decided = np.mean(answers, axis=0).tolist()
            shown = math.nan if measure.normalised else width
            if advance is not None:
                advance()
            rows.append((measure.label, size, shown, apart, decided))
    units = len(sources.units.keys)
    note = (
        f"people are supposed to agree with the models to α = {agreement:g}; {draws} draws each;"
        f" {units} docs"
    )
    notes = [*sources.notes, note]
    if min(budgets) < min(FEWEST_LABELS, units):
        notes.append(few_labels(min(budgets)))
    return SamplePlan(rows=tuple(rows), notes=tuple(notes))


def _mean(values: FloatArray | BoolArray) -> float:
    return float(np.mean(values)) if values.size else math.nan
