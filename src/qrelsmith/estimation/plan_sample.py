"""The question `plan sample`: expected widths and decisions by budget of human labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Unpack

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Advance, Option, Seed
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Cell, Table
from qrelsmith.estimation.decisions import FEWEST_LABELS, few_labels
from qrelsmith.estimation.estimation_options import EstimationScope, ModelLabels, SumMeasures
from qrelsmith.estimation.sampling_trials import sampling_trial
from qrelsmith.estimation.simulated_people import simulate_people
from qrelsmith.estimation.sources import sources_of
from qrelsmith.judgments.run_options import Runs

BUDGETS = (100, 200, 300, 500, 1000)


@dataclass(frozen=True, eq=False, kw_only=True)
class SamplePlan(Result):
    """Interval widths and decided pairs by sample size.

    Attributes
    ----------
    rows : tuple of tuples
        The rows of the table.
    """

    rows: tuple[tuple[Cell, ...], ...] = field(repr=False)

    def table(self) -> Table:
        """Columns: measure, budget, width, width_difference, decided.

        The columns give the mean interval width of a score (nan if unavailable) and of a
        difference, and the share of decided pairs.
        """
        columns = ("measure", "budget", "width", "width_difference", "decided")
        return Table.of(columns, self.rows, notes=self.notes)


@question(
    "plan sample",
    no_audit="it says what to judge, before there is anything to audit",
    example="qrelsmith plan sample runs/*.run --label-set llm.qrels -m nDCG@10",
    doing="drawing samples",
    short="Forecast interval widths and decided pairs for a budget.",
)
def plan_sample(
    labels: ModelLabels = None,
    runs: Runs = None,
    measures: SumMeasures = None,
    *,
    budget: Annotated[int | Sequence[int], Option(
        "Number of docs that people will judge; repeatable.", metavar="N", least=1)] = BUDGETS,
    agreement: Annotated[float, Option(
        "Agreement of people with the models, as α.", least=0, most=1)] = 0.6,
    draws: Annotated[int, Option("Number of samples drawn for each budget.", least=1)] = 5,
    seed: Seed = 0,
    advance: Advance = None,
    **scope: Unpack[EstimationScope],
) -> SamplePlan:  # fmt: skip
    """Forecast interval widths and decided pairs for a budget from models' labels alone.

    Columns: measure, budget, width (mean width of a score's interval; nan if there is none),
    width_difference, decided (share of pairs). Human grades are simulated. The simulated grades
    agree with the models as set by --agreement, and favour docs from runs that the models rank
    high.

    Returns
    -------
    SamplePlan
        measure, budget, width, width_difference, decided.

    Raises
    ------
    InputError
        If a file is malformed.
    UsageError
        If there is no label set, or a measure is not a sum over docs.

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
    note: people are assumed to agree with the models with α = 0.6; 2 samples per budget; 3 docs
    """
    budgets = [budget] if isinstance(budget, int) else list(budget)
    if not budgets:
        raise UsageError("no budget given; expected at least one")
    sources = sources_of(labels, runs, measures, **scope)
    if not sources.label_sets:
        raise UsageError("no label set of a model given; expected at least one")
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
        f"people are assumed to agree with the models with α = {agreement:g}; {draws} samples per"
        f" budget; {units} docs"
    )
    notes = [*sources.notes, note]
    if min(budgets) < min(FEWEST_LABELS, units):
        notes.append(few_labels(min(budgets)))
    return SamplePlan(rows=tuple(rows), notes=tuple(notes))


def _mean(values: FloatArray | BoolArray) -> float:
    return float(np.mean(values)) if values.size else math.nan
