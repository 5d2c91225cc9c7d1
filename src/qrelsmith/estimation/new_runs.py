"""New runs among old runs: docs that only new runs return, and the rank of a new run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.estimation.estimates import MeasureEstimates
from qrelsmith.estimation.estimator import estimate_scores
from qrelsmith.estimation.fit import Population
from qrelsmith.estimation.placed_runs import PlacedRun
from qrelsmith.estimation.sample_files import SampleRows
from qrelsmith.estimation.sources import EstimationSources
from qrelsmith.judgments.run_sources import RunsLike, runs_of


def with_new(labels: Any, runs: RunsLike | None, new: RunsLike | None) -> RunsLike | None:
    """Return the old runs (by default the campaign's runs) and the new runs."""
    if new is None:
        return runs
    old = runs_of(labels if runs is None else runs)
    return [*old, *runs_of(new)]


def names_of_new(new: RunsLike, sources: EstimationSources, order: str) -> tuple[str, ...]:
    """Return the names of the new runs.

    Raises
    ------
    UsageError
        If all runs are new, or a new run has the name of an old one.
    """
    names = tuple(
        run.name if isinstance(run, Run) else read_run(run, order=order).name
        for run in runs_of(new)
    )
    for name in names:
        if name not in sources.units.runs:
            raise UsageError(
                f"the new run {quoted(name)} has the name of an old run or file; expected "
                "different names"
            )
    if len(set(names)) == len(sources.units.runs):
        raise UsageError("all runs are new; expected at least one old run to compare with")
    return names


def is_only_new(sources: EstimationSources, names: Sequence[str]) -> BoolArray:
    """Return a mask of unjudged units that only new runs return [unit]."""
    units = sources.units
    is_new = np.isin(units.runs, names)
    by_new = (units.rank[is_new] > 0).any(axis=0)
    by_old = (units.rank[~is_new] > 0).any(axis=0)
    return np.asarray(by_new & ~by_old)


def with_old_pool(
    sources: EstimationSources, rows: SampleRows, names: Sequence[str]
) -> tuple[SampleRows, int]:
    """Return the sample plus the old pool's judged docs, and the pool's number of unjudged docs.

    Raises
    ------
    InputError
        If a doc of the sample is in the old pool.
    """
    units, only_new = sources.units, is_only_new(sources, names)
    place = {key: at for at, key in enumerate(units.keys)}
    for key, line in zip(rows.keys, rows.lines, strict=True):
        if key in place and not only_new[place[key]]:
            raise InputError(
                f"topic {quoted(key[0])} doc {quoted(key[1])} is in the old pool; "
                "expected a sample drawn with the same --new",
                path=rows.path,
                line=line,
            )
    judged = {} if sources.judged is None else sources.judged.to_dict()
    returned = np.asarray((units.rank > 0).any(axis=0))
    old = [key for at, key in enumerate(units.keys) if returned[at] and not only_new[at]]
    old_judged = [(t, d) for t, d in old if judged.get(t, {}).get(d, -1) >= 0]
    merged = SampleRows(
        keys=(*rows.keys, *old_judged),
        wave=np.append(rows.wave, np.ones(len(old_judged), dtype=np.int64)),
        probability=np.append(rows.probability, np.ones(len(old_judged))),
        path=rows.path,
        lines=[*rows.lines, *[0] * len(old_judged)],
    )
    return merged, len(old) - len(old_judged)


def placed_runs(
    estimates: MeasureEstimates, old_pool: FloatArray, names: Sequence[str], labels: int
) -> list[PlacedRun]:
    """Rank new runs among the old runs by estimated scores and the intervals of differences."""
    runs = list(estimates.runs)
    is_old: BoolArray = ~np.isin(runs, names)
    others: IntArray = np.flatnonzero(is_old)
    placed = []
    for name in sorted(names):
        own = runs.index(name)
        pairs = [estimates.pair(own, other) for other in others.tolist()]
        difference = np.array([pair.difference[0] for pair in pairs])
        reach = np.array([pair.reach[0] for pair in pairs])
        place = 1 + int((difference < 0).sum())
        low = 1 + int((difference + reach < 0).sum())
        high = 1 + int((difference - reach <= 0).sum())
        alone = 1 + int((old_pool[others] > old_pool[own]).sum())
        placed.append(
            PlacedRun(estimates.measure, name, place, low, high, alone, others.size + 1, labels)
        )
    return placed


def old_pool_scores(
    sources: EstimationSources,
    population: Population,
    offset: float,
    places: IntArray,
    level: IntArray,
    names: Sequence[str],
) -> FloatArray:
    """Return scores that count docs returned only by new runs as non-relevant [system]."""
    only_new = is_only_new(sources, names)
    old = ~only_new[places]
    added = np.flatnonzero(only_new)
    at = np.append(places[old], added)
    grades = np.append(level[old], np.zeros(added.size, dtype=np.int64))
    certain = np.ones(at.size)
    _, influence = population.fit(at, grades, certain)
    scored = estimate_scores(influence, at, grades, certain, population.topic, over_topics=False)
    return np.asarray(scored.score + offset)
