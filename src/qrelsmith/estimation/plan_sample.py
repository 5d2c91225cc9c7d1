"""The command `plan sample`: expected interval widths and decided pairs by labelling budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Unpack

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Advance, Option, Seed
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scipy_parts import special
from qrelsmith.base.tables import Cell, Table
from qrelsmith.estimation.decisions import FEWEST_LABELS, few_labels
from qrelsmith.estimation.estimation_options import EstimationScope, ModelLabels, SumMeasures
from qrelsmith.estimation.fit import Population
from qrelsmith.estimation.sampling_trials import sampling_trial
from qrelsmith.estimation.sources import sources_of
from qrelsmith.judgments.run_options import Runs

# With this correlation, scores spread as with human grades on TREC 2021 Deep Learning (passages):
# .99 and 1.04 times as far for P(rel=2)@10 (four label sets, two pools), 1.07 for nDCG@10.
_WITH_RUNS = 0.44
_OF_TOPICS = 0.2  # share of the remaining variance that is common to the docs of a topic
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
        "Assumed agreement (α) of people with the models.", least=0, most=1)] = 0.6,
    draws: Annotated[int, Option("Number of samples drawn for each budget.", least=1)] = 5,
    seed: Seed = 0,
    advance: Advance = None,
    **scope: Unpack[EstimationScope],
) -> SamplePlan:  # fmt: skip
    """Forecast interval widths and decided pairs for a budget, from models' labels alone.

    Columns: measure, budget, width (mean width of a score's interval; nan if there is none),
    width_difference, decided (share of pairs). Human grades are simulated. The simulated grades
    agree with the models' labels to the degree of --agreement, and favour docs from runs that the
    models rank high.

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


def simulate_people(population: Population, agreement: float, rng: np.random.Generator) -> IntArray:
    """Simulate human grades correlated with the models and with good runs [unit].

    A latent normal variable has the correlation `agreement` with the models' labels. The variable
    has the correlation .44 with the docs' weights in runs that are good by the model labels. The
    rest of the variable is noise; the docs of a topic share a fifth of the noise. Simulated people
    thus differ from the models, and systems differ as they do under real human grades. Half of the
    docs reach the second level of the scale, a quarter the third, and so on.

    Parameters
    ----------
    population : Population
        The units; at least one label set.
    agreement : float
        From 0 to 1, where 1 means that people agree completely with the models.
    rng : Generator
        Random numbers; one per unit and one per topic are taken.

    Returns
    -------
    int array [unit]
        Level indices.
    """
    topic, weight = population.topic, population.measure.weights(population.rank)
    everywhere = np.zeros_like(topic)
    models = np.mean(
        [_normal_scores(np.nan_to_num(labels), everywhere) for labels in population.labels], axis=0
    )
    models = _normal_scores(models, everywhere)
    skill = weight @ models
    ranked = np.flatnonzero(weight.any(axis=0))
    runs = np.zeros(topic.size)
    runs[ranked] = _normal_scores((skill - skill.mean()) @ weight[:, ranked], topic[ranked])
    noise = np.sqrt(_OF_TOPICS) * rng.normal(size=population.topics)[topic]
    noise += np.sqrt(1.0 - _OF_TOPICS) * rng.normal(size=topic.size)
    shared = float((models * runs)[ranked].mean())
    with_runs = (_WITH_RUNS - agreement * shared) / max(1.0 - shared**2, 1e-9)
    with_runs = min(max(with_runs, 0.0), 1.0 - agreement)
    latent = (agreement - with_runs * shared) * models + with_runs * runs
    latent += np.sqrt(max(1.0 - float(latent.var()), 0.0)) * (agreement < 1.0) * noise
    shares = 0.5 ** np.arange(1, len(population.measure.worth))
    return np.asarray((latent[:, None] >= np.quantile(latent, 1.0 - shares)).sum(axis=1))


def _normal_scores(values: FloatArray, group: IntArray) -> FloatArray:
    """Return normal quantiles of the ranks in each group, with overall variance 1."""
    scores = np.zeros(values.shape)
    for number in np.unique(group):
        inside = np.flatnonzero(group == number)
        _, place, count = np.unique(values[inside], return_inverse=True, return_counts=True)
        middle = np.cumsum(count) - 0.5 * count
        scores[inside] = special.ndtri(middle / inside.size)[place]
    scores -= scores.mean()
    deviation = float(scores.std())
    return scores / deviation if deviation > 0 else scores
